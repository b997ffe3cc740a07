"""`tongits status`: how far a tournament is, and what went wrong so far."""

import base64
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import (
    DEFAULT_RESULTS,
    json_option,
    results_option,
    tournament_option,
)

if TYPE_CHECKING:
    from tongits_harness.results.figures import FaultSummary, Progress
    from tongits_harness.results.records import TournamentRecord


_SHORT = 60
"""Characters of a value that is shown among others on a line."""
_LAST_LINES = 5
"""Lines shown of what a bot printed last; all that is kept is in `--json`."""


@dataclass(frozen=True, slots=True)
class _Status:
    results: Path
    record: "TournamentRecord"
    progress: "Progress"
    counted: int
    faults: tuple["FaultSummary", ...]
    suspended: Mapping[str, int]
    running: str | None
    """Who holds the lock of the results folder."""
    resume: str | None
    """The command that goes on."""


@click.command()
@json_option
@results_option
@tournament_option
def status(as_json: bool, results: Path, tournament: str | None) -> None:
    """Show how far a tournament is.

    With faults by bot and kind (the latest of each as evidence), suspended bots, and the command
    that goes on with an unfinished tournament.
    """
    from tongits_harness.cli import render

    current = _read(results, tournament)
    if as_json:
        render.print_json(_document(current))
    else:
        for line in _lines(current):
            click.echo(render.printable(line))


def resume_command(results: Path, tournament: str) -> str:
    """What to type to go on with a tournament."""
    command = ["tongits", "resume", "--tournament", tournament]
    if results != Path(DEFAULT_RESULTS):
        command += ["--results", str(results)]
    return shlex.join(command)


def _read(results: Path, tournament: str | None) -> _Status:
    from tongits_harness.results.lock import holder
    from tongits_harness.results.queries import open_reader

    with open_reader(results) as reader:
        record = reader.tournament(tournament)
        progress = reader.progress(record.name)
        standing = reader.standing(record)
        faults = reader.fault_summaries(record.name)
    running = holder(results) if progress.finished_at is None else None
    unfinished = progress.finished_at is None and running is None
    return _Status(
        results=results,
        record=record,
        progress=progress,
        counted=standing.matches,
        faults=faults,
        suspended=standing.suspended,
        running=running,
        resume=resume_command(results, record.name) if unfinished else None,
    )


def _document(status: _Status) -> dict[str, object]:
    from tongits_harness.play.formats import stored_format

    progress = status.progress
    return {
        "tournament": status.record.name,
        "rules": status.record.rules,
        "entrants": [entrant.name for entrant in status.record.entrants],
        "created_at": status.record.created_at,
        "finished_at": progress.finished_at,
        "commitment": status.record.commitment,
        "secret": progress.secret,
        "sessions": {"played": progress.sessions, "planned": progress.sessions_planned},
        "matches": {
            "played": progress.matches,
            "planned": progress.matches_planned,
            "counted": status.counted,
        },
        "voids": progress.voids,
        "faults": [_fault_document(status, fault) for fault in status.faults],
        "suspended": [
            {"entrant": name, "after_match": index} for name, index in status.suspended.items()
        ],
        "running": status.running,
        "resume": status.resume,
        "format": stored_format(status.record.settings).text,
        "ended": progress.ended or None,
    }


def _fault_document(status: _Status, fault: "FaultSummary") -> dict[str, object]:
    return {
        "entrant": fault.entrant,
        "kind": fault.kind,
        "phase": fault.phase,
        "charged": fault.charged,
        "count": fault.count,
        "latest": {
            "match": fault.match_key,
            "index": fault.match_index,
            "seating": fault.seating,
            "seat": fault.seat,
            "game": fault.game,
            "step": fault.step,
            "message": fault.message,
            "evidence": dict(fault.evidence),
            "request": base64.b64encode(fault.request).decode() or None,
            "asked": _asked(fault),
            "reproduce": _reproduce(status, fault),
        },
    }


def _asked(fault: "FaultSummary") -> str | None:
    from tongits_harness.protocol.asked import asked_text

    return asked_text(fault.request) if fault.request else None


def _reproduce(status: _Status, fault: "FaultSummary") -> str:
    """The command that sends the same observations to the bot again, on this machine."""
    from tongits_harness.views.again import again_words

    sources = {entrant.name: entrant.source for entrant in status.record.entrants}
    words = again_words(
        status.record.name, fault.match_key, fault.seating, fault.seat, sources[fault.entrant]
    )
    if status.results != Path(DEFAULT_RESULTS):
        words += ["--results", str(status.results)]
    return shlex.join(words)


def _lines(status: _Status) -> Iterator[str]:
    from tongits_harness.play.formats import stored_format

    record, progress = status.record, status.progress
    yield f"{record.name} · {record.rules} · begun {_time(record.created_at)}"
    yield f"format {stored_format(record.settings).text}"
    yield f"sessions {progress.sessions} of {progress.sessions_planned}"
    yield (
        f"matches {progress.matches} of {progress.matches_planned} complete, {status.counted} count"
    )
    yield f"voided and replayed for trouble of the harness: {progress.voids}"
    for name, index in status.suspended.items():
        yield f"suspended: {name} after match {index} (process lost three times running)"
    if not status.faults:
        yield "faults: none"
    for fault in status.faults:
        charged = "" if fault.charged else " (not charged)"
        yield f"faults: {fault.entrant} {fault.count} {fault.kind} in {fault.phase}{charged}"
        yield f"    latest in match #{fault.match_index} seating {fault.seating}: {fault.message}"
        yield from (f"    {line}" for line in evidence_lines(fault.evidence))
        if asked := _asked(fault):
            yield f"    asked: {asked}"
        yield f"    ask it again: {_reproduce(status, fault)}"
    if progress.ended:
        yield f"ended: {progress.ended}"
    if progress.finished_at is not None:
        yield f"finished {_time(progress.finished_at)}; secret {progress.secret}"
    elif status.running:
        yield f"a run is going on: {status.running}"
    else:
        yield f"unfinished; go on with: {status.resume}"


def evidence_lines(evidence: Mapping[str, object]) -> Iterator[str]:
    """The evidence of a fault: its process and how that ended, short values, its last words."""
    if argv := evidence.get("argv"):
        words = shlex.join(map(str, argv)) if isinstance(argv, list) else str(argv)
        yield f"argv: {words}; exit: {evidence.get('exit')}"
    parts = [
        f"{key} {value}"
        for key, value in sorted(evidence.items())
        if isinstance(value, int | float) or (isinstance(value, str) and 0 < len(value) <= _SHORT)
        if key not in {"stderr", "stdout"} and not (argv and key == "exit")
    ]
    if parts:
        yield " · ".join(parts)
    for stream in ("stderr", "stdout"):
        words = str(evidence.get(stream) or "").strip()
        for line in words.splitlines()[-_LAST_LINES:]:
            yield f"{stream}: {line[:200]}"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
