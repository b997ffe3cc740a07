"""No bot process is ever dealt the same shuffle twice: from the stored plan and the bots' own logs.

Played with few processes allowed at once, so that lanes are closed and opened again, and with a
bot that crashes, so that games go on in a second process.
"""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass

import pytest

from tests.e2e.arena import BAD, OWN, Arena

pytestmark = pytest.mark.process

SEATINGS = 6
DEALT = """
SELECT match_index, seating, game, deck_digest, entrant, session_seats.seat, incarnations, notes
FROM games JOIN session_seats USING (session_id) JOIN sessions ON sessions.id = session_id
"""


@dataclass(frozen=True)
class Deal:
    """One deck dealt to one process, as the harness has stored it or the process has noted it."""

    process: str
    entrant: str
    seating: int
    deck: str
    hand: str = ""


@pytest.fixture(scope="module")
def played(shared: Arena) -> Arena:
    bots = dict.fromkeys(("anna", "ben", "carla"), OWN / "logbook")
    file = shared.file(
        {**bots, "dora": BAD / "crash_mid_game"},
        rounds=2, seatings=SEATINGS, machine__processes=6, machine__tables=2,
        limits__decision_s=10.0, limits__bank_s=600.0,
    )  # fmt: skip
    shared.run("run", file, "--progress", "none", timeout=150)
    return shared


@pytest.fixture(scope="module")
def stored(played: Arena) -> list[Deal]:
    """What the harness says: every process that was told of a game."""
    return [
        Deal(process, row["entrant"], row["seating"], row["deck_digest"])
        for row in played.rows(DEALT)
        for process in json.loads(row["incarnations"])
    ]


@pytest.fixture(scope="module")
def noted(played: Arena) -> list[Deal]:
    """What the processes say: they wrote their own name beside the first hand they saw."""
    return [
        Deal(words["process"], row["entrant"], row["seating"], row["deck_digest"], words["hand"])
        for row in played.rows(DEALT)
        for words in map(json.loads, json.loads(row["notes"]).values())
        if words["seat"] == row["seat"]
    ]


def lanes_of(deals: list[Deal]) -> dict[str, set[tuple[str, int]]]:
    lanes = defaultdict(set)
    for deal in deals:
        lanes[deal.process].add((deal.entrant, deal.seating))
    return lanes


def test_every_shuffle_is_dealt_at_every_seating(played):
    seatings = defaultdict(set)
    for row in played.rows(f"{DEALT} JOIN matches USING (match_index)"):
        seatings[row["match_index"], row["game"], row["deck_digest"]].add(row["seating"])

    assert set(map(len, seatings.values())) == {SEATINGS}
    assert len({deck for _, _, deck in seatings}) == len(seatings), "no deck in two games"


def test_no_process_was_told_of_a_shuffle_twice(stored):
    told = Counter((deal.process, deal.deck) for deal in stored)

    assert [pair for pair, times in told.items() if times > 1] == []
    assert len(stored) > 200


def test_no_process_has_noted_a_shuffle_twice(noted):
    seen = Counter((deal.process, deal.deck) for deal in noted)

    assert [pair for pair, times in seen.items() if times > 1] == []
    assert len(noted) > 150


def test_no_process_has_seen_a_hand_twice_though_every_hand_is_dealt_at_two_seatings(noted):
    hands = Counter((deal.process, deal.hand) for deal in noted)
    dealt = Counter((deal.deck, deal.hand) for deal in noted)

    assert [pair for pair, times in hands.items() if times > 1] == []
    assert max(dealt.values()) > 1, "or this test could not see a hand that comes again"


def test_a_process_plays_for_one_entrant_at_one_seating(stored, noted):
    for deals in (stored, noted):
        assert {len(lanes) for lanes in lanes_of(deals).values()} == {1}


def test_what_the_processes_note_agrees_with_what_the_harness_stores(stored, noted):
    harness, bots = lanes_of(stored), lanes_of(noted)
    entrants = {deal.entrant for deal in noted}

    assert entrants == {"anna", "ben", "carla"}
    for lane in {lane for lanes in bots.values() for lane in lanes}:
        told = [process for process, lanes in harness.items() if lane in lanes]
        noting = [process for process, lanes in bots.items() if lane in lanes]
        assert 0 < len(noting) <= len(told)


def test_lanes_were_closed_and_opened_again_and_games_went_on_in_a_second_process(played, stored):
    """The run was one in which the promise could have been broken."""
    processes = defaultdict(set)
    for deal in stored:
        processes[deal.entrant, deal.seating].add(deal.process)
    several = played.rows("SELECT entrant, incarnations FROM session_seats")

    assert any(len(ids) > 1 for (name, _), ids in processes.items() if name != "dora")
    assert any(len(json.loads(row["incarnations"])) > 1 for row in several)
