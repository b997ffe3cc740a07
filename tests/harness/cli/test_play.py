"""What cannot be played is told before anything is started."""

import pytest
from tongits_harness.cli.seating import Guests, seat_all, seed_bytes


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("gredy",), 3, "did you mean greedy?"),
        (("greedy", "greedy", "greedy", "--human", 0), 2, "2 seats"),
        (("--human", 1, "--attach", 1), 2, "seat 1"),
        (("--human", 1, "--json"), 2, "--human needs the table"),
        (("--rules", "poker"), 3, "there are no rules 'poker'"),
        (("--attach", 3), 2, "--attach"),
    ],
)
def test_what_cannot_be_played_is_named(tongits, words, code, told):
    assert told in tongits("play", *map(str, words), code=code).stderr


def seated(tmp_path, *words, **guests):
    return seat_all(
        words,
        Guests(**guests),
        rules="tongits-lite",
        games=1,
        seed="7",
        is_timed=True,
        results=tmp_path,
    )


def test_bots_sit_in_the_order_given_around_the_guests(tmp_path):
    assert seated(tmp_path, "random", "caller", person=1).names == ("random", "you", "caller")
    assert seated(tmp_path, "caller", attached=0).names == ("attached", "caller", "greedy")


def test_sample_bots_fill_what_is_left_and_copies_are_numbered(tmp_path):
    assert seated(tmp_path).names == ("greedy", "cautious", "random")
    assert seated(tmp_path, "greedy", "greedy").names == ("greedy", "greedy-2", "cautious")


def test_a_seed_is_64_hex_digits_as_they_are_or_any_text():
    assert seed_bytes("5eed" * 16) == bytes.fromhex("5eed" * 16)
    assert len({seed_bytes(text) for text in ("", "7", "x" * 64, "ü")}) == 4
    assert all(len(seed_bytes(text)) == 32 for text in ("", "7", "x" * 64, "ü"))
