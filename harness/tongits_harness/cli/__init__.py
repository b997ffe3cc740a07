"""The command `tongits`."""
