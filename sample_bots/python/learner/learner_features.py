"""What an action looks like to the learner: a few numbers, by what kind of action it is.

The same code reads the View of a seated bot and the engine's Observation of the training
environment: they have the same names for what a seat sees, so one is written for the other here.
Nothing is judged, that is left to the weights.
"""

from tongits_bot import POINTS, Action, Kind, View, deadwood, loose_cards

BLOCKS = {
    "take": ("always", "points saved", "not opened", "melded cards used", "stock"),
    "meld": ("always", "not opened", "points added", "goes out", "face down", "room", "stock"),
    "layoff": ("always", "points", "breaks a meld", "own meld", "goes out", "stock"),
    "discard": ("points left", "points", "outs", "outs late", "feeds", "fits the table"),
    "call": ("always", "points", "least hand", "stock", "hand and stock", "rivals", "no rival"),
    "challenge": ("always", "points", "caller's hand", "stock", "hand and stock", "later rival"),
}
"""Names of the numbers, by kind of action. Draw and fold have none: their score is 0."""
_STARTS: dict[str, int] = {}
for _name in BLOCKS:
    _STARTS[_name] = sum([len(BLOCKS[before]) for before in _STARTS])
SIZE = sum([len(numbers) for numbers in BLOCKS.values()])

Block = tuple[int, tuple[float, ...]]
"""Where the numbers of an action start among all, and the numbers."""
_NOTHING: Block = (0, ())


def blocks(seen: View, *, runs: bool) -> list[Block]:
    """The numbers of every legal action, in their order.

    Args:
        seen: The decision.
        runs: Whether runs are melds under these rules.
    """
    at = _Situation(seen, runs)
    return [_block(at, action) for action in seen.legal]


def _block(at: "_Situation", action: Action) -> Block:
    match action.kind:
        case Kind.TAKE:
            return _STARTS["take"], at.take(action.cards)
        case Kind.EXPOSE | Kind.CONCEAL:
            return _STARTS["meld"], at.meld(action)
        case Kind.LAYOFF:
            return _STARTS["layoff"], at.layoff(action)
        case Kind.DISCARD:
            return _STARTS["discard"], at.discard(action.cards[0])
        case Kind.CALL:
            return _STARTS["call"], at.call()
        case Kind.CHALLENGE:
            return _STARTS["challenge"], at.challenge()
    return _NOTHING


class _Situation:
    """A decision with what is worked out once for all its actions."""

    def __init__(self, seen: View, runs: bool) -> None:
        self._seen = seen
        self._runs = runs
        self._hand = hand = seen.hand
        self._loose = loose_cards(hand, runs=runs)
        self._points = sum([POINTS[card] for card in self._loose])
        self._stock = seen.stock_size / 30
        self._opened = seen.opened[seen.seat]
        hidden = (1 << 52) - 1
        for cards in (hand, seen.discards, *[meld.cards for meld in seen.melds]):
            for card in cards:
                hidden &= ~(1 << card)
        self._hidden = hidden

    def take(self, cards: bytes) -> tuple[float, ...]:
        """Pick up the top discard with these cards of the hand, and discard the worst card."""
        rest = bytes([card for card in self._hand if card not in cards])
        loose = [POINTS[card] for card in loose_cards(rest, runs=self._runs)]
        left = sum(loose) - max(loose, default=0)
        used = sum([card in self._hand and card not in self._loose for card in cards])
        return 1.0, (self._points - left) / 10, not self._opened, used / 3, self._stock

    def meld(self, action: Action) -> tuple[float, ...]:
        """Put a meld of the hand down."""
        cards = action.cards
        rest = bytes([card for card in self._hand if card not in cards])
        added = deadwood(rest, runs=self._runs) - self._points
        return (
            1.0,
            not self._opened,
            added / 10,
            len(loose_cards(rest, runs=self._runs)) < 2,
            action.kind == Kind.CONCEAL,
            self._room(cards) / 3,
            self._stock,
        )

    def layoff(self, action: Action) -> tuple[float, ...]:
        """Add a card to a meld on the table."""
        card = action.cards[0]
        is_loose = card in self._loose
        return (
            1.0,
            POINTS[card] / 10 if is_loose else 0.0,
            not is_loose,
            self._seen.melds[action.meld].owner == self._seen.seat,
            len(self._loose) - is_loose < 2,
            self._stock,
        )

    def discard(self, card: int) -> tuple[float, ...]:
        """End the turn."""
        left = self._points - POINTS[card]
        if card not in self._loose:
            left = deadwood(self._hand.replace(bytes((card,)), b""), runs=self._runs)
        outs = self._outs(card) / 4
        feeds = self._feeds(card) * self._seen.hand_sizes[(self._seen.seat + 1) % 3] / 50
        return (
            left / 10,
            POINTS[card] / 10,
            outs,
            outs * (1 - self._stock),
            feeds,
            self._fits(card),
        )

    def call(self) -> tuple[float, ...]:
        """Claim to hold least."""
        seen = self._seen
        rivals = [
            seen.hand_sizes[seat] for seat in range(3) if seat != seen.seat and seen.opened[seat]
        ]
        least = min(rivals, default=0) / 10
        return (
            1.0,
            self._points / 10,
            least,
            self._stock,
            least * self._stock,
            len(rivals) / 2,
            not rivals,
        )

    def challenge(self) -> tuple[float, ...]:
        """Contest the call."""
        seen = self._seen
        caller = seen.caller or 0
        size = seen.hand_sizes[caller] / 10
        last = 3 - caller - seen.seat
        return (
            1.0,
            self._points / 10,
            size,
            self._stock,
            size * self._stock,
            (seen.seat - caller) % 3 == 1 and seen.opened[last],
        )

    def _is_hidden(self, card: int) -> int:
        return self._hidden >> card & 1 if card >= 0 else 0

    def _room(self, meld: bytes) -> int:
        """Hidden cards that others could lay off on this meld."""
        first, last = meld[0], meld[-1]
        if first >> 2 == last >> 2:
            return (self._hidden >> (first & ~3) & 15).bit_count()
        return self._is_hidden(first - 4) + self._is_hidden(last + 4)

    def _outs(self, card: int) -> int:
        """Hidden cards that would make a meld of this one and another loose one."""
        outs = 0
        for other in self._loose:
            apart = abs(card - other)
            if apart == 0 or apart > 8:
                continue
            if card >> 2 == other >> 2:
                outs += (self._hidden >> (card & ~3) & 15).bit_count()
            elif apart == 4 and self._runs:
                low, high = min(card, other), max(card, other)
                outs += self._is_hidden(low - 4) + self._is_hidden(high + 4)
            elif apart == 8 and self._runs:
                outs += self._is_hidden((card + other) // 2)
        return outs

    def _feeds(self, card: int) -> int:
        """Pairs of hidden cards that would make a meld with this one."""
        same = (self._hidden >> (card & ~3) & 15).bit_count()
        pairs = same * (same - 1) // 2
        if self._runs:
            below, above = self._is_hidden(card - 4), self._is_hidden(card + 4)
            pairs += below & self._is_hidden(card - 8)
            pairs += below & above
            pairs += above & self._is_hidden(card + 8)
        return pairs

    def _fits(self, card: int) -> bool:
        """Whether the card could be laid off on a meld on the table."""
        for meld in self._seen.melds:
            cards = meld.cards
            if not cards:
                continue
            if cards[0] >> 2 == cards[-1] >> 2:
                if card >> 2 == cards[0] >> 2:
                    return True
            elif card in (cards[0] - 4, cards[-1] + 4):
                return True
        return False
