"""Steps 6 and 7: games at tables as in a tournament, and the hardest questions one by one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import trio
from tongits_engine import rules_named

from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.staging import StagedBot, stage
from tongits_harness.check.evidence import fault_summary
from tongits_harness.check.floor import Play, open_play
from tongits_harness.check.patient import TITLES, Patient, passed
from tongits_harness.check.questions import SEED, Question, hard_questions, question
from tongits_harness.check.report import Step, Verdict
from tongits_harness.faults import Fault, FaultKind
from tongits_harness.play.plan import MatchPlan, SessionPlan
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Failed, GameEnded, Reply
from tongits_harness.results.records import FaultRecord, SessionRecord
from tongits_harness.samples import sample_bots
from tongits_harness.verify.replay import StoredAnswers

_GAMES = 2
"""Games of a session: pot and streaks are carried over."""
_TABLES = 32
_ENOUGH_FORFEITS = 2
_ENOUGH_FAULTS = 8
_ENOUGH_WRONG = 3
_BOT, _COPIES = "the bot", ("its first copy", "its second copy")
_SAMPLES = ("greedy", "random")


@dataclass(frozen=True, slots=True)
class _Wrong:
    """A fault of the bot or of a copy, with the session it happened in."""

    record: FaultRecord
    session: SessionRecord
    setup: SessionSetup

    @property
    def where(self) -> str:
        one, plan = self.record, self.session.plan
        others = [name for name in plan.seats if name != one.entrant]
        return (
            f"{plan.match.key}, game {one.game} step {one.step}, "
            f"seat {one.seat}, against {' and '.join(others)}"
        )


async def check_legal_play(patient: Patient) -> Step:
    """Step 6: games against copies of itself and against sample bots, under each of the rules."""
    bots, tables = _seated(patient), min(_TABLES, patient.capacity)
    async with open_play(patient.floor, bots, tables, _is_enough) as play:
        if not play.failed:
            for name in patient.options.rules:
                await play.run(_setups(patient, name), patient.options.patience_s)
    if play.failed:
        return _copies_failed(patient, *next(iter(play.failed.items())))
    return _judge(patient, play)


def _judge(patient: Patient, play: Play) -> Step:
    wrong = _wrong(play)
    games = sum(len(record.games) for record in play.records)
    decisions = sum(
        seat.decisions for r in play.records for seat in r.seats if seat.entrant in _OURS
    )
    patient.decisions += decisions
    wanted = patient.options.games_played * len(patient.options.rules)
    facts: dict[str, object] = {
        "games": games,
        "wanted": wanted,
        "decisions": decisions,
        "voids": play.voids,
        "faults": dict(Counter(str(one.record.fault.kind) for one in wrong)),
    }
    if wrong:
        return _failed(patient, wrong, games, facts)
    rules = " and ".join(patient.options.rules)
    summary = f"{games} games under {rules}, {decisions} decisions, no fault"
    if games < wanted:
        seconds = patient.options.patience_s
        text = f"{games} of {wanted} games were over in time ({seconds:g} s for each of the rules)"
        cure = (
            "it is slow: think less on each decision, or hold more games at once "
            "(concurrent_games in bot.toml and in Hello)"
        )
        return Step(6, TITLES[6], Verdict.WARN, text, (), cure, patient.command(6), facts)
    quits = [ended for ended in patient.processes if ended.by_itself]
    if quits:
        text = f"{summary}, but a process left {len(quits)} times by itself: {quits[0].exit}"
        cure = "stay until the stream ends: a process that leaves between decisions is a risk"
        return Step(6, TITLES[6], Verdict.WARN, text, (), cure, patient.command(6), facts)
    return passed(6, summary, **facts)


_OURS = frozenset((_BOT, *_COPIES))


def _seated(patient: Patient) -> dict[str, StagedBot]:
    folder = patient.floor.folder
    samples = {name: load_bot(sample_bots() / "python" / name) for name in _SAMPLES}
    ours = dict.fromkeys((_BOT, *_COPIES), patient.staged)
    return {**ours, **{name: stage(bot, folder) for name, bot in samples.items()}}


def _setups(patient: Patient, rules: str) -> list[SessionSetup]:
    """Sessions, every other one against the samples, with the bot at each seat in turn."""
    made = []
    left = patient.options.games_played
    for number in range(-(-left // _GAMES)):
        triple = (_BOT, *(_COPIES if number % 2 else _SAMPLES))
        turned = (*triple[number // 2 % 3 :], *triple[: number // 2 % 3])
        seats = turned[0], turned[1], turned[2]
        match = MatchPlan(number, f"{rules}, session {number}", 0, seats)
        games = min(_GAMES, left - number * _GAMES)
        plan = SessionPlan(match, 0, seats)
        made.append(SessionSetup(plan, rules_named(rules), SEED, games, patient.options.limits))
    return made


def _is_enough(records: Sequence[SessionRecord]) -> bool:
    """Whether so much went wrong that more games would show nothing new."""
    ours = [one for record in records for one in record.faults if one.entrant in _OURS]
    forfeits = sum(one.forfeit for one in ours)
    return forfeits >= _ENOUGH_FORFEITS or len(ours) >= _ENOUGH_FAULTS


def _wrong(play: Play) -> list[_Wrong]:
    return [
        _Wrong(one, record, setup)
        for record, setup in zip(play.records, play.setups, strict=True)
        for one in record.faults
        if one.entrant in _OURS
    ]


def _failed(patient: Patient, wrong: list[_Wrong], games: int, facts: dict[str, object]) -> Step:
    """The first fault of each kind in full; the others are counted."""
    kinds = Counter(one.record.fault.kind for one in wrong)
    first = wrong[0]
    others = [
        f"also: {count} x {kind}"
        for kind, count in kinds.items()
        if kind is not first.record.fault.kind
    ]
    count = kinds[first.record.fault.kind]
    of = f"{games} games" if games else "games that were broken off"
    summary = f"{count} x {fault_summary(first.record.fault)} (in {of})"
    return patient.failed(
        6,
        first.record.fault,
        summary=summary,
        where=first.where,
        question=_question(first),
        facts=facts,
        more=tuple(others),
    )


def _question(wrong: _Wrong) -> Question | None:
    """What was asked when it failed, found again by playing the session as it is recorded."""
    answers = StoredAnswers(wrong.session, wrong.setup.limits.bank_us)
    play, reply = play_session(wrong.setup), None
    try:
        while True:
            effect: Ask | GameEnded = play.send(reply)
            if isinstance(effect, GameEnded):
                answers.next_game()
                reply = None
                continue
            reply = answers.to(effect)
            if answers.place == (wrong.record.game, wrong.record.step):
                return question(wrong.where, effect)
    except StopIteration:
        return None
    finally:
        play.close()


def _copies_failed(patient: Patient, name: str, fault: Fault) -> Step:
    summary = f"{name} did not come up beside others: {fault_summary(fault)}"
    return patient.failed(6, fault, summary=summary, where="five processes side by side")


async def check_hard_positions(
    patient: Patient, given: Sequence[Question] = ()
) -> tuple[Step, list[tuple[Question, Reply]]]:
    """Step 7: extreme observations, or those that are given, each in a game of its own."""
    asked = list(given) or hard_questions(patient.options.rules, patient.options.limits)
    answers: list[tuple[Question, Reply]] = []
    wrong: list[tuple[Question, Failed]] = []
    until = trio.current_time() + 2 * patient.options.patience_s
    for one in asked:
        if trio.current_time() > until:
            break
        reply = await patient.asker.ask_once(one)
        patient.decisions += 1
        answers.append((one, reply))
        if isinstance(reply, Failed) and reply.fault.kind is not FaultKind.HARNESS:
            wrong.append((one, reply))
            if len(wrong) >= _ENOUGH_WRONG:
                break
    if not wrong:
        what = "observations of the file" if given else "extreme observations"
        rules = "" if given else f" under {', '.join(patient.options.rules)} and unusual rules"
        if len(answers) < len(asked):
            text = f"no more than {len(answers)} of {len(asked)} {what} were answered in time"
            cure = "think less on each decision"
            return Step(7, TITLES[7], Verdict.WARN, text, (), cure, patient.command(7)), answers
        return passed(7, f"{len(answers)} {what}{rules}: all answered legally"), answers
    one, failed = wrong[0]
    more = tuple(f"also: {other.name}: {it.fault.kind}" for other, it in wrong[1:])
    step = patient.failed(
        7,
        failed.fault,
        summary=f"{one.name}: {fault_summary(failed.fault)}",
        where=one.name,
        question=one,
        facts={"asked": len(answers), "wrong": len(wrong)},
        more=more,
    )
    patient.wrong += [other for other, _ in wrong[1:]]
    return step, answers
