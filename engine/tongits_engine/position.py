"""States written by hand, for tests and tools. Not a way to start a game."""

from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

from tongits_engine.actions import CALL
from tongits_engine.blocks import after_layoff
from tongits_engine.cards import PACK, SEATS, cards_of, cards_text, mask_of, parse_card, parse_cards
from tongits_engine.errors import PositionError
from tongits_engine.legality import may_call
from tongits_engine.melds import meld_shape
from tongits_engine.play import apply_legal
from tongits_engine.rules import Rules
from tongits_engine.state import (
    NEVER,
    NO_ANSWERS,
    LaidOff,
    Meld,
    Phase,
    State,
    Termination,
)

_PHASES: Final = {"start": Phase.START, "action": Phase.ACTION, "respond": Phase.START}
_HOW: Final = ("exposed", "concealed", "taken")


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
    if phase not in _PHASES or to_act not in range(SEATS) or dealer not in range(SEATS):
        _refuse(f"phase {phase!r} of seat {to_act!r}, dealer {dealer!r}")
    turn = _turn(turn, to_act, dealer, first_turn=first_turn)
    placed = _melds(rules, melds, lay_offs)
    pile = parse_cards(discards)
    held = [parse_cards(hand) for hand in hands]
    named = _distinct([*held, pile, *[meld.cards for meld in placed], parse_cards(stock or "")])
    blocks = (NEVER, NEVER, NEVER)
    for by, _, number, laid_at in lay_offs:
        blocks = after_layoff(rules, blocks, by=by, owner=placed[number].owner, turn=laid_at)
    drawer = (to_act - (phase != "action")) % SEATS
    state = State()
    state.rules = rules
    state.phase = _PHASES[phase]
    state.to_act = to_act
    state.dealer = dealer
    state.turn = turn
    state.hands = (mask_of(held[0]), mask_of(held[1]), mask_of(held[2]))
    state.deck = cards_of((1 << PACK) - 1 & ~named) if stock is None else parse_cards(stock)
    state.drawn = 0
    state.discards = pile
    state.melds = placed
    state.opened = mask_of(opened) | mask_of([meld.owner for meld in placed])
    state.blocks = blocks
    state.melds_this_turn = 0
    state.last_drawer = drawer if last_drawer is None else last_drawer
    state.caller = -1
    state.answers = NO_ANSWERS
    state.termination = Termination.NONE
    state.known_legal = None
    if phase != "respond":
        return state
    if not may_call(state):
        _refuse(f"seat {to_act} may not call")
    return apply_legal(state, CALL).state


def _refuse(reason: str) -> NoReturn:
    raise PositionError(f"no such position: {reason}")


def _turn(turn: int | None, to_act: int, dealer: int, *, first_turn: bool) -> int:
    if turn is None:
        turn = 0 if first_turn else SEATS + (to_act - dealer) % SEATS
    if (dealer + turn) % SEATS != to_act or first_turn != (turn == 0) or turn < 0:
        _refuse(f"turn {turn} is not seat {to_act}'s (dealer {dealer}, first_turn={first_turn})")
    return turn


def _melds(
    rules: Rules,
    melds: Sequence[tuple[int, str, str]],
    lay_offs: Sequence[tuple[int, str, int, int]],
) -> tuple[Meld, ...]:
    placed = []
    for number, (owner, text, how) in enumerate(melds):
        shape = meld_shape(rules, mask_of(parse_cards(text)))
        if shape is None or how not in _HOW or owner not in range(SEATS):
            _refuse(f"meld {number}: {owner!r} {text!r} {how!r}")
        laid_off = [LaidOff(by, parse_card(card)) for by, card, to, _ in lay_offs if to == number]
        if any(card not in shape.cards for _, card in laid_off):
            _refuse(f"meld {number} does not hold the cards laid off on it")
        open_to_layoffs = rules.layoff_enabled and how != "concealed"
        placed.append(
            Meld(
                number=number,
                owner=owner,
                kind=shape.kind,
                cards=shape.cards,
                size=len(shape.cards),
                concealed=how == "concealed",
                taken=how == "taken",
                laid_off=tuple(laid_off),
                mask=shape.mask,
                fits=rules.tables.fits[shape.mask] if open_to_layoffs else 0,
            )
        )
    if any(number not in range(len(placed)) for _, _, number, _ in lay_offs):
        _refuse("a lay-off on a meld that is not there")
    return tuple(placed)


def _distinct(groups: Iterable[bytes]) -> int:
    named = 0
    for group in groups:
        for card in group:
            if named >> card & 1:
                _refuse(f"{cards_text([card])} is named twice")
            named |= 1 << card
    return named
