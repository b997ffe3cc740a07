"""Replays show what the engine makes of the record, and a seat only what it could see."""

import json

import pytest
from tongits_engine import cards_text, deck, legal_actions, observe, replay, rules_named

from tests.harness.cli.arena import FAULTY, PLANS, SEED, make_arena, played_game


def steps_of(number=0, plan=PLANS[0]):
    record = played_game(plan.key, number)
    return list(
        replay(rules_named("tongits-lite"), deck(SEED, plan.key, number), 0, record.actions)
    )


@pytest.mark.parametrize("game", [0, 1])
def test_a_replay_tells_every_action_with_its_alternatives(tongits, game):
    told = json.loads(tongits("replay", "0", "--json", "--game", str(game)).stdout)
    assert (told["match"], told["seats"], told["view"]) == (
        PLANS[0].key,
        list(PLANS[0].entrants),
        "all",
    )
    for step, expected in zip(told["steps"], steps_of(game), strict=True):
        assert step["action"] == expected.action.text
        assert (step["seat"], step["phase"]) == (
            expected.before.to_act,
            expected.before.phase.text,
        )
        assert step["legal"] == len(legal_actions(expected.before))
        assert step["hand"] == cards_text(observe(expected.before, step["seat"]).hand)
        assert step["source"] == ("f" if step["legal"] == 1 else "d")
    assert told["result"]["termination"] == played_game(PLANS[0].key, game).termination


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("match", range(6))
def test_a_seats_view_holds_only_what_the_seat_saw(tongits, seat, match):
    told = json.loads(tongits("replay", str(match), "--json", "--seat", str(seat)).stdout)
    steps = steps_of(plan=PLANS[match])
    for step, expected in zip(told["steps"], steps, strict=True):
        view = observe(expected.before, seat)
        assert step["hand"] == cards_text(view.hand)
        if step["seat"] == seat:
            assert step["action"] == expected.action.text
            continue
        assert {step[key] for key in ("legal", "note", "source", "think_ms")} == {None}
        if expected.action.text == "draw":
            drawn = expected.events[0].cards
            assert step["action"] == "drew a hidden card"
            # A game that ends with this step may show the card to all.
            assert expected.after.is_over or cards_text(drawn) not in str(step["events"])
        if expected.action.text.startswith("conceal"):
            assert step["action"].startswith("concealed a hidden four")


def test_the_text_shows_players_think_times_notes_faults_and_payments(tongits):
    shown = tongits("replay", str(FAULTY)).stdout
    assert f"match #{FAULTY} {PLANS[FAULTY].key}" in shown
    assert "seat 0: " in shown
    assert "(deals)" in shown
    assert "1.5 ms" in shown
    assert "note: I hold \\x1b[31mtwo aces" in shown
    assert "! TIMEOUT by ben (charged): exit status 1" in shown
    assert "end: " in shown
    assert "with ante and pot" in shown
    assert "\x1b" not in shown


def test_a_match_is_named_by_number_or_key(tongits):
    by_number = tongits("replay", "2").stdout
    assert tongits("replay", PLANS[2].key).stdout == by_number
    assert tongits("replay", PLANS[2].key[:8]).stdout == by_number
    assert "no match 'zzz'" in tongits("replay", "zzz", code=3).stderr


def test_a_game_or_seating_that_is_not_there_is_named(tongits):
    assert "games 0 to 1" in tongits("replay", "0", "--game", "2", code=3).stderr
    assert "games 0 to 1" in tongits("replay", "0", "--game", "-1", code=3).stderr
    assert "stored: 0" in tongits("replay", "0", "--seating", "4", code=3).stderr
    assert tongits("replay", "0", "--seating", "0").stdout == tongits("replay", "0").stdout


def test_a_finished_tournament_is_replayed_from_its_published_secret(tongits, tmp_path, arena):
    make_arena(tmp_path, matches=1, finish=True)
    (tmp_path / "secret" / "cup").unlink()
    assert tongits("replay", "0", results=tmp_path).stdout == tongits("replay", "0").stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "is missing"), ("rubbish", "damaged"), ("00" * 32, "not the one committed to")],
)
def test_without_the_right_secret_there_is_no_replay(tongits, tmp_path, content, said):
    make_arena(tmp_path, matches=1)
    path = tmp_path / "secret" / "cup"
    path.unlink() if content is None else path.write_text(content)
    done = tongits("replay", "0", results=tmp_path, code=3)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
