"""A results folder with games that were really played, by bots that take any legal action."""

import hashlib
import random
from dataclasses import replace
from pathlib import Path

from tongits_engine import apply, deal, deck, legal_actions, rules_named, settle
from tongits_harness.faults import FaultKind
from tongits_harness.play.plan import MatchPlan, SessionPlan, sessions_of
from tongits_harness.play.schedule import round_robin
from tongits_harness.results.records import GameRecord, SessionRecord
from tongits_harness.results.secret import commit_secret, tournament_seed
from tongits_harness.results.store import open_store

from tests.harness.results.builders import SECRET, fault, game, match_sessions, session, tournament

NAMES = ("ana", "ben", "cy", "=dee")
CUP = tournament("cup", NAMES, seatings=1, matches=8)
SEED = tournament_seed(SECRET, [entrant.version for entrant in CUP.entrants])
PLANS: tuple[MatchPlan, ...] = tuple(round_robin("cup", NAMES, 2))
FAULTY = next(plan.index for plan in PLANS[1:] if "ben" in plan.entrants)
"""The match in which ben is late once."""


def played_game(key: str, number: int, *, rules: str = "tongits-lite") -> GameRecord:
    """One game at random, from the tournament's own shuffle."""
    chance = random.Random(f"{key}/{number}")
    cards = deck(SEED, key, number)
    state = deal(rules_named(rules), cards, 0)
    actions, sources = [], []
    while not state.is_over:
        legal = legal_actions(state)
        action = chance.choice(legal)
        actions.append(action.text)
        sources.append("f" if len(legal) == 1 else "d")
        state = apply(state, action).state
    result = settle(state)
    return replace(
        game(result.payments),
        deck_digest=hashlib.sha256(cards).hexdigest(),
        actions=tuple(actions),
        sources="".join(sources),
        elapsed_us=tuple(1500 if letter == "d" else 0 for letter in sources),
        notes={0: "I hold \x1b[31mtwo aces", 3: "a plan"},
        termination=result.termination.text,
        winner=result.winner,
        deadwood=result.deadwood,
        burned=result.burned,
    )


def played_session(plan: SessionPlan, *, faulty: str | None = None) -> SessionRecord:
    """A session of two games; the faulty entrant is late once."""
    games = tuple(played_game(plan.match.key, number) for number in (0, 1))
    chips = {name: sum(g.chips[seat] for g in games) for seat, name in enumerate(plan.seats)}
    faults = [fault(plan, faulty, kind=FaultKind.TIMEOUT)] if faulty else []
    made = session(plan, chips, faults=faults)
    return replace(made, games=games)


def make_arena(results: Path, *, matches: int = 8, finish: bool = False) -> None:
    """A tournament "cup" with so many matches of really played games."""
    commit_secret(results, "cup", SECRET)
    with open_store(results, create=True) as store:
        store.create_tournament(CUP)
        for plan in PLANS[:matches]:
            (only,) = sessions_of(plan, 1)
            faulty = "ben" if plan.index == FAULTY else None
            store.add_session("cup", played_session(only, faulty=faulty))
        if finish:
            store.finish_tournament("cup", SECRET.hex())


def make_suspension(results: Path) -> None:
    """A tournament "pot" in which ben's process was lost in three matches running."""
    with open_store(results, create=True) as store:
        store.create_tournament(tournament("pot", ("ana", "ben", "cy"), seatings=1, matches=4))
        for plan in round_robin("pot", ("ana", "ben", "cy"), 4):
            for record in match_sessions(
                plan, (2, -4, 2), seatings=1, lost=["ben"], forfeits=["ben"], sandbox="none"
            ):
                store.add_session("pot", record)
