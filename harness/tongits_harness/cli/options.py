"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])
DEFAULT_RESULTS = "results"


def results_option(command: Command) -> Command:
    """`--results DIR`, given to the command as the path `results`."""
    return click.option(
        "--results",
        type=click.Path(path_type=Path),
        default=DEFAULT_RESULTS,
        show_default=True,
        help="Folder that holds arena.db.",
    )(command)


def tournament_option(command: Command) -> Command:
    """`--tournament NAME`, None for the latest."""
    return click.option(
        "--tournament", metavar="NAME", help="Which tournament; the latest by default."
    )(command)


def json_option(command: Command) -> Command:
    """`--json`, given as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def format_options(*formats: str) -> Callable[[Command], Command]:
    """`--json`, `--csv` and the like, at most one of them, given as `output` (None without)."""

    def decorate(command: Command) -> Command:
        for name in reversed(formats):
            option = click.option(
                f"--{name}",
                "output",
                flag_value=name,
                default=None,
                help=f"Print {_TITLES[name]}.",
            )
            command = option(command)
        return command

    return decorate


_TITLES = {"json": "JSON", "csv": "CSV", "md": "a Markdown table"}
