"""Seats an attacker beside two honest bots and plays a tournament, as `tongits run` does."""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.config import make_config
from tongits_harness.errors import BotError
from tongits_harness.results.match_result import MatchResult
from tongits_harness.results.queries import open_reader
from tongits_harness.results.records import FaultRecord, SessionRecord, TournamentRecord
from tongits_harness.runs import conduct, new_progress, prepare_run

from tests.attacks.table import Attack

CHECKOUT = Path(__file__).resolve().parents[2]
SAMPLES = CHECKOUT / "sample_bots" / "python"
BAD = CHECKOUT / "sample_bots" / "bad"
HONEST = ("greedy", "random")
SEED = "5eed" * 16
MATCHES = 2
LIMITS = {
    "start_s": 5.0, "decision_s": 0.6, "faults": 0, "memory_mib": 256, "processes": 64,
    "tmp_mib": 16,
}  # fmt: skip
LONGEST_S = 120


@dataclass(frozen=True)
class Played:
    """What came of a tournament."""

    record: TournamentRecord | None = None
    sessions: tuple[SessionRecord, ...] = ()
    matches: tuple[MatchResult, ...] = ()
    secret: bytes = b""
    refusal: BotError | None = None

    @property
    def faults(self) -> list[FaultRecord]:
        return [fault for session in self.sessions for fault in session.faults]

    @property
    def told(self) -> dict[str, object]:
        """What the attacker's notes say: data, never trusted for blame."""
        told: dict[str, object] = {}
        for session in self.sessions:
            for game in session.games:
                for note in game.notes.values():
                    try:
                        told |= json.loads(note)
                    except (ValueError, TypeError):
                        continue
        return told


@dataclass
class Ring:
    """Where attackers are prepared and tournaments are played."""

    work: Path
    sandbox: Sandbox
    targets: dict[str, object] = field(default_factory=dict)

    def prepare(self, attack: Attack) -> Path:
        """A copy of the attacker that knows its targets, with the wanted argument, built."""
        folder = self.work / attack.id
        shutil.copytree(BAD / attack.bot, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "targets.json").write_text(json.dumps(self.targets))
        manifest = folder / "bot.toml"
        if attack.way:
            argv = tomllib.loads(manifest.read_text())["run"]
            argv = [*argv[:2], attack.way]
            text = re.sub(r"(?m)^run = .*$", f"run = {json.dumps(argv)}", manifest.read_text())
            manifest.write_text(text)
        for source in folder.glob("*.c"):
            compiler = str(shutil.which("cc"))
            subprocess.run([compiler, "-O1", "-o", source.with_suffix(""), source], check=True)
        return folder

    def play(
        self,
        attack: Attack,
        folder: Path | None = None,
        honest: Sequence[Path] = tuple(SAMPLES / name for name in HONEST),
        matches: int = MATCHES,
    ) -> Played:
        """Some matches of one attacker (or the bot in `folder`) and two honest bots."""
        entrants = [{"bot": str(folder or self.prepare(attack)), "name": "attacker"}]
        entrants += [{"bot": str(bot)} for bot in honest]
        settings = {
            "name": "attack",
            "seed": SEED,
            "matches": matches,
            "games": attack.games,
            "seatings": attack.seatings,
            "limits": {**LIMITS, **attack.limits},
            "machine": {"tables": 1},
            "entrants": entrants,
        }
        results = self.work / f"{attack.id}.results"
        results.mkdir(parents=True)
        prepared = prepare_run(make_config(settings, origin="test"), base=Path(), results=results)

        async def main() -> None:
            with trio.fail_after(LONGEST_S):
                await conduct(prepared, self.sandbox, new_progress(prepared), trio.Event())

        try:
            trio.run(main)
        except BaseExceptionGroup as group:
            if (refusal := _first(group)) is None:
                raise
            return Played(refusal=refusal)
        with open_reader(results) as reader:
            record = reader.tournament(None)
            return Played(
                record,
                tuple(
                    session
                    for index in range(matches)
                    for session in reader.sessions(record.name, index)
                ),
                tuple(reader.matches(record.name)),
                bytes.fromhex(reader.progress(record.name).secret or ""),
            )


def _first(error: BaseException) -> BotError | None:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error if isinstance(error, BotError) else None
