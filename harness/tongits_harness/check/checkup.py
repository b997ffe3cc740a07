"""The check itself: takes the steps in their order, each only if what it needs has passed."""

import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from tongits_harness.bots.build import BuildServices, needs_build
from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.bots.staging import stage
from tongits_harness.check import figure_steps, folder_steps, play_steps, process_steps
from tongits_harness.check.asking import Asker
from tongits_harness.check.floor import Floor, open_floor
from tongits_harness.check.options import LAST_STEP, CheckOptions
from tongits_harness.check.patient import Patient, left_out
from tongits_harness.check.questions import Question
from tongits_harness.check.report import Report, Step, Verdict
from tongits_harness.protocol.conversation import Conversation
from tongits_harness.protocol.decisions import Reply

NEEDS: Mapping[int, tuple[int, ...]] = {
    2: (1,),
    3: (2,),
    4: (3,),
    5: (4,),
    6: (5,),
    7: (5,),
    8: (5, 6, 7),
    9: (5, 6, 7),
    10: (5, 6, 7),
    11: (5,),
    12: (5,),
    13: (5,),
}
"""Steps that must not have failed before a step is taken."""


async def check_bot(
    path: Path,
    *,
    sandbox: Sandbox,
    options: CheckOptions | None = None,
    tell: Callable[[Step], None] = lambda _step: None,
    note: Callable[[str], None] = lambda _line: None,
    questions: Sequence[Question] = (),
) -> Report:
    """Examines a bot step by step; whatever is wrong with it is a step of the report.

    Args:
        path: Its folder, or its manifest where that has another name.
        sandbox: How it is kept apart.
        options: What to look at.
        tell: Told of each step as it finishes.
        note: Told what takes its time, before it does.
        questions: Asked in step 7 instead of the extreme ones.

    Raises:
        SpawnFailedError: The machine could not start a process.
    """
    options = options or CheckOptions()
    checkup = _Checkup(path, sandbox, options, tell, note, questions)
    return await checkup.run()


@dataclass(slots=True, eq=False)
class _Checkup:
    path: Path
    sandbox: Sandbox
    options: CheckOptions
    tell: Callable[[Step], None]
    note: Callable[[str], None]
    questions: Sequence[Question]
    steps: list[Step] = field(default_factory=list)
    bot: Bot | None = None
    wrong: tuple[Mapping[str, object], ...] = ()
    _answers: list[tuple[Question, Reply]] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)
    _step_began: float = field(default_factory=time.monotonic)

    async def run(self) -> Report:
        self._finish(folder_steps.check_manifest(self.path))
        if not self._is_blocked(2):
            step, self.bot = await trio.to_thread.run_sync(folder_steps.check_files, self.path)
            self._finish(step)
        if self.bot is not None:
            async with open_floor(self.sandbox, self.options) as floor:
                await self._on_floor(self.bot, floor)
        self._skip_the_rest()
        return Report(
            self.bot,
            str(self.path),
            tuple(self.steps),
            str(self.sandbox.level),
            time.monotonic() - self._began,
            self.wrong,
        )

    async def _on_floor(self, bot: Bot, floor: Floor) -> None:
        with _builds(self.options) as builds:
            services = BuildServices(
                self.sandbox,
                floor.services.processes.spawner,
                builds,
                allow_fetch=self.options.allow_fetch,
                allow_unsandboxed=self.options.allow_bare,
            )
            if needs_build(bot):
                self.note(f"{bot.name}: builds, unless it was built before; this can take minutes")
            step, self.bot = await folder_steps.check_build(bot, services, self.options)
            self._finish(step)
            if self._is_blocked(4):
                return
            staged = await trio.to_thread.run_sync(stage, self.bot, floor.folder)
        lane = floor.open_lane(staged, self.bot.manifest.concurrent_games)
        patient = Patient(self.bot, staged, floor, self.options, Asker(lane))
        try:
            await self._examine(patient)
        finally:
            self.wrong = patient.saved()

    async def _examine(self, patient: Patient) -> None:
        report = await patient.asker.lane.start()
        patient.capacity = patient.asker.lane.capacity = report.concurrent_games
        talk = _talk(patient)
        self._finish(process_steps.check_start(patient, report, talk))
        if not self._is_blocked(5):
            self._finish(process_steps.check_first_calls(patient, report, talk))
        await self._take(6, lambda: play_steps.check_legal_play(patient))
        await self._take(7, lambda: self._hard_positions(patient))
        await self._take(8, lambda: process_steps.check_restart(patient))
        await self._take(9, lambda: figure_steps.check_time(patient))
        await self._take(10, lambda: self._chance(patient))
        await self._take(11, lambda: process_steps.check_end(patient))
        # What is counted of a process is known for good when it is gone.
        await patient.floor.retire(patient.asker.lane, "the check is over")
        await self._take(12, lambda: _now(figure_steps.check_output(patient)))
        await self._take(13, lambda: _now(figure_steps.check_resources(patient)))

    async def _hard_positions(self, patient: Patient) -> Step:
        step, self._answers = await play_steps.check_hard_positions(patient, self.questions)
        return step

    async def _chance(self, patient: Patient) -> Step:
        if not self._answers:
            await self._hard_positions(patient)
        return await figure_steps.check_chance(patient, self._answers)

    # --- bookkeeping -----------------------------------------------------------------------------

    async def _take(self, number: int, step: Callable[[], Awaitable[Step]]) -> None:
        if self.options.wants(number) and not self._is_blocked(number):
            self._finish(await step())

    def _finish(self, step: Step) -> None:
        now = time.monotonic()
        step = replace(step, seconds=now - self._step_began)
        self._step_began = now
        self.steps.append(step)
        self.tell(step)

    def _failed(self, number: int) -> bool:
        return any(s.number == number and s.verdict is Verdict.FAIL for s in self.steps)

    def _is_blocked(self, number: int) -> bool:
        return self._blocker(number) is not None

    def _blocker(self, number: int) -> int | None:
        """The step that has to pass before this one can be taken."""
        for needed in NEEDS.get(number, ()):
            if self._failed(needed):
                return needed
            if (deeper := self._blocker(needed)) is not None:
                return deeper
        return None

    def _skip_the_rest(self) -> None:
        taken = {step.number for step in self.steps}
        for number in range(1, LAST_STEP + 1):
            if number not in taken and self.options.wants(number):
                blocker = self._blocker(number)
                if blocker is None:
                    continue
                step = left_out(number, f"step {blocker} has to pass first", waits_for=blocker)
                self.steps.append(step)
                self.tell(step)
        self.steps.sort(key=lambda step: step.number)


def _talk(patient: Patient) -> Conversation | None:
    now = patient.asker.lane.now
    return now.talk if now is not None else None


async def _now(step: Step) -> Step:
    return step


@contextmanager
def _builds(options: CheckOptions) -> Iterator[Path]:
    """Where built bots are kept."""
    if options.builds is not None:
        yield options.builds
        return
    with tempfile.TemporaryDirectory(prefix="tongits-builds-") as folder:
        yield Path(folder)
