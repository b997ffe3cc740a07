"""The tournament harness."""
