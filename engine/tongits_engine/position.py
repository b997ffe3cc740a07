"""States written by hand, for tests and tools. Not a way to start a game."""

from collections.abc import Sequence

from tongits_engine.rules import Rules
from tongits_engine.state import State


def position(
    rules: Rules,
    *,
    hands: Sequence[str] = ("", "", ""),
    melds: Sequence[tuple[int, str, str]] = (),
    discards: str = "",
    stock: str | None = None,
    phase: str = "start",
    to_act: int = 0,
    dealer: int = 0,
    turn: int | None = None,
    first_turn: bool = False,
    opened: Sequence[int] = (),
    lay_offs: Sequence[tuple[int, str, int, int]] = (),
    last_drawer: int | None = None,
) -> State:
    """A state from text; list only the cards that matter.

    Args:
        rules: What is played.
        hands: Cards of the three seats, for instance ``("4H 5H", "", "9C")``.
        melds: ``(owner, cards, how)`` in order of their numbers, ``how`` being ``exposed``,
            ``concealed`` or ``taken`` (made with a discard). Cards laid off already are listed
            in the meld.
        discards: The discard pile, top last.
        stock: The stock, next card first; None = all cards not named elsewhere, in card order.
        phase: ``start`` or ``action``; ``respond`` = ``to_act`` has just called Draw (as by
            playing ``call`` from ``start``; the state is over if nobody may answer).
        to_act: The seat whose turn it is (with ``respond``: the caller).
        dealer: The seat that dealt.
        turn: Turn index; None = 0 with ``first_turn``, else the first turn of ``to_act`` that is
            at least 3. It must be a turn of ``to_act``: (dealer + turn) % 3 == to_act.
        first_turn: Whether this is the dealer's first turn (then ``to_act`` must be the dealer).
        opened: Seats that count as opened although no meld of theirs is listed.
        lay_offs: ``(seat, card, meld number, turn index)`` of cards of ``melds`` that were laid
            off; they block calls and count as the rules say.
        last_drawer: Who drew last; None = the seat before ``to_act`` at START, else ``to_act``.

    Raises:
        PositionError: a card is named twice, a meld is none, or numbers contradict each other.
    """
    raise NotImplementedError
