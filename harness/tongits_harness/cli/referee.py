"""`tongits referee`: the engine as a judge of games, for tools and tests in any language."""

import sys

import click


@click.command()
def referee() -> None:
    """Judge games read from standard input.

    One game a line, in JSON: {"rules": "tongits-lite", "deck": ["4H", ... 52 cards, top first],
    "dealer": 0, "actions": ["draw", ...], "overrides": {...}}. One verdict a line comes back, with
    the steps, the result and the first error.
    """
    import json

    from tongits_engine import judge

    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", "replace")
        if not line.strip():
            continue
        sys.stdout.write(json.dumps(judge(line)) + "\n")
        sys.stdout.flush()
