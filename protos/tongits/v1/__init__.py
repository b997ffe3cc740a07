"""Version 1 of the bot protocol (see table.proto)."""
