# ruff: noqa: S608  # the statements are put together from constants of this file
"""`tongits verify` finds whatever was changed behind the harness's back, and names the place."""

import random

import pytest
from click.testing import CliRunner
from tongits_engine import deck, legal_actions, replay
from tongits_harness.cli import main
from tongits_harness.results.queries import open_reader
from tongits_harness.results.secret import commitment
from tongits_harness.verify import replayer, tournament
from tongits_harness.verify.tournament import verify_tournament

from tests.durability.played import (
    LITE,
    NAMES,
    PLAYERS,
    cup,
    falling,
    good,
    make_results,
    seed_of,
    sessions,
)
from tests.durability.tampering import SESSION, broken, execute, place


def test_what_was_played_holds(finished, verify):
    code, document = verify(finished)

    assert broken(document) == {}
    assert (code, document["ok"], document["finished"]) == (0, True, True)
    checked = {claim["claim"]: claim["checked"] for claim in document["claims"]}
    assert checked["games"] == checked["decks"] == 8 * 3 * 2
    assert checked["information"] > 8 * 3 * 2
    assert (checked["chips"], checked["schedule"], checked["standings"]) == (8, 8, 4)
    assert checked["processes"] == 4 * 3


def test_the_tournament_that_holds_has_faults_of_every_kind(finished):
    """Else the test above would say little."""
    kinds = {kind for (kind,) in execute(finished, "SELECT kind FROM faults")}
    limits = execute(finished, "SELECT evidence FROM faults WHERE evidence LIKE '%bank%'")
    forfeits = execute(finished, "SELECT 1 FROM session_seats WHERE forfeited")

    assert kinds == {"ILLEGAL_ACTION", "TIMEOUT", "CRASH"}
    assert limits
    assert forfeits


@pytest.mark.parametrize("rules", ["sa-tong", "ngalimba", "tongits-lite+chips-2-4-4"])
def test_other_rules_hold(tmp_path, verify, rules):
    record = cup(rounds=1, rules=rules)
    make_results(tmp_path, record, sessions(record))

    assert verify(tmp_path)[0] == 0


def test_a_suspension_that_leaves_matches_unplayed_holds(tmp_path, verify):
    record = cup(rounds=3, seatings=1)
    make_results(tmp_path, record, sessions(record, {**PLAYERS, "ben": falling}))
    assert len(execute(tmp_path, "SELECT 1 FROM matches")) < 12

    code, document = verify(tmp_path)

    assert (code, broken(document)) == (0, {})


def test_an_unfinished_tournament_holds_with_its_secret_in_the_folder(tmp_path, verify):
    record = cup()
    make_results(tmp_path, record, list(sessions(record))[:10], finish=False)

    code, document = verify(tmp_path)

    assert (code, broken(document), document["finished"]) == (0, {}, False)


def test_without_the_secret_games_are_not_looked_at(tmp_path, verify):
    record = cup(rounds=1)
    make_results(tmp_path, record, sessions(record), finish=False)
    (tmp_path / "secret" / "cup").unlink()

    code, document = verify(tmp_path)

    assert code == 1
    found = broken(document)
    assert "is missing" in found.pop("secret")["what"]
    assert found == dict.fromkeys(("decks", "games", "information"), "there is no secret")


def test_a_changed_secret_is_found(finished, verify):
    execute(finished, "UPDATE tournaments SET secret = ?", "ab" * 32)

    code, document = verify(finished)

    assert code == 1
    assert "not the one committed to" in broken(document)["secret"]["what"]
    assert place(broken(document)["decks"]) == (0, 0, 0)


def test_a_changed_secret_with_its_commitment_is_found_by_the_decks(finished, verify):
    other = bytes(32)
    execute(
        finished,
        "UPDATE tournaments SET secret = ?, commitment = ?",
        other.hex(),
        commitment(other),
    )

    code, document = verify(finished)

    assert (code, set(broken(document))) == (1, {"decks", "standings"})


def test_a_changed_bot_digest_changes_the_seed(finished, verify):
    execute(finished, "UPDATE entrants SET version = ? WHERE name = 'cy'", "0" * 64)

    code, document = verify(finished)

    assert (code, set(broken(document))) == (1, {"decks"})


def flips(results, chance, count):
    """(match, seating, game, step, another legal action) of random decisions."""
    record = cup()
    with open_reader(results) as reader:
        stored = list(reader.sessions("cup"))
    for _ in range(count):
        session = chance.choice(stored)
        number = chance.randrange(2)
        game = session.games[number]
        cards = deck(seed_of(record), session.plan.match.key, number)
        before = [step.before for step in replay(LITE, cards, game.dealer, game.actions)]
        asked = [step for step, letter in enumerate(game.sources) if letter == "d"]
        step = chance.choice(asked[:-1])
        others = [a.text for a in legal_actions(before[step]) if a.text != game.actions[step]]
        yield session.plan.match.index, session.plan.seating, number, step, chance.choice(others)


def test_one_flipped_action_is_found_wherever_it_is(finished, verify):
    chance = random.Random(5)
    for match, seating, game, step, action in list(flips(finished, chance, 12)):
        row, actions = execute(
            finished,
            "SELECT games.rowid, actions FROM games JOIN sessions ON sessions.id = session_id"
            " WHERE match_index = ? AND seating = ? AND game = ?",
            match, seating, game,
        )[0]  # fmt: skip
        lines = actions.split("\n")
        lines[step] = action
        execute(finished, "UPDATE games SET actions = ? WHERE rowid = ?", "\n".join(lines), row)

        code, document = verify(finished)

        assert (code, set(broken(document))) == (1, {"games"})
        assert place(broken(document)["games"]) == (match, seating, game)
        execute(finished, "UPDATE games SET actions = ? WHERE rowid = ?", actions, row)


def test_a_row_that_cannot_be_read_is_named(finished, verify):
    execute(finished, f"UPDATE games SET notes = '{{' WHERE session_id = {SESSION} AND game = 0")

    code, document = verify(finished)

    assert code == 1
    assert place(broken(document)["database"]) == (3, 1, None)


def test_several_processes_say_the_same_as_one(tmp_path, monkeypatch):
    record = cup(rounds=4)
    make_results(tmp_path, record, sessions(record, dict.fromkeys(NAMES, good)))
    execute(tmp_path, f"UPDATE games SET winner = 1 - winner WHERE session_id = {SESSION}")
    monkeypatch.setattr(tournament, "WORTH_PROCESSES", 1)
    monkeypatch.setattr(replayer, "BATCH", 5)
    with open_reader(tmp_path) as reader:
        one = verify_tournament(reader, tmp_path, "cup", workers=1)
        two = verify_tournament(reader, tmp_path, "cup", workers=2)

    assert not one.holds
    assert [c.to_json() for c in one.claims] == [c.to_json() for c in two.claims]


def test_a_person_gets_a_line_for_each_claim(finished):
    execute(finished, f"UPDATE games SET deadwood = '[1,2,3]' WHERE session_id = {SESSION}")

    done = CliRunner().invoke(main, ["verify", "--results", str(finished)])

    assert done.exit_code == 1
    title, *lines = done.stdout.splitlines()
    assert title == "tournament cup"
    assert len(lines) == 9
    (failed,) = [line for line in lines if "FAIL" in line]
    assert failed.startswith("games       FAIL at match 3 seating 1 game 0: deadwood: stored (1, 2")
    assert all(" ok " in line for line in lines if line != failed)
    assert "games in" in done.stderr
