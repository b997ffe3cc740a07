"""Who won a game and who pays what. Not the pot, not the play; the chips of one game only."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from tongits_engine.cards import ACES, SEATS
from tongits_engine.hand_tables import hand_cards
from tongits_engine.legality import has_opened
from tongits_engine.meld_shapes import MeldKind
from tongits_engine.melds import bonus_sets_in_hand, deadwood
from tongits_engine.rules import Rules
from tongits_engine.state import Answer, Meld, State, Termination, Triple

_FOUR = 4
_T = TypeVar("_T")


class GameResult(NamedTuple):
    """The outcome of one game."""

    termination: Termination
    winner: int | None
    """None if the game is void."""
    deadwood: tuple[int, int, int]
    """By seat, also of folders."""
    burned: tuple[bool, bool, bool]
    """By seat: never opened and not the winner."""
    payments: tuple[int, int, int]
    """Chips won (+) or paid (-) by seat, without the pot; they sum to 0."""
    aces: int
    """Aces the winner was paid for."""
    bonus_sets: int
    """Sets the winner was paid the bonus for."""
    shown_hands: tuple[bytes | None, bytes | None, bytes | None]
    """By seat: the hand where the end shows it."""
    shown_melds: tuple[int, ...]
    """Numbers of the concealed melds the end shows."""


def settle(state: State) -> GameResult:
    """The result of a finished game.

    Raises:
        ValueError: the game is not over.

    Rule: R-PAY-1 to R-PAY-9, R-END-4, R-CALL-10.
    """
    if not state.is_over:
        raise ValueError("the game is not over: it has no result yet")
    rules, hands = state.rules, state.hands
    points = points_left(state)
    winner = winner_of(state, points)
    aces = 0 if winner is None else _aces(state, winner)
    bonus_sets = 0 if winner is None else _bonus_sets(state, winner)
    burned = [seat != winner and not has_opened(state, seat) for seat in range(SEATS)]
    extra = rules.score_ace * aces + rules.score_set_bonus * bonus_sets
    shown = shown_seats(state)
    return GameResult(
        termination=state.termination,
        winner=winner,
        deadwood=points,
        burned=(burned[0], burned[1], burned[2]),
        payments=_payments(state, winner, extra, burned),
        aces=aces,
        bonus_sets=bonus_sets,
        shown_hands=_triple([hand_cards(hands[s]) if s in shown else None for s in range(SEATS)]),
        shown_melds=tuple([meld.number for meld in shown_melds(state, winner)]),
    )


def points_left(state: State) -> Triple:
    """The deadwood of every hand, by seat."""
    rules = state.rules
    first, second, third = state.hands
    return deadwood(rules, first), deadwood(rules, second), deadwood(rules, third)


def winner_of(state: State, points: Triple) -> int | None:
    """The winner of a finished game, None if it is void; points as from ``points_left``."""
    if state.termination is Termination.STOCK_OUT:
        return _stock_winner(state, points)
    if state.termination is Termination.DRAW_UNCONTESTED:
        return state.caller
    if state.termination is Termination.DRAW_CONTESTED:
        return _least(points, _contest_order(state))
    return state.to_act if state.termination is Termination.TONGITS else None


def _stock_winner(state: State, points: Triple) -> int | None:
    """Who wins if the stock ends the game now; None = nobody, the game is void.

    Rule: R-END-4, R-END-5, R-END-6.
    """
    first = state.last_drawer
    step = -1 if state.rules.tie_stock == "recency" else 1
    order = [(first + step * place) % SEATS for place in range(SEATS)]
    opened = [seat for seat in order if has_opened(state, seat)]
    if not opened:
        if state.rules.end_none_opened == "void":
            return None
        opened = order
    winner = _least(points, opened)
    if state.rules.tie_stock == "none" and winner != _least(points, opened[::-1]):
        return None
    return winner


def is_stock_end_void(state: State) -> bool:
    """Whether nobody wins if the stock ends the game now; cheap where no tie can matter."""
    if state.opened and state.rules.tie_stock != "none":
        return False
    return _stock_winner(state, points_left(state)) is None


def contestants(state: State) -> tuple[int, ...]:
    """The caller and the challengers. Rule: R-CALL-10."""
    if state.caller < 0:
        return ()
    challengers = [s for s in range(SEATS) if state.answers[s] is Answer.CHALLENGED]
    return (state.caller, *challengers)


def shown_seats(state: State) -> tuple[int, ...]:
    """Seats whose hands the end of the game shows. Rule: R-INFO-4."""
    if state.termination in (Termination.STOCK_OUT, Termination.VOID):
        return tuple(range(SEATS))
    if state.termination is Termination.TONGITS:
        return (state.to_act,)
    return contestants(state)


def shown_melds(state: State, winner: int | None) -> tuple[Meld, ...]:
    """Concealed melds the end of the game shows: the winner's. Rule: R-INFO-4."""
    return tuple([meld for meld in state.melds if meld.concealed and meld.owner == winner])


def _contest_order(state: State) -> list[int]:
    """Contestants, the one who wins a tie first. Rule: R-CALL-11, R-CALL-12."""
    rules = state.rules
    order = [(state.caller + place) % SEATS for place in (1, 2)]
    if rules.tie_two_challengers == "last_challenger":
        order.reverse()
    challengers = [seat for seat in order if state.answers[seat] is Answer.CHALLENGED]
    if rules.tie_caller_vs_challenger == "caller":
        return [state.caller, *challengers]
    return [*challengers, state.caller]


def _least(points: Triple, seats: list[int]) -> int:
    """The seat with the least deadwood, of equal ones the first."""
    best = seats[0]
    for seat in seats:
        if points[seat] < points[best]:
            best = seat
    return best


def _aces(state: State, winner: int) -> int:
    """Rule: R-PAY-4."""
    by_location = state.rules.score_ace_owner == "location"
    aces = state.hands[winner] & ACES
    for meld in state.melds:
        if by_location:
            aces |= meld.mask & ACES if meld.owner == winner else 0
            continue
        laid_off = {card: seat for seat, card in meld.laid_off}
        for card in meld.cards:
            if laid_off.get(card, meld.owner) == winner:
                aces |= 1 << card & ACES
    return aces.bit_count()


def _bonus_sets(state: State, winner: int) -> int:
    """Rule: R-PAY-5, R-PAY-6."""
    own = [meld for meld in state.melds if meld.owner == winner]
    tabled = sum([_pays_bonus(state.rules, meld) for meld in own])
    return tabled + bonus_sets_in_hand(state.rules, state.hands[winner])


def _pays_bonus(rules: Rules, meld: Meld) -> bool:
    if meld.kind is not MeldKind.SET:
        return False
    if rules.score_set_bonus_scope == "all_sets":
        return True
    if meld.size != _FOUR:
        return False
    if rules.score_set_bonus_scope == "any4" or meld.concealed:
        return True
    return rules.meld_face_down == "after_show" and not meld.taken


def _payments(
    state: State, winner: int | None, extra: int, burned: Sequence[bool]
) -> tuple[int, int, int]:
    payments = [0, 0, 0]
    if winner is None:
        return (0, 0, 0)
    for loser in range(SEATS):
        if loser == winner:
            continue
        due = _base(state, loser) + extra
        if burned[loser]:
            due += state.rules.score_burned
        if state.answers[loser] in (Answer.FOLDED, Answer.AUTO_FOLDED):
            due += state.rules.score_fold_penalty
        payments[loser] -= due
        payments[winner] += due
    return _triple(payments)


def _base(state: State, loser: int) -> int:
    """Rule: R-PAY-1, R-PAY-2, R-PAY-3."""
    rules = state.rules
    if state.termination is Termination.TONGITS:
        return rules.score_tongits
    if state.termination is Termination.DRAW_UNCONTESTED:
        return rules.score_draw_uncontested
    if state.termination is Termination.DRAW_CONTESTED and (
        rules.score_draw_payers == "all_losers" or loser in contestants(state)
    ):
        return rules.score_draw_contested
    return rules.score_win


def _triple(values: Sequence[_T]) -> tuple[_T, _T, _T]:
    first, second, third = values
    return first, second, third
