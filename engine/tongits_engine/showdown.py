"""The call of Draw and the answers to it. Who wins a contest is in ``scoring``."""

from typing import Final

from tongits_engine.actions import Action, ActionKind
from tongits_engine.ending import end
from tongits_engine.events import BY_KIND_AND_SEAT, Event, EventKind
from tongits_engine.legality import may_challenge
from tongits_engine.melds import deadwood
from tongits_engine.state import (
    NO_ANSWERS,
    Answer,
    Phase,
    State,
    Step,
    Termination,
    copied,
    with_answer,
)

_new: Final = tuple.__new__
_RESPONDERS: Final = ((1, 2), (2, 0), (0, 1))
"""By caller: the opponents in the order they are asked. Rule: R-CALL-7."""
_CALLS: Final = BY_KIND_AND_SEAT[EventKind.CALLED]
_AUTO_FOLDS: Final = BY_KIND_AND_SEAT[EventKind.AUTO_FOLDED]
_NONE: Final = Answer.NONE
_CHALLENGED: Final = Answer.CHALLENGED
_AUTO_FOLDED: Final = Answer.AUTO_FOLDED
_RESPOND: Final = Phase.RESPOND
_EVENTS_OF_ANSWER: Final = {
    Answer.CHALLENGED: BY_KIND_AND_SEAT[EventKind.CHALLENGED],
    Answer.FOLDED: BY_KIND_AND_SEAT[EventKind.FOLDED],
}


def call(state: State, _action: Action) -> Step:
    """The state after a call of Draw. Rule: R-CALL-7, R-CALL-8, R-CALL-14."""
    caller = state.to_act
    answers = NO_ANSWERS
    events: tuple[Event, ...] = (_called(state, caller),)
    for seat in _RESPONDERS[caller]:
        if not may_challenge(state, seat):
            answers = with_answer(answers, seat, _AUTO_FOLDED)
            events += (_AUTO_FOLDS[seat],)
    return _ask(state, caller, answers, events)


def _called(state: State, caller: int) -> Event:
    if not state.rules.draw_caller_announces_points:
        return _CALLS[caller]
    return Event(EventKind.CALLED, caller, points=deadwood(state.rules, state.hands[caller]))


def answer(state: State, action: Action) -> Step:
    """The state after a challenge or a fold. Rule: R-CALL-7."""
    said = _CHALLENGED if action.kind is ActionKind.CHALLENGE else Answer.FOLDED
    answers = with_answer(state.answers, state.to_act, said)
    events: tuple[Event, ...] = ()
    if state.rules.draw_response_order == "right_of_caller":
        events = (_EVENTS_OF_ANSWER[said][state.to_act],)
    elif all(answers[seat] for seat in _RESPONDERS[state.caller]):
        events = _given_answers(state, answers)
    return _ask(state, state.caller, answers, events)


def _given_answers(state: State, answers: tuple[Answer, Answer, Answer]) -> tuple[Event, ...]:
    """All answers at once, where they are simultaneous; automatic folds are known already."""
    seats = [s for s in _RESPONDERS[state.caller] if answers[s] is not _AUTO_FOLDED]
    return tuple([_EVENTS_OF_ANSWER[answers[seat]][seat] for seat in seats])


def _ask(
    state: State,
    caller: int,
    answers: tuple[Answer, Answer, Answer],
    events: tuple[Event, ...],
) -> Step:
    """The next answer that is due, or the end. Rule: R-CALL-7, R-CALL-9."""
    first, second = _RESPONDERS[caller]
    asked = first if answers[first] is _NONE else second
    after = copied(state)
    after.phase = _RESPOND
    after.to_act = asked
    after.caller = caller
    after.answers = answers
    if answers[asked] is _NONE:
        return _new(Step, (after, events))
    contested = _CHALLENGED in answers
    ending = Termination.DRAW_CONTESTED if contested else Termination.DRAW_UNCONTESTED
    return end(after, ending, events)
