"""Generated protocol code of Tongits Arena."""
