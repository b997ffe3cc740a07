"""Runs, but never dials. Expected fault: NO_HANDSHAKE."""

import threading

if __name__ == "__main__":
    threading.Event().wait()
