"""The table in the terminal shows a seat what it may see, all of it, within eighty columns."""

import random
import re

import pytest
from tongits_engine import (
    Table,
    apply,
    card_text,
    cards_of,
    close_game,
    deal,
    deck,
    legal_actions,
    mask_of,
    observe,
    open_game,
    parse_cards,
    rules_named,
    settle,
)
from tongits_harness.cli.table_view import (
    WIDTH,
    draw_table,
    hand_text,
    paint,
    result_lines,
    told,
)

NAMES = ("ana", "a-name-of-the-longest-kind-there", "cy")
CARD = re.compile(r"(?<![\w-])[A2-9TJQK][CDHS](?![\w-])")


def positions(number, rules="tongits-lite"):
    """Every state of a game played by chance, with the events that led to it."""
    rng = random.Random(number)
    state = deal(rules_named(rules), deck(bytes(32), "view", number), number % 3)
    yield state, ()
    while not state.is_over:
        state, events = apply(state, rng.choice(legal_actions(state)))
        yield state, events


def cards_in(lines):
    return set(CARD.findall("\n".join(lines)))


def seen_cards(state, seat):
    view = observe(state, seat)
    known = set(view.hand) | set(view.discards) | {c for meld in view.melds for c in meld.cards}
    return {card_text(card) for card in known}


@pytest.mark.parametrize("rules", ["tongits-lite", "sa-tong"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_is_drawn_exactly_the_cards_it_may_see(rules, seat):
    for number in range(5):
        for state, _ in positions(number, rules):
            assert cards_in(draw_table(state, NAMES, viewer=seat)) == seen_cards(state, seat)


def test_what_is_told_of_an_action_names_no_card_that_the_seat_may_not_see():
    for number in range(8):
        for state, events in positions(number):
            if not state.is_over:  # the end shows hands
                for seat in range(3):
                    assert cards_in(told(events, seat)) <= seen_cards(state, seat)


def test_an_onlooker_is_drawn_every_card_but_the_stock():
    for state, _ in positions(3):
        drawn = cards_in(draw_table(state, NAMES, viewer=None))
        assert len(drawn) == 52 - len(state.stock)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_no_line_is_wider_than_the_terminal(viewer):
    for number in range(5):
        for state, _ in positions(number):
            assert max(map(len, draw_table(state, NAMES, viewer=viewer, pot=99))) <= WIDTH


def test_a_hand_is_shown_with_its_melds_in_brackets():
    rules = rules_named("tongits-lite")
    hand = cards_of(mask_of(parse_cards("7C 7D 7H AS 2S 3S KD 9C")))
    assert hand_text(rules, hand) == "[AS 2S 3S] [7C 7D 7H] 9C KD"
    assert hand_text(rules, b"") == "no card"


def test_a_players_result_shows_only_the_hands_that_the_end_shows():
    for number in range(30):
        *_, (state, _) = positions(number)
        result = settle(state)
        table = close_game(open_game(Table(state.rules, 0)), result)
        lines = result_lines(state, table, result, NAMES, is_open=False)
        shown = {card_text(card) for hand in result.shown_hands for card in hand or b""}
        assert cards_in(lines) == shown
        hidden = sum(hand is None for hand in result.shown_hands)
        assert sum("hand not shown" in line for line in lines) == hidden


def test_colour_adds_nothing_to_the_text():
    line = "melds  7C 7D 7H KS, seat AH-bot"
    assert paint(line).plain == line
    assert [line[span.start : span.end] for span in paint(line).spans] == ["7C", "7D", "7H", "KS"]
