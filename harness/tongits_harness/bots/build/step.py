"""One step of a build: a command in the sandbox, timed, watched, and told about."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import trio

from tongits_harness.bots.build.disk import problem_of, watch_disk
from tongits_harness.bots.build.values import BuildLimits, StepReport
from tongits_harness.bots.process import BotProcess, open_launch
from tongits_harness.bots.sandbox.levels import Launch, Sandbox
from tongits_harness.bots.spawner import Spawner
from tongits_harness.text import safe_text

_MIB = 1 << 20
_LAST_LINES = 40
_LONGEST_LINE = 500
OnOutput = Callable[[str], None]
"""Is told each line a step prints, safe to show."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be run."""

    name: str
    """`fetch` or `build`."""
    argv: tuple[str, ...]
    launch: Launch
    watched: Path
    """Folder on the host whose size is bounded."""


async def run_step(
    step: Step,
    sandbox: Sandbox,
    spawner: Spawner,
    limits: BuildLimits,
    on_output: OnOutput,
) -> StepReport:
    """Runs a step to its end, or ends it when it passes a limit.

    Raises:
        SpawnFailedError: The machine could not start it.
    """
    began = trio.current_time()
    async with open_launch(sandbox, spawner, step.launch) as process:
        for output in (process.stdout, process.stderr):
            output.heard = _Teller(process, limits, on_output).hear
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_disk, step.watched, limits, process.kill)
            with trio.move_on_after(limits.seconds) as in_time:
                await process.exited.wait()
            if in_time.cancelled_caught:
                process.kill(f"it took longer than {limits.seconds:g} s")
                await process.exited.wait()
            nursery.cancel_scope.cancel()
    problem = _problem(step, process, limits)
    problem = problem or await trio.to_thread.run_sync(problem_of, step.watched, limits)
    status = process.exit
    return StepReport(
        step=step.name,
        argv=step.argv,
        status=status.code if status else None,
        seconds=round(trio.current_time() - began, 3),
        problem=problem,
        last_lines=_last_lines(process),
        printed_bytes=process.stdout.total + process.stderr.total,
    )


def _problem(step: Step, process: BotProcess, limits: BuildLimits) -> str:
    status = process.exit
    if process.killed and process.limit_hit == "memory":
        return f"it used more than {limits.memory_mib} MiB of memory"
    if process.killed:
        return process.killed
    if process.ended_by_machine:
        return "the machine ran out of memory"
    if process.limit_hit == "memory" and (status is None or status.code != 0):
        return f"it used more than {limits.memory_mib} MiB of memory"
    if status is None:
        return "its end is not known"
    return "" if status.code == 0 else f"{step.argv[0]} {status.text}"


def _last_lines(process: BotProcess) -> tuple[str, ...]:
    both = [process.stdout.tail(_LAST_LINES), process.stderr.tail(_LAST_LINES)]
    lines = [line for text in both for line in text.splitlines()]
    return tuple(line[:_LONGEST_LINE] for line in lines[-2 * _LAST_LINES :] if line.strip())


@dataclass(slots=True)
class _Teller:
    """Makes lines of one stream, and ends a step that prints without end."""

    process: BotProcess
    limits: BuildLimits
    on_output: OnOutput
    _line: bytes = b""

    def hear(self, data: bytes) -> None:
        """Takes what was read; called from the task that drains, so it never waits."""
        *lines, self._line = (self._line + data).split(b"\n")
        for line in lines:
            self.on_output(safe_text(line[:_LONGEST_LINE]))
        self._line = self._line[:_LONGEST_LINE]
        if self.process.stdout.total + self.process.stderr.total > self.limits.output_mib * _MIB:
            self.process.kill(f"it printed more than {self.limits.output_mib} MiB")
