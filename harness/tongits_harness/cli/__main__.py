"""`python -m tongits_harness.cli`: the command without its script."""

from tongits_harness.cli import main

main(prog_name="tongits")
