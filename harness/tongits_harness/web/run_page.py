"""The page of the run: how far it is, how it goes, what it was begun with."""

import time
from collections.abc import Mapping, Sequence

from tongits_harness.play.formats import stored_format
from tongits_harness.results.figures import FaultSummary
from tongits_harness.views.tables import Column, Table
from tongits_harness.web.arena import Shown
from tongits_harness.web.pages import Page

RATE_OVER_S = 120.0
"""The speed told is that of the latest so many seconds."""
COLUMNS = (
    Column("entrant", "whose faults"),
    Column("kind", "of what kind"),
    Column("phase", "what was going on"),
    Column("charged", "counts against the entrant"),
    Column("count", "how many"),
    Column("message", "the latest of them"),
)


def run_page(
    shown: Shown, faults: Sequence[FaultSummary], finishes: Sequence[float], holder: str | None
) -> Page:
    """How the run goes.

    Args:
        shown: The tournament.
        faults: By entrant and kind.
        finishes: When the latest sessions were finished, seconds since the epoch.
        holder: Who holds the lock of the results folder, if a run is going on.
    """
    progress = shown.progress
    rate = _rate(finishes)
    left = progress.sessions_planned - progress.sessions
    state = "finished" if progress.is_finished else "running" if holder else "stopped"
    table = Table(
        COLUMNS,
        [[f.entrant, f.kind, f.phase, f.charged, f.count, f.message] for f in faults],
    )
    return Page(
        path="run/",
        template="run.html",
        title=f"{shown.record.name}: the run",
        context={
            "shown": shown,
            "state": state,
            "holder": holder,
            "rate": rate if state == "running" else None,
            "eta_s": left / rate if state == "running" and rate else None,
            "faults": faults,
            "suspended": shown.standing.suspended,
            "format": stored_format(shown.record.settings).text,
            "settings": _flat(shown.record.settings),
            "parameters": sorted(shown.record.parameters.items()),
        },
        document={
            "tournament": shown.record.name,
            "state": state,
            "sessions": {"played": progress.sessions, "planned": progress.sessions_planned},
            "matches": {"played": progress.matches, "planned": progress.matches_planned},
            "voids": progress.voids,
            "settings": dict(shown.record.settings),
            "parameters": dict(shown.record.parameters),
            "commitment": shown.record.commitment,
            "secret": progress.secret,
            "created_at": shown.record.created_at,
            "finished_at": progress.finished_at,
            "faults": table.as_json(),
            "suspended": dict(shown.standing.suspended),
            "format": stored_format(shown.record.settings).text,
            "ended": progress.ended or None,
        },
        table=table,
    )


def _rate(finishes: Sequence[float]) -> float | None:
    """Sessions a second of late; None where nothing was finished lately."""
    now = time.time()
    late = [at for at in finishes if now - at <= RATE_OVER_S]
    return len(late) / max(now - min(late), 1.0) if late else None


def _flat(settings: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in sorted(settings.items()):
        if isinstance(value, Mapping):
            found += _flat(value, f"{prefix}{key}.")
        else:
            found.append((f"{prefix}{key}", str(value)))
    return found
