"""Melds within a hand and the least deadwood it can be left with. Pure functions of the cards."""

from functools import lru_cache
from itertools import combinations

from tongits_bot.cards import DECK, POINTS

_CACHE = 1 << 15
"""Answers kept by the search: a few MiB, and the hands of a game resemble each other."""
_ACES = 0x1111111111111
"""The bit of clubs in every rank of a 52-bit hand."""


def is_meld(cards: bytes, *, runs: bool = True) -> bool:
    """True if the cards, in any order, are a set of 3 or 4 or (with `runs`) a run of 3 or more."""
    ordered = sorted(cards)
    if len(ordered) < 3:
        return False
    first, last = ordered[0], ordered[-1]
    is_run = runs and ordered == list(range(first, last + 1, 4))
    return is_run or (len(set(ordered)) == len(ordered) and first >> 2 == last >> 2)


def melds_in(hand: bytes, *, runs: bool = True) -> tuple[bytes, ...]:
    """Every meld that can be made of cards in the hand, each in card order; they may overlap."""
    held = _bits(hand)
    return tuple(meld for card in sorted(hand) for meld in _melds_from(card, held, runs))


def deadwood(hand: bytes, *, runs: bool = True) -> int:
    """The least points that can be left when disjoint melds are taken out of the hand."""
    held = _bits(hand)
    melded = _meldable(held, runs)
    loose = sum([POINTS[card] for card in hand if not melded >> card & 1])
    return loose + _best(melded, runs)[0] if melded else loose


def best_melds(hand: bytes, *, runs: bool = True) -> tuple[bytes, ...]:
    """Disjoint melds that leave the least deadwood; of equal ones, long melds before short."""
    return _best(_meldable(_bits(hand), runs), runs)[1]


def loose_cards(hand: bytes, *, runs: bool = True) -> bytes:
    """The cards of the hand outside `best_melds`: its deadwood, in card order."""
    melded = set().union(*best_melds(hand, runs=runs))
    return bytes([card for card in sorted(hand) if card not in melded])


def unseen(*seen: bytes) -> bytes:
    """The cards of the deck that are in none of these: stock and other hands, to an observer."""
    return bytes(set(DECK).difference(*seen))


def _bits(cards: bytes) -> int:
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def _melds_from(lowest: int, held: int, runs: bool) -> list[bytes]:
    """Melds whose lowest card is `lowest`, the others taken from the bit set `held`."""
    same = [card for card in range(lowest + 1, (lowest | 3) + 1) if held >> card & 1]
    found = [bytes((lowest, *rest)) for n in (2, 3) for rest in combinations(same, n)]
    end = lowest + 4
    while runs and held >> end & 1:
        end += 4
        if end - lowest >= 12:
            found.append(bytes(range(lowest, end, 4)))
    return found


def _meldable(held: int, runs: bool) -> int:
    """The cards of `held` that are in some meld within it; the others are deadwood for sure."""
    clubs, diamonds = held & _ACES, held >> 1 & _ACES
    hearts, spades = held >> 2 & _ACES, held >> 3 & _ACES
    threes = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    starts = held & held >> 4 & held >> 8 if runs else 0
    return threes * 15 & held | starts | starts << 4 | starts << 8


@lru_cache(maxsize=_CACHE)
def _best(held: int, runs: bool) -> tuple[int, tuple[bytes, ...]]:
    """Least points left of `held` and the melds that leave them, by trying its lowest card."""
    if not held:
        return 0, ()
    lowest = (held & -held).bit_length() - 1
    least, melds = _best(held & held - 1, runs)
    least += POINTS[lowest]
    for meld in sorted(_melds_from(lowest, held, runs), key=len, reverse=True):
        left, others = _best(held & ~_bits(meld), runs)
        if left < least:
            least, melds = left, (meld, *others)
    return least, melds
