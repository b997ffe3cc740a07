"""What is measured: time (9), chance that repeats itself (10), output (12), resources (13)."""

import statistics
from collections.abc import Sequence

import trio
from tongits_engine import rules_named

from tongits_harness.bots.output import HEAD_BYTES, TAIL_BYTES
from tongits_harness.check.asking import Answered
from tongits_harness.check.patient import TITLES, Patient, left_out, passed
from tongits_harness.check.questions import Question, chooser, session
from tongits_harness.check.report import Step, Verdict
from tongits_harness.check.shown import observation_text
from tongits_harness.faults import FaultKind
from tongits_harness.protocol.decisions import Chosen, Failed, Reply

_AT_ONCE = 64
_ALONE = 4
_NEAR_SHARE = 0.5
"""Of a limit: above it a busier machine, or a longer game, will make the bot pass the limit."""
_KEPT_BYTES = HEAD_BYTES + TAIL_BYTES
_MEMORY_SHARE = 0.8
_OFFSET = 1000
"""Shuffles of one step are not those of another."""


async def check_time(patient: Patient) -> Step:
    """Step 9: one game at a time, then many at once."""
    alone: list[Answered] = []
    many: list[Answered] = []
    at_once = min(_AT_ONCE, patient.capacity)
    with trio.move_on_after(patient.options.patience_s):
        for number in range(_ALONE):
            alone += await _game(patient, number)
        await _play_many(patient, at_once, many)
    answered = [*alone, *many]
    if failed := next((one for one in answered if isinstance(one.reply, Failed)), None):
        return _timed_out(patient, failed)
    if not answered:
        return left_out(9, "no decision was asked")
    return _judge_time(patient, alone, many, at_once)


async def _game(patient: Patient, number: int) -> list[Answered]:
    names = patient.options.rules
    rules = rules_named(names[number % len(names)])
    key = f"time {_OFFSET + number}"
    found = await patient.asker.play(
        session(rules, key, limits=patient.options.limits),
        number % 3,
        chooser(key, "meld"),
        where=f"{rules.name}, game {number} of this step",
    )
    patient.decisions += len(found)
    return found


async def _play_many(patient: Patient, at_once: int, found: list[Answered]) -> None:
    async def one(number: int) -> None:
        found.extend(await _game(patient, number))

    async with trio.open_nursery() as nursery:
        for number in range(_ALONE, _ALONE + at_once):
            nursery.start_soon(one, number)


def _timed_out(patient: Patient, one: Answered) -> Step:
    if not isinstance(one.reply, Failed):
        raise TypeError("only a failed answer makes a failed step")
    if one.reply.fault.kind is FaultKind.HARNESS:
        cure = "run the check again while the machine is less busy"
        return Step(9, TITLES[9], Verdict.WARN, one.reply.fault.message, (), cure)
    return patient.failed(9, one.reply.fault, where=one.where, question=one.question)


def _judge_time(
    patient: Patient, alone: Sequence[Answered], many: Sequence[Answered], at_once: int
) -> Step:
    limits = patient.options.limits
    limit_ms = limits.decision_s * 1e3
    single, crowded = _figures(alone), _figures(many)
    facts: dict[str, object] = {
        "limit_ms": limit_ms,
        "one_game": single,
        "at_once": at_once,
        "many_games": crowded,
    }
    summary = f"one game: {_text(single)}"
    if crowded:
        summary += f"; {at_once} at once: {_text(crowded)}; {limit_ms:.0f} ms allowed"
    worst = max(single.get("max_ms", 0), crowded.get("max_ms", 0))
    again = patient.command(9)
    if worst > limit_ms * _NEAR_SHARE:
        cure = (
            f"its longest decision took {worst:.0f} of {limit_ms:.0f} ms: think less, or stop "
            "thinking when the time that is left runs out"
        )
        return Step(9, TITLES[9], Verdict.WARN, summary, (), cure, again, facts)
    # A session has some 30 decisions a seat for each of two games.
    bank_s = 60 * max(single.get("mean_ms", 0), crowded.get("mean_ms", 0)) / 1e3
    if bank_s > limits.bank_s * _NEAR_SHARE:
        cure = (
            f"a session of two games takes some {bank_s:.0f} s of {limits.bank_s:g} s: think less"
        )
        return Step(9, TITLES[9], Verdict.WARN, summary, (), cure, again, facts)
    if not crowded:
        cure = "it is slow to play: think less on each decision"
        return Step(9, TITLES[9], Verdict.WARN, summary, (), cure, again, facts)
    return passed(9, summary, **facts)


def _figures(answered: Sequence[Answered]) -> dict[str, float]:
    times = sorted(one.reply.elapsed_us / 1e3 for one in answered)
    if not times:
        return {}
    return {
        "decisions": len(times),
        "mean_ms": round(statistics.fmean(times), 3),
        "p50_ms": round(times[len(times) // 2], 3),
        "p99_ms": round(times[min(len(times) - 1, len(times) * 99 // 100)], 3),
        "max_ms": round(times[-1], 3),
    }


def _text(figures: dict[str, float]) -> str:
    if not figures:
        return "no decision"
    p50, p99, longest = (_ms(figures[key]) for key in ("p50_ms", "p99_ms", "max_ms"))
    return f"p50 {p50}, p99 {p99}, max {longest} ms"


def _ms(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


async def check_chance(patient: Patient, answers: Sequence[tuple[Question, Reply]]) -> Step:
    """Step 10: a new process is asked the same, in another order. Only a hint."""
    before = [(one, reply) for one, reply in answers if isinstance(reply, Chosen)]
    if not before:
        return left_out(10, "nothing was answered that could be compared")
    await patient.floor.retire(patient.asker.lane, "the check asks a new process the same")
    until, compared = trio.current_time() + patient.options.patience_s, 0
    for one, reply in reversed(before):
        if trio.current_time() > until:
            break
        compared += 1
        now = await patient.asker.ask_once(one)
        patient.decisions += 1
        if isinstance(now, Failed):
            where = f"{one.name}, asked of a new process in another order"
            return patient.failed(10, now.fault, where=where, question=one)
        if now.action != reply.action:
            summary = (
                f"not the same: '{reply.action.text}' at first, '{now.action.text}' in a new "
                "process"
            )
            cure = (
                "take all chance from bot_seed (in Python `view.rng`) and keep nothing from game "
                "to game: then a game plays alike after a restart, and you can replay a fault"
            )
            lines = (f"where: {one.name}", f"asked: {observation_text(one.ask.view)}")
            again = patient.command(10)
            return Step(10, TITLES[10], Verdict.WARN, summary, lines, cure, again)
    return passed(10, f"{compared} observations answered alike by two processes")


def check_output(patient: Patient) -> Step:
    """Step 12: what all its processes printed."""
    out = sum(ended.printed[0] for ended in patient.processes)
    err = sum(ended.printed[1] for ended in patient.processes)
    largest = max((max(ended.printed) for ended in patient.processes), default=0)
    count = len(patient.processes)
    summary = f"{_kib(out)} on stdout, {_kib(err)} on stderr from {count} processes"
    facts = {"stdout_bytes": out, "stderr_bytes": err, "decisions": patient.decisions}
    if largest > _KEPT_BYTES:
        cure = (
            "print less: only the first 64 KiB and the last 16 KiB of a stream are kept for you, "
            "and more than 1 MiB a second makes the bot wait"
        )
        what = f"{summary}; one stream had {_kib(largest)}"
        return Step(12, TITLES[12], Verdict.WARN, what, (), cure, patient.command(12), facts)
    return passed(12, summary, **facts)


def check_resources(patient: Patient) -> Step:
    """Step 13: the most memory one of its processes had in use, and processes it was refused."""
    asked = patient.bot.manifest.memory or patient.options.process_limits.memory_mib
    limit = min(asked, patient.options.process_limits.memory_mib)
    counted = [ended.memory_peak_kib for ended in patient.processes]
    peaks = [peak for peak in counted if peak is not None] or [patient.floor.rss_kib]
    peak = max(peaks, default=0) / 1024
    if not peak:
        return left_out(13, "this machine does not count it")
    summary = f"peak {peak:.0f} MiB of {limit} MiB"
    facts = {"peak_mib": round(peak, 1), "limit_mib": limit}
    if refused := sum(ended.refused_processes for ended in patient.processes):
        allowed = patient.options.process_limits.processes
        what = f"{summary}; a new process or thread was refused {refused} times"
        cure = f"start fewer: {allowed} processes and threads together are allowed"
        return Step(13, TITLES[13], Verdict.WARN, what, (), cure, patient.command(13), facts)
    if peak > limit * _MEMORY_SHARE:
        cure = "use less, or ask for more with `memory` in bot.toml (MiB)"
        return Step(13, TITLES[13], Verdict.WARN, summary, (), cure, patient.command(13), facts)
    return passed(13, summary, **facts)


def _kib(count: int) -> str:
    return f"{count} bytes" if count < 10_000 else f"{count / 1024:.0f} KiB"
