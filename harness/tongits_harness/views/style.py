"""How an entrant plays: shares and rates over some of its games, made again from the records."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tongits_engine import ActionKind, EngineError, Rules, replay

from tongits_harness.results.records import SessionRecord


@dataclass(frozen=True, slots=True)
class Style:
    """Counts over games, and what is made of them."""

    games: int
    actions: Counter[ActionKind]

    @property
    def lines(self) -> tuple[tuple[str, float | None, str], ...]:
        """What is told: words, value, and "share" or "a game"."""
        count = self.actions
        taken, drawn = count[ActionKind.TAKE], count[ActionKind.DRAW]
        calls, folds = count[ActionKind.CHALLENGE], count[ActionKind.FOLD]
        return (
            ("turns begun with the discard", _share(taken, taken + drawn), "share"),
            ("melds put down", self._rate(ActionKind.EXPOSE, ActionKind.TAKE), "a game"),
            ("fours concealed", self._rate(ActionKind.CONCEAL), "a game"),
            ("cards laid off", self._rate(ActionKind.LAYOFF), "a game"),
            ("Draw called", self._rate(ActionKind.CALL), "a game"),
            ("calls contested", _share(calls, calls + folds), "share"),
        )

    def _rate(self, *kinds: ActionKind) -> float | None:
        return sum(self.actions[kind] for kind in kinds) / self.games if self.games else None


def style_of(
    name: str,
    rules: Rules,
    sessions: Iterable[SessionRecord],
    deck_of: Callable[[str, int], bytes],
) -> Style:
    """The style of an entrant over these sessions; games that do not replay are passed over.

    Args:
        name: The entrant.
        rules: What was played.
        sessions: Sessions in which it took part.
        deck_of: The shuffle of a game, by match key and number of the game.
    """
    games, actions = 0, Counter[ActionKind]()
    for session in sessions:
        seat = session.plan.seats.index(name)
        for number, record in enumerate(session.games):
            deck = deck_of(session.plan.match.key, number)
            try:
                steps = list(replay(rules, deck, record.dealer, record.actions))
            except EngineError:
                continue
            games += 1
            actions.update(step.action.kind for step in steps if step.before.to_act == seat)
    return Style(games, actions)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
