"""A whole tournament: sandboxed Python bots, real gRPC, real SQLite, as `tongits run` plays it."""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import trio
from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.config import make_config
from tongits_harness.protocol import link
from tongits_harness.runs import conduct, new_progress, prepare_run
from tongits_harness.samples import DEMO_BOTS


@dataclass(frozen=True)
class TournamentFigures:
    """What one tournament cost."""

    games: int
    decisions: int
    seconds: float
    """By the clock, start of the bots included."""
    harness_us: float
    """CPU microseconds of the harness process per asked decision, everything included."""
    batch: float
    """Mean number of requests in a message."""
    faults: int
    voids: int

    @property
    def decisions_per_s(self) -> float:
        return self.decisions / self.seconds

    @property
    def games_per_s(self) -> float:
        return self.games / self.seconds


def play_tournament(
    bots: tuple[str, ...] = DEMO_BOTS, *, matches: int, rules: str
) -> TournamentFigures:
    """Plays `matches` matches of 6 seatings x 2 games in a fresh results folder."""
    batches: list[int] = []
    send = link.TableLink.send

    def counted(self: link.TableLink, message: bytes, asked: int) -> None:
        if asked:
            batches.append(asked)
        send(self, message, asked)

    link.TableLink.send = counted  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory(prefix="tgt-bench-") as folder:
            data = {
                "matches": matches,
                "rules": {"name": rules},
                "entrants": [{"bot": bot} for bot in bots],
            }
            config = make_config(data, origin="benchmark")
            run = prepare_run(config, base=Path(), results=Path(folder))
            progress = new_progress(run)
            start, cpu = time.perf_counter(), time.process_time()
            trio.run(conduct, run, open_sandbox("auto"), progress, trio.Event())
            seconds, used = time.perf_counter() - start, time.process_time() - cpu
    finally:
        link.TableLink.send = send  # type: ignore[method-assign]
    return TournamentFigures(
        games=progress.games,
        decisions=progress.decisions,
        seconds=seconds,
        harness_us=used / progress.decisions * 1e6,
        batch=sum(batches) / len(batches),
        faults=sum(progress.faults.values()),
        voids=progress.voids,
    )
