"""What a person types is understood generously, and refused with the reason."""

import os

import pytest
import trio
from tongits_engine import deal, deck, legal_actions, parse_action, rules_named
from tongits_harness.cli.person import LeftError, Lines, PersonPlayer, canonical, menu
from tongits_harness.cli.table_view import WIDTH
from tongits_harness.cli.watching import Watching

STATE = deal(rules_named("tongits-lite"), deck(bytes(32), "person", 0), 0)
LEGAL = legal_actions(STATE)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("discard 9C", "discard 9C"),
        ("9c", "discard 9C"),
        ("10h", "discard TH"),
        ("dis 9c", "discard 9C"),
        ("d", "draw"),
        ("d 9c", "discard 9C"),
        ("EXPOSE 7h 7c 7d", "expose 7C 7D 7H"),
        ("take 6H 4H 5H", "take 4H 5H 6H"),
        ("l 7h 0", "layoff 7H 0"),
        ("c", "call"),
        ("ch", "challenge"),
        ("f", "fold"),
        ("conceal kc kd kh ks", "conceal KC KD KH KS"),
    ],
)
def test_small_letters_short_verbs_and_any_order_will_do(typed, meant):
    assert canonical(typed) == meant
    assert parse_action(canonical(typed)).text == meant


@pytest.mark.parametrize("typed", ["foo", "discard 9Z", "expose 7C", "  ", "0x3", "layoff 7H"])
def test_what_is_no_action_stays_none(typed):
    assert canonical(typed) not in {action.text for action in LEGAL}


def test_every_choice_is_numbered_and_no_line_is_too_wide():
    lines = menu(LEGAL)
    for number, action in enumerate(LEGAL, start=1):
        assert any(f"{number:2} {action.text}" in line for line in lines)
    assert max(map(len, lines)) <= WIDTH


async def answer_to(text):
    """The action that comes of these typed lines, and all that was told."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    told = []
    watching = Watching(("you", "ben", "cy"), 0, told.append, shows_turns=False)
    watching.state = STATE
    person = PersonPlayer(0, watching, Lines(reading), told.append, told.append)
    try:
        with trio.fail_after(5):
            return (await person.answer(None)).action, told
    finally:
        os.close(reading)


async def test_a_number_chooses_from_the_menu():
    action, _ = await answer_to("3\n")
    assert action is LEGAL[2]


async def test_words_choose_too_also_without_a_last_line_end():
    wanted = LEGAL[-1]
    action, _ = await answer_to(wanted.text.lower())
    assert action is wanted


async def test_what_cannot_be_done_is_told_with_the_rule():
    action, told = await answer_to("call\nfold\n99\nnonsense\n\n?\n1\n")
    words = "\n".join(told)
    assert "call: not now: " in words
    assert "(R-TURN-2)" in words
    assert "(R-CALL-7)" in words
    assert f"1 to {len(LEGAL)}" in words
    assert "unknown verb 'nonsense'" in words
    assert "leaves the table" in words
    assert action is LEGAL[0]


@pytest.mark.parametrize("typed", ["q\n", "", "1000000000000000000000\nQuit\n", "\x00\xff\nq\n"])
async def test_the_table_can_be_left(typed):
    with pytest.raises(LeftError):
        await answer_to(typed)
