"""Real misbehaving programs, each beside two good ones: what is charged, to whom, with what proof.

All of them are played once, a few at a time; every test looks at one.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.e2e.arena import BAD, EXIT_BOT, OWN, SAMPLES, Arena, Done

pytestmark = pytest.mark.process

GOOD = ("greedy", "random")
AT_ONCE = 3
PROCESS = {"argv", "exit", "stderr", "stdout"}
"""Evidence of a lost process."""


@dataclass(frozen=True)
class Refused:
    """It does not come up: nothing is played, the author is told why."""

    exit: str
    told: str
    stderr: str = "(nothing was written)"


@dataclass(frozen=True)
class Charged:
    """It plays and is charged: every fault is of `kind`, `faults` of them."""

    kind: str
    faults: int
    evidence: set[str]
    process_lost: bool
    shows: str = ""
    """What the evidence or the message says somewhere."""


@dataclass(frozen=True)
class Played:
    """It plays, and nothing is charged."""


REFUSED = {
    "crash_at_start": Refused("exited with status 1", "status 1", "this bot fails while it starts"),
    "crash_in_handshake": Refused("exited with status 3", "status 3"),
    "garbage_wire": Refused(
        "the harness stopped it: it did not start in time", "no Hello within the start limit"
    ),
    "never_connects": Refused(
        "the harness stopped it: it did not start in time", "no Hello within the start limit"
    ),
    "wrong_token": Refused(
        "the harness stopped it: it broke the protocol", "not the value of TONGITS_TOKEN"
    ),
    "wrong_version": Refused(
        "the harness stopped it: it broke the protocol",
        "speaks protocol version 99; this harness speaks 1",
    ),
    "quits": Refused("exited with status 0", "status 0"),
}
CHARGED = {
    "answers_other": Charged("BAD_MESSAGE", 1, PROCESS, True, "answers"),
    "answers_twice": Charged("BAD_MESSAGE", 1, PROCESS, True, "answers"),
    "big_message": Charged("BAD_MESSAGE", 1, PROCESS, True, "65536 is the most"),
    "garbage_sender": Charged("BAD_MESSAGE", 1, PROCESS, True, "no tongits.v1.BotMessage"),
    "crash_mid_game": Charged("CRASH", 1, PROCESS, True, "exited with status 3"),
    "crash_on_last": Charged("CRASH", 1, PROCESS, True, "RuntimeError"),
    "illegal_index": Charged("ILLEGAL_ACTION", 4, {"answer"}, False, "legal actions"),
    "illegal_mover": Charged("ILLEGAL_ACTION", 4, {"answer"}, False, "'discard "),
    "unknown_enum": Charged("ILLEGAL_ACTION", 4, {"answer"}, False, "kind 99"),
    "sleeper": Charged("TIMEOUT", 4, {"limit_ms", "lag_ms"}, False, "no answer within 3"),
    "slow": Charged("TIMEOUT", 4, {"limit_ms", "lag_ms"}, False, "no answer within 3"),
    "flooder": Charged("TIMEOUT", 4, {"limit_ms", "lag_ms"}, False, "no answer within 3"),
}
PLAYED = {"forker": Played(), "second_stream": Played()}
EXPECTED = {**REFUSED, **CHARGED, **PLAYED}


@dataclass
class Match:
    """What came of one bad bot's tournament."""

    done: Done
    faults: list[dict] = field(default_factory=list)
    seats: dict[str, dict] = field(default_factory=dict)
    rated: dict[str, dict] = field(default_factory=dict)


@pytest.fixture(scope="module")
def matches(shared: Arena) -> dict[str, Match]:
    """Every bad bot's match, played a few at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(EXPECTED, pool.map(lambda bad: _play(shared, bad), EXPECTED), strict=True))


def _folder(bad: str) -> Path:
    return OWN / bad if (OWN / bad).is_dir() else BAD / bad


def _play(arena: Arena, bad: str) -> Match:
    results = arena.work / bad
    bots = {bad: _folder(bad), **{good: SAMPLES / good for good in GOOD}}
    file = arena.file(
        bots, f"with_{bad}", seatings=1, games=4, limits__decision_s=0.3, limits__start_s=4.0
    )
    done = arena.run("run", file, "--progress", "none", code=None, results=results)
    if done.rc != 0:
        return Match(done)
    faults = arena.rows("SELECT * FROM faults ORDER BY number", results=results)
    seats = arena.rows("SELECT * FROM match_seats", results=results)
    rated = arena.leaderboard(results=results)["rows"]
    return Match(
        done,
        faults,
        {seat["entrant"]: seat for seat in seats},
        {row["entrant"]: row for row in rated},
    )


@pytest.mark.parametrize("bad", REFUSED)
def test_a_bot_that_does_not_come_up_is_refused_with_all_its_author_needs(matches, bad):
    expected, done = REFUSED[bad], matches[bad].done

    assert done.rc == EXIT_BOT
    assert done.out == ""
    for word in (bad, "NO_HANDSHAKE", "phase", f"{bad}_bot.py", expected.exit, expected.told):
        assert word in done.err
    assert expected.stderr in done.err


@pytest.mark.parametrize("bad", REFUSED)
def test_nothing_is_stored_of_a_tournament_that_could_not_begin(matches, bad, shared):
    assert not (shared.work / bad / "arena.db").exists()
    assert not list((shared.work / bad).glob("secret/*"))


@pytest.mark.parametrize("bad", CHARGED)
def test_a_bad_bot_is_charged_with_kind_blame_phase_and_evidence(matches, bad):
    expected, faults = CHARGED[bad], matches[bad].faults

    assert len(faults) == expected.faults
    for fault in faults:
        assert (fault["entrant"], fault["kind"]) == (bad, expected.kind)
        assert (fault["blame"], fault["phase"], fault["charged"]) == ("bot", "decision", 1)
        assert fault["process_lost"] == expected.process_lost
        assert set(json.loads(fault["evidence"])) >= expected.evidence
        assert expected.shows in fault["message"] + fault["evidence"]
        assert fault["observation"], "the request that was being answered"


@pytest.mark.parametrize("bad", CHARGED)
def test_a_bad_bot_forfeits_with_its_last_fault_and_is_last(matches, bad):
    match = matches[bad]

    assert [fault["forfeit"] for fault in match.faults] == [0] * (len(match.faults) - 1) + [1]
    assert (match.seats[bad]["place"], match.seats[bad]["forfeited"]) == (3, 1)
    assert match.seats[bad]["process_lost"] == CHARGED[bad].process_lost
    assert match.rated[bad]["faults"] == {CHARGED[bad].kind: CHARGED[bad].faults}


@pytest.mark.parametrize("bad", PLAYED)
def test_what_harms_nobody_is_not_charged(matches, bad):
    assert matches[bad].faults == []
    assert not matches[bad].seats[bad]["forfeited"]


@pytest.mark.parametrize("bad", [*CHARGED, *PLAYED])
def test_the_good_bots_beside_it_play_a_whole_rated_match(matches, bad):
    match = matches[bad]

    assert match.done.rc == 0
    assert sum(seat["chips"] for seat in match.seats.values()) == 0
    for good in GOOD:
        seat, row = match.seats[good], match.rated[good]
        assert (seat["games"], seat["forfeited"], seat["process_lost"]) == (4, 0, 0)
        assert (row["matches"], row["faults"]) == (1, {})
        assert row["sigma"] < 25 / 3
    chips = [match.seats[good]["chips"] for good in GOOD]
    places = [match.seats[good]["place"] for good in GOOD]
    if bad in CHARGED:
        assert (chips[0] > chips[1]) == (places[0] < places[1])


def test_an_entrant_whose_process_is_lost_in_three_matches_running_is_suspended(arena):
    bots = {
        "bad": BAD / "crash_mid_game",
        "greedy": SAMPLES / "greedy",
        "random": SAMPLES / "random",
    }
    file = arena.file(bots, rounds=6, seatings=1, games=2)

    done = arena.run("run", file, "--progress", "plain")

    assert "suspended: bad" in done.err
    rows = {row["entrant"]: row for row in arena.leaderboard()["rows"]}
    assert {row["matches"] for row in rows.values()} == {3}
    assert "suspended" in arena.run("leaderboard").out
