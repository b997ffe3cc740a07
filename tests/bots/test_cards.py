"""Cards as numbers and as text."""

import pytest
from tongits_bot import (
    DECK,
    POINTS,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    points,
    rank,
    suit,
)


def test_text_of_a_card_is_read_back():
    assert [parse_card(format_card(card)) for card in DECK] == list(DECK)
    assert len({format_card(card) for card in DECK}) == 52


def test_the_protocol_numbers_cards_by_rank_then_suit():
    assert parse_cards("AC AD AH AS 2C KS") == bytes((0, 1, 2, 3, 4, 51))
    assert (rank(parse_card("7H")), suit(parse_card("7H"))) == (6, 2)
    assert format_cards((26, 51)) == "7H KS"


def test_points_are_one_for_an_ace_and_ten_for_court_cards():
    assert points(parse_cards("AS 2S 9D TC JC QC KC")) == 1 + 2 + 9 + 40
    assert sum(POINTS) == 4 * 85


@pytest.mark.parametrize("text", ["", "7", "7X", "1H", "10H", "7H 8H"])
def test_a_text_that_is_no_card_is_refused_with_the_text(text):
    with pytest.raises(ValueError, match="is no card"):
        parse_card(text)
