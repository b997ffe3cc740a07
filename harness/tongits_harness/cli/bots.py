"""`tongits bots`: the bots that were submitted, their versions and reports; disable and enable."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import DEFAULT_RESULTS, json_option, results_option
from tongits_harness.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from tongits_harness.results.submitted import BotVersion

_LONGEST_REASON = 200


@click.group(invoke_without_command=True)
@json_option
@results_option
@click.pass_context
def bots(context: click.Context, as_json: bool, results: Path) -> None:
    """List the bots that were submitted.

    Without a command: every bot with its latest version. `tongits submit` adds one.
    """
    context.obj = results
    if context.invoked_subcommand is None:
        _list(results, as_json=as_json)


@bots.command()
@click.argument("bot", metavar="NAME[@N]")
@json_option
@results_option
@click.pass_obj
def show(group_results: Path, bot: str, as_json: bool, results: Path) -> None:
    """Show the versions of a bot and the report of one of them (the latest)."""
    from tongits_harness.cli import render
    from tongits_harness.submissions.lookup import find_versions

    found = find_versions(bot, _chosen(group_results, results))
    if as_json:
        render.print_json({"versions": [version_document(version) for version in found]})
        return
    if len(found) > 1:
        _print_versions(found, _played(_chosen(group_results, results)))
        click.echo()
    render.print_lines(*_lines(found[-1]))


@bots.command()
@click.argument("bot", metavar="NAME[@N]")
@click.option("--reason", required=True, help="Shown to whoever wants to seat it.")
@results_option
@click.pass_obj
def disable(group_results: Path, bot: str, reason: str, results: Path) -> None:
    """Seat a bot (all versions, or one) in no new tournament.

    Tournaments that have begun go on with it.
    """
    if not reason.strip() or len(reason) > _LONGEST_REASON or not reason.isprintable():
        raise UsageError(f"--reason: give one printable line of at most {_LONGEST_REASON} letters")
    _switch(_chosen(group_results, results), bot, reason)


@bots.command()
@click.argument("bot", metavar="NAME[@N]")
@results_option
@click.pass_obj
def enable(group_results: Path, bot: str, results: Path) -> None:
    """Let a disabled bot (all versions, or one) be seated again."""
    _switch(_chosen(group_results, results), bot, None)


def version_document(version: "BotVersion") -> dict[str, object]:
    """A version as JSON."""
    return {
        "bot": version.title,
        "name": version.name,
        "number": version.number,
        "digest": version.digest,
        "manifest_name": version.manifest_name,
        "version": version.declared_version,
        "language": version.language,
        "author": version.author,
        "source": version.source,
        "submitted_at": version.submitted_at,
        "state": _state(version),
        "reason": version.reason,
        "verdict": version.verdict,
        "accepted": version.is_accepted,
        "manifest": dict(version.manifest),
        "report": dict(version.report),
    }


def _list(results: Path, *, as_json: bool) -> None:
    from tongits_harness.cli import render
    from tongits_harness.results.submitted import submitted_versions

    versions = submitted_versions(results)
    latest = list({version.name: version for version in versions}.values())
    played = _played(results) if versions else {}
    if as_json:
        rows = [{**_row(version), "matches": played.get(version.digest, 0)} for version in latest]
        render.print_json({"bots": rows})
    elif latest:
        _print_versions(latest, played)
    else:
        click.echo(f"no bot was submitted to {results}: tongits submit BOT", err=True)


def _row(version: "BotVersion") -> dict[str, object]:
    document = version_document(version)
    return {key: value for key, value in document.items() if key not in {"manifest", "report"}}


def _print_versions(versions: Sequence["BotVersion"], played: Mapping[str, int]) -> None:
    from tongits_harness.cli import render
    from tongits_harness.cli.render import Column, Table

    columns = (
        Column("bot"),
        Column("version", importance=4),
        Column("language", importance=3),
        Column("state"),
        Column("verdict"),
        Column("submitted", importance=2),
        Column("matches", is_number=True),
        Column("author", importance=5),
        Column("reason", importance=1),
    )
    rows = [
        (
            version.title,
            version.declared_version,
            version.language,
            _state(version),
            version.verdict,
            _time(version.submitted_at),
            str(played.get(version.digest, 0)),
            version.author,
            version.reason,
        )
        for version in versions
    ]
    render.print_table(Table(columns, rows))


def _lines(version: "BotVersion") -> Iterator[str]:
    by = f" by {version.author}" if version.author else ""
    yield f"{version.title} · {version.declared_version} · {version.language}{by}"
    yield f"files {version.digest}, manifest {version.manifest_name}"
    yield f"submitted {_time(version.submitted_at)} from {version.source}"
    reason = f": {version.reason}" if version.reason else ""
    yield f"{version.verdict}, {_state(version)}{reason}"
    steps = version.report.get("steps")
    for step in steps if isinstance(steps, list) else []:
        yield from _step_lines(step)


def _step_lines(stored: Mapping[str, object]) -> Iterator[str]:
    """A step as `tongits check` shows it; as JSON where an older version has stored it."""
    from tongits_harness.check import Step, Verdict
    from tongits_harness.check.text import step_lines

    try:
        step = Step(**{**stored, "verdict": Verdict(str(stored.get("verdict")))})  # type: ignore[arg-type]  # as stored by as_json
    except (TypeError, ValueError):
        yield json.dumps(stored)
        return
    yield from step_lines(step)


def _switch(results: Path, word: str, reason: str | None) -> None:
    from tongits_harness.results.submitted import open_submitted
    from tongits_harness.submissions.lookup import find_versions

    found = find_versions(word, results)
    number = found[0].number if "@" in word else None
    if number is not None and not found[0].is_accepted:
        raise ConfigError(
            f"bot {found[0].title}: was rejected and is never seated; submit a version that passes"
        )
    with open_submitted(results) as submitted:
        if reason is None:
            submitted.enable(found[0].name, number)
        else:
            submitted.disable(found[0].name, number, reason)
    done = "enabled" if reason is None else "disabled"
    click.echo(f"{done}: {' '.join(version.title for version in found)}")


def _chosen(group_results: Path, results: Path) -> Path:
    """--results may stand before or after the command."""
    return group_results if results == Path(DEFAULT_RESULTS) else results


def _played(results: Path) -> Mapping[str, int]:
    from tongits_harness.results.submitted import matches_played

    return matches_played(results)


def _state(version: "BotVersion") -> str:
    if not version.is_accepted:
        return "not seated"
    return "enabled" if version.disabled_at is None else "disabled"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
