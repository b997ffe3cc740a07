"""Says a wrong word in its Hello. Expected fault: NO_HANDSHAKE."""

import os

from tongits_bot import serve

if __name__ == "__main__":
    os.environ["TONGITS_TOKEN"] = "not the word that was given"  # noqa: S105  # that is the point
    serve(lambda view: view.legal[0])
