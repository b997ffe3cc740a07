"""Chance of a tournament as a documented function of its seed. Not the seed's keeping.

Everything is read from SHAKE-256 streams (FIPS 202, the extendable-output function), so that
any language can recompute it. The stream of a purpose is

    SHAKE-256( field(label) + field(seed) + field(match key) + field(number) ... )

    field(x)     = length of x in bytes as 8 bytes, big-endian, then x
    label        = the ASCII text ``tongits-arena/1/`` + purpose
    seed         = the tournament's 32 bytes
    match key    = its UTF-8 bytes
    each number  = 8 bytes, big-endian

Purpose, and what follows the match key:

    deck          game index        -> 52 cards
    first-dealer  nothing           -> a seat
    bot           seating, game index, seat  -> the first 8 bytes of the stream

A number below n (2 <= n <= 52) is read one byte at a time: a byte that is at least
256 - 256 mod n is skipped, the first other byte b gives b mod n.

A deck is made from the cards 0..51 in order (card = rank * 4 + suit, ranks A23456789TJQK,
suits CDHS): for i = 51, 50, ... 1 read j below i + 1 and swap the cards at places i and j. Place
0 is the top of the deck.
"""

from hashlib import sha256, shake_256
from typing import Final

from tongits_engine.cards import PACK, SEATS

_LABEL: Final = "tongits-arena/1/"
_SEED_BYTES: Final = 32
_BYTES_AT_FIRST: Final = 128
"""More than four decks in five need fewer; the stream is read on where it is not enough."""
_BOUNDS: Final = tuple(256 - 256 % n if n else 0 for n in range(PACK + 1))


def deck(seed: bytes, match_key: str, game: int) -> bytes:
    """The deck of a game, top first. Rule: R-DEAL-1."""
    message = _message("deck", seed, match_key, game)
    cards = list(range(PACK))
    last = PACK - 1
    read, length = 0, _BYTES_AT_FIRST
    while last:
        for byte in shake_256(message).digest(length)[read:]:
            if byte < _BOUNDS[last + 1]:
                other = byte % (last + 1)
                cards[last], cards[other] = cards[other], cards[last]
                last -= 1
                if not last:
                    break
        read, length = length, length * 2
    return bytes(cards)


def first_dealer(seed: bytes, match_key: str) -> int:
    """The seat that deals the first game of every session of a match. Rule: R-DEAL-2."""
    message = _message("first-dealer", seed, match_key)
    length = _BYTES_AT_FIRST
    while True:
        for byte in shake_256(message).digest(length):
            if byte < _BOUNDS[SEATS]:
                return byte % SEATS
        length *= 2


def bot_seed(seed: bytes, match_key: str, seating: int, game: int, seat: int) -> bytes:
    """Eight bytes of chance for one bot in one game; they say nothing about the deck."""
    return shake_256(_message("bot", seed, match_key, seating, game, seat)).digest(8)


def commitment(seed: bytes) -> str:
    """What is published before play: SHA-256 of the seed, in hexadecimal."""
    return sha256(seed).hexdigest()


def _message(purpose: str, seed: bytes, match_key: str, *numbers: int) -> bytes:
    if len(seed) != _SEED_BYTES:
        raise ValueError(f"a tournament seed has 32 bytes, not {len(seed)}")
    fields = [(_LABEL + purpose).encode("ascii"), seed, match_key.encode("utf-8")]
    fields += [number.to_bytes(8, "big") for number in numbers]
    return b"".join([len(field).to_bytes(8, "big") + field for field in fields])
