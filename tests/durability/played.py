"""Tournaments really played, without processes: players answer at once, or badly on demand."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from tongits_engine import rules_named
from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.plan import MatchPlan, SessionPlan, sessions_of
from tongits_harness.play.schedule import round_robin
from tongits_harness.play.session import SessionSetup, play_session
from tongits_harness.protocol.decisions import Ask, Chosen, Failed, GameEnded, Reply
from tongits_harness.results.match_result import settle_sessions
from tongits_harness.results.records import SessionRecord, TournamentRecord
from tongits_harness.results.secret import commit_secret, tournament_seed
from tongits_harness.results.store import open_store
from tongits_harness.results.suspension import SuspensionFold

from tests.harness.results.builders import SECRET, tournament

NAMES = ("ana", "ben", "cy", "dee")
LITE = rules_named("tongits-lite")
LIMITS = PlayLimits(bank_s=0.05)
Player = Callable[[Ask, random.Random], Reply]
"""Answers a question, as a bot would."""


def good(ask: Ask, chance: random.Random) -> Reply:
    """Any legal action, thought about for a while, sometimes with a note."""
    note = "a plan" if chance.random() < 0.05 else ""
    return Chosen(chance.choice(ask.legal), chance.randrange(300), note)


def clumsy(ask: Ask, chance: random.Random) -> Reply:
    """Now and then illegal, late, or gone for good."""
    fate = chance.random()
    if fate > 0.06:
        return good(ask, chance)
    kind = FaultKind.ILLEGAL_ACTION if fate > 0.02 else FaultKind.TIMEOUT
    if fate < 0.005:
        kind = FaultKind.CRASH
    request = b"around it " + ask.view + b" and after"
    fault = Fault(kind, Blame.BOT, Phase.DECISION, "made up", {"limit_ms": 7.5})
    lost = kind is FaultKind.CRASH
    return Failed(fault, 0 if lost else 200, process_lost=lost, request=request)


def dreamy(ask: Ask, chance: random.Random) -> Reply:
    """Uses up its time bank."""
    return replace(good(ask, chance), elapsed_us=4_000)


def falling(ask: Ask, _chance: random.Random) -> Reply:
    """Crashes at its first question, always."""
    fault = Fault(FaultKind.CRASH, Blame.BOT, Phase.DECISION, "the process ended")
    return Failed(fault, 0, process_lost=True, request=ask.view)


PLAYERS: dict[str, Player] = {"ana": good, "ben": clumsy, "cy": dreamy, "dee": good}


def cup(
    *, rounds: int = 2, seatings: int = 3, games: int = 2, rules: str = "tongits-lite"
) -> TournamentRecord:
    """The tournament, as it is stored when it begins."""
    limits = {"start_s": 10.0, "decision_s": 1.0, "bank_s": LIMITS.bank_s, "faults": 3}
    made = tournament("cup", NAMES, seatings=seatings, matches=4 * rounds)
    settings = {"seatings": seatings, "games": games, "rounds": rounds, "limits": limits}
    parameters = dict(rules_named(rules).parameters())
    return replace(made, rules=rules, parameters=parameters, settings=settings)


def seed_of(record: TournamentRecord) -> bytes:
    return tournament_seed(SECRET, [entrant.version for entrant in record.entrants])


def played_session(
    setup: SessionSetup, players: dict[str, Player], chance: random.Random
) -> SessionRecord:
    """One session to its end, seated by processes that live for it alone."""
    plan = setup.plan
    play = play_session(setup)
    reply: Reply | None = None
    try:
        while True:
            effect = play.send(reply)
            if isinstance(effect, GameEnded):
                reply = None
            else:
                reply = players[plan.seats[effect.seat]](effect, chance)
    except StopIteration as stop:
        outcome = stop.value
    seats = tuple(
        replace(seat, incarnations=(incarnation_of(plan, seat.entrant),)) for seat in outcome.seats
    )
    return SessionRecord(
        plan=plan, games=outcome.games, seats=seats, faults=outcome.faults, voids=0,
        sandbox="full", started_at=1.0, finished_at=2.0,
    )  # fmt: skip


def incarnation_of(plan: SessionPlan, entrant: str) -> str:
    """One process for each entrant and seating, as long as nothing goes wrong."""
    return f"{NAMES.index(entrant):08x}{plan.seating:08x}"


def sessions(
    record: TournamentRecord, players: dict[str, Player] | None = None
) -> Iterator[SessionRecord]:
    """Every session of the tournament, in schedule order; suspended entrants are left out."""
    players, fold, chance = players or PLAYERS, SuspensionFold(), random.Random(7)
    rules = rules_named(record.rules, dict(record.parameters))
    for match in plans(record):
        if not fold.is_barred(match.entrants):
            setups = [
                SessionSetup(plan, rules, seed_of(record), record.settings["games"], LIMITS)
                for plan in sessions_of(match, record.settings["seatings"])
            ]
            played = [played_session(setup, players, chance) for setup in setups]
            fold.add(settle_sessions(played))
            yield from played


def plans(record: TournamentRecord) -> Iterable[MatchPlan]:
    names = [entrant.name for entrant in record.entrants]
    return round_robin(record.name, names, record.settings["rounds"])


def make_results(
    results: Path, record: TournamentRecord, played: Iterable[SessionRecord], *, finish: bool = True
) -> None:
    """Stores them as a run does."""
    commit_secret(results, record.name, SECRET)
    with open_store(results, create=True) as store:
        store.create_tournament(record)
        for session in played:
            store.add_session(record.name, session)
        if finish:
            store.finish_tournament(record.name, SECRET.hex())
