"""Chips: what the end of this game is worth to this seat, depending on who wins and how.

A win brings more than the payments: the pot goes to whoever wins often enough in a row, and a
first win is half the way there.
"""

from tongits_bot import View, best_melds

NEXT_WIN = 0.35
"""Chance that the winner of a game also wins the next one."""
GOES_ON = 0.5
"""Chance that a session that has begun has another game; the first game is never the last."""
SETS_OF_OTHERS = 2.0
"""Sets in a winner's hand and on the table, where all of them are paid and nobody knows them."""
ACES_OF_OTHERS = 0.8
"""Aces of a winner whose hand nobody knows."""


class Stakes:
    """The rules' payments and the state of the pot, as one seat sees them at one decision."""

    def __init__(self, view: View) -> None:
        self._view = view
        rules = view.game.parameters
        self._base = _chips(rules.get("score.win", 1))
        self._contested = _chips(rules.get("score.draw_contested", 3))
        self._burned = _chips(rules.get("score.burned", 1))
        self._ace = _chips(rules.get("score.ace", 1))
        self._set = _chips(rules.get("score.set_bonus", 3))
        self._all_sets = rules.get("score.set_bonus_scope", "secret4") == "all_sets"
        self._streak = _chips(rules.get("pot.streak", 2))
        self._antes = 3 * _chips(rules.get("pot.ante", 2))
        self.ace = 2 * self._ace
        """What an ace adds to a win."""
        self.bonus = 2 * self._set if self._all_sets else 0.0
        """What one more set adds to a win."""

    def won(self, *, contested: int = 0) -> float:
        """Chips for a win in which so many of the others contested a call."""
        opened = self._view.opened
        burned = sum([not opened[seat] for seat in range(3) if seat != self._view.seat])
        base = contested * self._contested + (2 - contested) * self._base
        extra = self._extra(self._aces(), self._sets())
        return base + burned * self._burned + 2 * extra + self._pot(self._view.seat)

    def lost(self, winner: int, *, contested: bool = False) -> float:
        """Chips (fewer than none) for a win of this other seat."""
        paid = self._contested if contested else self._base
        if not self._view.opened[self._view.seat]:
            paid += self._burned
        sets = self._sets_shown(winner) if self._all_sets else 0.0
        if self._all_sets:
            sets = max(sets, SETS_OF_OTHERS)
        return self._pot(winner) - paid - self._extra(ACES_OF_OTHERS, sets)

    def _pot(self, winner: int) -> float:
        """What is to be had of the pot after a win of this seat."""
        pot, mine = self._view.game.pot, winner == self._view.seat
        streaks = self._view.game.streaks
        if streaks[winner] + 1 >= self._streak:
            return float(pot) if mine else 0.0
        again = 1.0 if not any(streaks) else GOES_ON
        ahead = NEXT_WIN if mine else (1 - NEXT_WIN) / 4
        return again * ahead * (pot + self._antes) + (1 - again) * pot / 3

    def _extra(self, aces: float, sets: float) -> float:
        return self._ace * aces + self._set * sets

    def _aces(self) -> int:
        view = self._view
        own = [meld.cards for meld in view.melds if meld.owner == view.seat]
        return sum([card < 4 for cards in (view.hand, *own) for card in cards])

    def _sets(self) -> float:
        """Own sets that would be paid: all of them, or fours that nobody has seen."""
        view = self._view
        held = best_melds(view.hand, runs=view.game.runs)
        sets = [meld for meld in held if _is_set(meld)]
        if self._all_sets:
            return len(sets) + self._sets_shown(view.seat)
        hidden = [m for m in view.melds if m.owner == view.seat and m.face_down]
        return len(hidden) + sum([len(meld) == 4 for meld in sets])

    def _sets_shown(self, seat: int) -> float:
        shown = [meld.cards for meld in self._view.melds if meld.owner == seat]
        return float(sum([_is_set(cards) for cards in shown if cards]))


def _is_set(cards: bytes) -> bool:
    return cards[0] >> 2 == cards[-1] >> 2


def _chips(value: object) -> int:
    return value if isinstance(value, int) else 0
