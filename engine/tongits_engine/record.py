"""A game as its deck and actions, played again. Not how records are stored."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tongits_engine.actions import Action, parse_action
from tongits_engine.dealing import deal
from tongits_engine.events import Event
from tongits_engine.play import apply
from tongits_engine.rules import Rules
from tongits_engine.state import State


class Replayed(NamedTuple):
    """One action of a record with what was before and after it."""

    before: State
    action: Action
    after: State
    events: tuple[Event, ...]


def replay(
    rules: Rules, deck: Sequence[int], dealer: int, actions: Iterable[str | Action]
) -> Iterator[Replayed]:
    """Every action of a game in turn, checked.

    Raises:
        DeckError: the deck or the dealer is none.
        InvalidAction: a text is no action.
        IllegalActionError: an action is not legal where it stands.
    """
    state = deal(rules, deck, dealer)
    for given in actions:
        action = parse_action(given) if isinstance(given, str) else given
        after, events = apply(state, action)
        yield Replayed(state, action, after, events)
        state = after
