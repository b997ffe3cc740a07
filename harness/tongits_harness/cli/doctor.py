"""`tongits doctor`: one line per thing a run depends on, and the cure where one is amiss."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tongits_harness.cli.checks import Check, Status, examine
from tongits_harness.cli.options import json_option, results_option
from tongits_harness.errors import EXIT_NO_SANDBOX

_COLOURS = {Status.OK: "green", Status.WARN: "yellow", Status.FAIL: "red"}


@click.command()
@results_option
@json_option
def doctor(results: Path, as_json: bool) -> None:
    """Tell what runs depend on and how it is on this machine.

    Nothing is changed. Exit status: 0 if a tournament can be played here, 69 if not.
    """
    checks = examine(results)
    if as_json:
        from tongits_harness.cli.render import print_json

        print_json({"ok": _can_run(checks), "checks": [check.as_json() for check in checks]})
    else:
        _print(checks)
    if not _can_run(checks):
        sys.exit(EXIT_NO_SANDBOX)


def _can_run(checks: Sequence[Check]) -> bool:
    return all(check.status is not Status.FAIL for check in checks)


def _print(checks: Sequence[Check]) -> None:
    width = max(len(check.name) for check in checks)
    for check in checks:
        status = click.style(f"{check.status:4}", fg=_COLOURS[check.status])
        click.echo(f"{status}  {check.name:{width}}  {check.text}")
        if check.cure:
            click.echo(f"      {'':{width}}  -> {check.cure}")
    if not _can_run(checks):
        click.echo("no tournament can be played here until the failures are cured", err=True)
