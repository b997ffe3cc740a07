"""Steps about a process's life: start and handshake, first calls, restart, end of the stream."""

from collections.abc import Callable

from tongits_engine import rules_named

from tongits_harness.check.asking import Answered
from tongits_harness.check.evidence import process_lines
from tongits_harness.check.patient import TITLES, Patient, left_out, passed
from tongits_harness.check.questions import chooser, session
from tongits_harness.check.report import Step, Verdict
from tongits_harness.faults import Phase
from tongits_harness.play.incarnation import evidence
from tongits_harness.play.lane import StartReport
from tongits_harness.protocol.conversation import Conversation
from tongits_harness.protocol.decisions import Failed

_SLOW_SHARE = 0.5
"""Of a limit: above it a busier machine will make the bot pass the limit."""
_KILLED_AT = frozenset({2, 5})
"""Numbers of the bot's decisions during which its process is killed."""
FAREWELL_S = 5.0
"""How long it may take to end by itself once its stream has ended."""


def check_start(patient: Patient, report: StartReport, talk: Conversation | None) -> Step:
    """Step 4: from the spawn to an accepted Hello."""
    fault = report.fault
    limit_s = patient.options.limits.start_s
    if fault is not None and fault.phase is not Phase.WARM_UP:
        return patient.failed(4, fault, where="before the first game")
    if talk is None:  # it greeted and was lost in the warm-up, which is the next step
        return passed(4, "it sent a valid Hello")
    seconds = (talk.greeted_ns - talk.opened_ns) / 1e9
    hello, asked = talk.hello, patient.bot.manifest.concurrent_games
    sdk = hello.sdk[:64] or "an SDK without a name"
    summary = f"Hello after {seconds:.2f} s of {limit_s:g} s, by {sdk}; {patient.capacity} games"
    facts = {
        "hello_s": round(seconds, 3),
        "limit_s": limit_s,
        "sdk": sdk,
        "concurrent_games": patient.capacity,
        "protocol_version": hello.protocol_version,
    }
    if seconds > limit_s * _SLOW_SHARE:
        cure = "load less before Hello: a busier machine makes it too late"
        return Step(4, TITLES[4], Verdict.WARN, summary, (), cure, patient.command(4), facts)
    if max(1, hello.concurrent_games) < asked:
        what = f"{summary} (bot.toml says {asked}, Hello {hello.concurrent_games})"
        cure = "say the same in both: the smaller one counts, and few games make slow tournaments"
        return Step(4, TITLES[4], Verdict.WARN, what, (), cure, patient.command(4), facts)
    return passed(4, summary, **facts)


def check_first_calls(patient: Patient, report: StartReport, talk: Conversation | None) -> Step:
    """Step 5: the uncharged questions after the Welcome."""
    if report.fault is not None or talk is None:
        fault = report.fault
        if fault is None:
            return left_out(5, "no process is left to look at")
        return patient.failed(5, fault, where="a first question after the Welcome, not charged")
    seconds = (talk.ready_ns - talk.greeted_ns) / 1e9
    limit_s = patient.options.limits.start_s
    count = len(talk.terms.warm_up_for(talk.hello))
    summary = f"{count} questions answered in {seconds * 1e3:.0f} ms"
    facts = {"warm_up_ms": round(seconds * 1e3, 1), "questions": count}
    if seconds > limit_s * _SLOW_SHARE:
        cure = f"it has to be ready within {limit_s:g} s of its start: load less, or earlier"
        return Step(5, TITLES[5], Verdict.WARN, summary, (), cure, patient.command(5), facts)
    return passed(5, summary, **facts)


async def check_restart(patient: Patient) -> Step:
    """Step 8: its process is killed while it thinks; a new one has to go on with the game."""
    lane, rules = patient.asker.lane, rules_named(patient.options.rules[0])
    killed: list[int] = []

    def before(number: int) -> Callable[[], None]:
        def kill() -> None:
            killed.append(number)
            lane.restart("the check kills it in the middle of a game")

        return kill if number in _KILLED_AT else lambda: None

    found: list[Answered] = []
    for game in range(4):
        setup = session(rules, f"restart {game}", limits=patient.options.limits)
        choose = chooser(f"restart {game}", "hoard")
        found = await patient.asker.play(
            setup, game % 3, choose, where=f"{rules.name}, game {game} of this step", before=before
        )
        patient.decisions += len(found)
        if killed or any(isinstance(one.reply, Failed) for one in found):
            break
    last = found[-1] if found else None
    if last is not None and isinstance(last.reply, Failed):
        return _restart_failed(patient, last, killed)
    if not killed:
        return left_out(8, "no game was long enough to be interrupted")
    return passed(
        8,
        f"killed {_times(len(killed))} in mid-game: new processes went on "
        f"(GameStarted.resumed) for {len(found)} decisions",
        killed=len(killed),
    )


def _restart_failed(patient: Patient, last: Answered, killed: list[int]) -> Step:
    if not isinstance(last.reply, Failed):
        raise TypeError("only a failed answer makes a failed step")
    fault = last.reply.fault
    how = "a game that went on in a new process (GameStarted.resumed, with its history)"
    where = f"{last.where}, {how if killed else 'before anything was killed'}"
    step = patient.failed(8, fault, where=where, question=last.question)
    if not killed:
        return step
    cure = (
        "a new process is told of a game with `resumed` and its whole history: do not count on "
        f"having seen its beginning; {step.cure}"
    )
    return Step(8, step.title, step.verdict, step.summary, step.evidence, cure, step.again)


async def check_end(patient: Patient) -> Step:
    """Step 11: the stream ends; the process has to end by itself, with status 0."""
    lane, floor = patient.asker.lane, patient.floor
    await lane.start()
    before = len(floor.ended)
    await floor.retire(lane, "the check has ended its stream", farewell_s=FAREWELL_S)
    ended = [e for e in floor.ended[before:] if e.incarnation.staged is patient.staged]
    process = ended[-1].incarnation.process if ended else None
    if process is None or process.exit is None:
        return left_out(11, "its process had ended before")
    facts = {"exit": process.exit.text}
    again = patient.command(11)
    if process.killed is not None:
        summary = f"still running {FAREWELL_S:g} s after its stream had ended"
        cure = "leave the loop over the stream when it ends and exit (no thread may stay behind)"
        return Step(11, TITLES[11], Verdict.WARN, summary, (), cure, again, facts)
    if process.exit.code != 0:
        summary = f"{process.exit.text} when its stream ended; status 0 is expected"
        lines = process_lines(evidence(process))
        cure = "the end of the stream is a normal end, not an error: catch it and exit with 0"
        return Step(11, TITLES[11], Verdict.WARN, summary, lines, cure, again, facts)
    return passed(11, "ended by itself with status 0 when its stream ended", **facts)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
