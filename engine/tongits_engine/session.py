"""What passes from game to game of a session: dealer, pot, streaks, chips. Not the games."""

from typing import NamedTuple

from tongits_engine.cards import SEATS
from tongits_engine.rules import Rules
from tongits_engine.scoring import GameResult

Triple = tuple[int, int, int]


class Table(NamedTuple):
    """A session between two games, or during one after ``open_game``."""

    rules: Rules
    dealer: int
    """Who deals the next game (the present one after ``open_game``)."""
    pot: int = 0
    chips: Triple = (0, 0, 0)
    """Won or lost so far by seat, antes included; with the pot they sum to 0."""
    streaks: Triple = (0, 0, 0)
    """Wins in a row by seat."""
    games: int = 0
    """Games closed."""


def open_game(table: Table) -> Table:
    """The table once the antes of a new game are in the pot. Rule: R-POT-1."""
    if table.rules.pot_ante_payers != "all":
        return table
    return _pay_antes(table, (0, 1, 2))


def close_game(table: Table, result: GameResult) -> Table:
    """The table after a game: payments, then pot, streaks and the next dealer.

    Rule: R-POT-1 to R-POT-4, R-POT-6, R-DEAL-3, R-DEAL-4.
    """
    paid = table._replace(chips=_sum(table.chips, result.payments), games=table.games + 1)
    winner = result.winner
    if winner is None:
        keep = table.rules.pot_void_hand == "keep"
        return paid if keep else paid._replace(streaks=(0, 0, 0))
    if table.rules.pot_ante_payers == "losers":
        paid = _pay_antes(paid, tuple(seat for seat in range(SEATS) if seat != winner))
    return _book_win(paid, winner)._replace(dealer=_next_dealer(table, winner))


def close_session(table: Table) -> Table:
    """The table with an empty pot; its chips sum to 0.

    ``pot.match_end`` split: a third each. ``winner``: to the seat with most chips, equal ones
    share. What cannot be shared equally goes chip by chip to the sharers from seat 0 on.

    Rule: R-POT-5.
    """
    sharers = list(range(SEATS))
    if table.rules.pot_match_end == "winner":
        sharers = [seat for seat in sharers if table.chips[seat] == max(table.chips)]
    share, rest = divmod(table.pot, len(sharers))
    gains = [0, 0, 0]
    for place, seat in enumerate(sharers):
        gains[seat] = share + (place < rest)
    return table._replace(pot=0, chips=_sum(table.chips, (gains[0], gains[1], gains[2])))


def _pay_antes(table: Table, payers: tuple[int, ...]) -> Table:
    ante = table.rules.pot_ante
    due = [-ante if seat in payers else 0 for seat in range(SEATS)]
    chips = _sum(table.chips, (due[0], due[1], due[2]))
    return table._replace(chips=chips, pot=table.pot + ante * len(payers))


def _book_win(table: Table, winner: int) -> Table:
    """Rule: R-POT-2, R-POT-3."""
    rules = table.rules
    streak = table.streaks[winner] + 1
    if streak < rules.pot_streak:
        return table._replace(streaks=_only(winner, streak))
    kept = streak if rules.pot_after_hit == "continue" else 0
    chips = _sum(table.chips, _only(winner, table.pot))
    return table._replace(streaks=_only(winner, kept), chips=chips, pot=0)


def _next_dealer(table: Table, winner: int) -> int:
    """Rule: R-DEAL-3."""
    if table.rules.deal_next_dealer == "winner":
        return winner
    step = 1 if table.rules.deal_next_dealer == "next_seat" else -1
    return (table.dealer + step) % SEATS


def _only(seat: int, value: int) -> Triple:
    values = [0, 0, 0]
    values[seat] = value
    return values[0], values[1], values[2]


def _sum(one: Triple, other: Triple) -> Triple:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]
