"""The shuffle is the documented function, pinned, and even."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tongits_engine import bot_seed, cards_text, commitment, deck, first_dealer

from tests.engine.steady import steady

SEED = bytes(range(32))
OTHER_SEED = bytes(31) + b"\x01"
KEY = "tournament/a+b+c/1"


def stream(purpose, seed, key, *numbers):
    """The bytes of a purpose, one by one, as the document says."""
    fields = [b"tongits-arena/1/" + purpose, seed, key.encode()]
    fields += [number.to_bytes(8, "big") for number in numbers]
    message = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
    yield from hashlib.shake_256(message).digest(4096)


def below(n, numbers):
    """A number below n from a stream of bytes, without bias."""
    return next(byte % n for byte in numbers if byte < 256 // n * n)


def shuffled(seed, key, game):
    numbers = stream(b"deck", seed, key, game)
    cards = list(range(52))
    for place in reversed(range(1, 52)):
        other = below(place + 1, numbers)
        cards[place], cards[other] = cards[other], cards[place]
    return bytes(cards)


GOLDEN = [
    (
        SEED,
        KEY,
        0,
        (
            "AH AD 7S 4S 5C 3H 2S 3C 2C 2H 8C 3D 4C QH 4H 5S JC AS JD 9D 8D 7H QC 7C 5H 6H "
            "4D KC TC QD KS 8S 9C JS AC 6C 7D 6D KD 9H 9S 6S 2D JH TH 3S TS 5D QS KH TD 8H"
        ),
    ),
    (
        SEED,
        KEY,
        1,
        (
            "4C 6D QS TS 6S 9H 4S JH 5H AD 8D JC 7S 8S JD 4D 8C QC 5C 5S 2D KC AC 3S 3C 6H "
            "3D AS 2S JS 2C 7D 6C QH 3H 8H KD 9S TD 9C KH TC 4H 2H AH 7H TH 5D 9D KS QD 7C"
        ),
    ),
    (
        OTHER_SEED,
        "",
        0,
        (
            "4H 6H QH AS 3C 9H KD 2C 9S 6D 2D TC 7S 2H KC QC TS AH 5C TD JH QD 7H 5D 3H 2S "
            "JD 7D KH 8D 3D JS 4D TH 9D 6S 4C AC 6C 9C 8S 8C KS 7C 5S 3S QS JC 8H 5H 4S AD"
        ),
    ),
    (
        SEED,
        "ñ",
        1099511627776,
        (
            "AC 8S 3D 2S JD TH KC 3S 8H 9C 9D 6C 3C 6D JH 6S TC 6H 4C 3H QC 4S KS 7C 8D 5D "
            "9H 9S 5C QH 2H QD JC TS 7D KH 7S KD 8C 4D AD QS JS AH 5H 4H AS TD 7H 2C 5S 2D"
        ),
    ),
]
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
DEALERS = [0, 2, 0, 0, 0, 1, 2, 0, 1, 0, 0, 1]
BOT_SEED = "8dbbf05b9ccac1e1"


@pytest.mark.parametrize(("seed", "key", "game", "cards"), GOLDEN)
def test_decks_stay_what_they_were(seed, key, game, cards):
    assert cards_text(deck(seed, key, game)) == cards


def test_other_chance_stays_what_it_was():
    assert commitment(SEED) == COMMITMENT
    assert [first_dealer(SEED, f"match {number}") for number in range(12)] == DEALERS
    assert bot_seed(SEED, KEY, 0, 0, 0).hex() == BOT_SEED


@steady
@given(st.binary(min_size=32, max_size=32), st.text(max_size=20), st.integers(0, 2**40))
def test_a_deck_is_the_documented_function(seed, key, game):
    assert deck(seed, key, game) == shuffled(seed, key, game)


@steady
@given(st.binary(min_size=32, max_size=32), st.text(max_size=20))
def test_dealer_and_bot_seed_are_the_documented_functions(seed, key):
    assert first_dealer(seed, key) == below(3, stream(b"first-dealer", seed, key))
    documented = stream(b"bot", seed, key, 5, 1, 2)
    assert bot_seed(seed, key, 5, 1, 2) == bytes(next(documented) for _ in range(8))


def test_every_deck_is_the_whole_pack():
    assert all(sorted(deck(SEED, KEY, game)) == list(range(52)) for game in range(200))


def test_seed_match_and_game_all_change_the_deck():
    decks = {deck(SEED, KEY, 0), deck(SEED, KEY, 1), deck(SEED, "other", 0)}
    decks.add(deck(OTHER_SEED, KEY, 0))
    assert len(decks) == 4


def test_fields_of_the_stream_do_not_run_together():
    assert deck(SEED, "a", 1) != deck(SEED, "a\x01", 0)
    assert (
        len({bot_seed(SEED, "m", *numbers) for numbers in [(0, 0, 1), (0, 1, 0), (1, 0, 0)]}) == 3
    )


def test_a_seed_of_another_length_is_refused():
    with pytest.raises(ValueError, match="32 bytes"):
        deck(bytes(31), KEY, 0)


def chi_square(counts, cells, drawn):
    expected = drawn / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_every_card_comes_to_every_place_about_equally_often():
    """Chi-square of 2 000 fixed decks: 52 by 52 cells, 51 * 51 degrees of freedom."""
    decks = [deck(SEED, "even", game) for game in range(2000)]
    total = 0.0
    for place in range(52):
        total += chi_square(Counter(cards[place] for cards in decks), 52, 2000)
    degrees, deviation = 51 * 51, (2 * 51 * 51) ** 0.5
    assert abs(total - degrees) < 4 * deviation


def test_seats_deal_first_about_equally_often():
    counts = Counter(first_dealer(SEED, f"match {number}") for number in range(3000))
    assert chi_square(counts, 3, 3000) < 14  # one in a thousand at two degrees of freedom
