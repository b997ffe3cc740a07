"""Ends with an exception before it does anything. Expected fault: NO_HANDSHAKE."""

raise RuntimeError("this bot fails while it starts")
