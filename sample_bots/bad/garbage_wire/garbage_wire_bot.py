"""Connects and sends bytes that are no HTTP/2, then stays. Expected fault: NO_HANDSHAKE."""

import os
import socket
import threading

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
GARBAGE = bytes(range(256)) * 16


def main() -> None:
    """Begin as an HTTP/2 client does, go on with garbage."""
    path = os.environ["TONGITS_ADDRESS"].removeprefix("unix:")
    with socket.socket(socket.AF_UNIX) as wire:
        wire.connect(path)
        wire.sendall(PREFACE + SETTINGS + GARBAGE)
        threading.Event().wait()


if __name__ == "__main__":
    main()
