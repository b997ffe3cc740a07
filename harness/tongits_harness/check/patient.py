"""What the steps of a check work on: the bot, its lane, and what was learnt so far."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.output import RATE_BYTES_PER_S
from tongits_harness.bots.staging import StagedBot
from tongits_harness.check.asking import Asker
from tongits_harness.check.evidence import fault_cure, fault_lines, fault_summary
from tongits_harness.check.floor import Ended, Floor
from tongits_harness.check.options import CheckOptions
from tongits_harness.check.questions import Question
from tongits_harness.check.report import Step, Verdict
from tongits_harness.check.shown import observation_text, saved_line
from tongits_harness.faults import Fault

TITLES: Mapping[int, str] = {
    1: "manifest",
    2: "files",
    3: "build",
    4: "start",
    5: "first calls",
    6: "legal play",
    7: "hard positions",
    8: "restart",
    9: "time",
    10: "chance",
    11: "end",
    12: "output",
    13: "resources",
}
"""The steps by number."""


_PRINT_LESS = "print less: a stream is read at 1 MiB a second, and the bot prints more than that"


@dataclass(slots=True, eq=False)
class Patient:
    """A bot under examination."""

    bot: Bot
    staged: StagedBot
    floor: Floor
    options: CheckOptions
    asker: Asker
    capacity: int = 1
    """Games its process holds at once, as agreed in the handshake."""
    decisions: int = 0
    """Decisions asked of it in all."""
    wrong: list[Question] = field(default_factory=list)
    """Questions it failed at."""

    @property
    def processes(self) -> list[Ended]:
        """Its ended processes, of the copies too."""
        return [e for e in self.floor.ended if e.incarnation.staged is self.staged]

    def command(self, number: int, *words: str) -> str:
        """The command that takes this step alone."""
        bot = self.options.word or str(self.bot.reference)
        return shlex.join(["tongits", "check", bot, "--only", str(number), *words])

    def failed(
        self,
        number: int,
        fault: Fault,
        *,
        summary: str = "",
        where: str = "",
        question: Question | None = None,
        facts: Mapping[str, object] | None = None,
        more: tuple[str, ...] = (),
    ) -> Step:
        """A step that failed by a fault."""
        flood = self._flood()
        asked = ""
        if question is not None:
            self.wrong.append(question)
            asked = observation_text(question.ask.view)
        return Step(
            number,
            TITLES[number],
            Verdict.FAIL,
            summary or fault_summary(fault),
            (*fault_lines(fault, where=where, asked=asked), *flood, *more),
            f"{_PRINT_LESS}, so it waits" if flood else fault_cure(fault),
            self.command(number, *(("--save", "wrong.jsonl") if question else ())),
            facts or {},
        )

    def _flood(self) -> tuple[str, ...]:
        """What its live process has printed, if that is enough to hold it up."""
        now = self.asker.lane.now
        if now is None or now.process is None:
            return ()
        printed = max(now.process.stdout.total, now.process.stderr.total)
        if printed < RATE_BYTES_PER_S:
            return ()
        return (f"printed: {printed >> 10} KiB on one stream by this process",)

    def saved(self) -> tuple[Mapping[str, object], ...]:
        """What it failed at, as lines of a corpus."""
        return tuple(saved_line(one, self.options.limits.decision_us) for one in self.wrong)


def passed(number: int, summary: str, **facts: object) -> Step:
    """A step without anything to mend."""
    return Step(number, TITLES[number], Verdict.OK, summary, facts=facts)


def left_out(number: int, why: str, **facts: object) -> Step:
    """A step that was not taken."""
    return Step(number, TITLES[number], Verdict.SKIP, why, facts=facts)
