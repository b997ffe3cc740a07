"""One game in JSON judged: what was legal at each step, and the result. No loop, no I/O."""

import json
from collections.abc import Mapping
from typing import Final

from tongits_engine.actions import parse_action
from tongits_engine.cards import parse_card
from tongits_engine.dealing import deal
from tongits_engine.errors import DeckError, EngineError, InvalidAction
from tongits_engine.legality import legal_actions
from tongits_engine.play import apply_legal
from tongits_engine.presets import rules_named
from tongits_engine.reasons import why_illegal
from tongits_engine.scoring import GameResult, settle
from tongits_engine.state import State

_KEYS: Final = ("rules", "deck", "dealer", "actions")
_OPTIONAL: Final = "overrides"

Verdict = dict[str, object]


def judge(line: str) -> Verdict:
    """The verdict on one game, as the command ``tongits referee`` prints it.

    Args:
        line: A JSON object with ``rules`` (a name), ``deck`` (52 card texts, top first),
            ``dealer`` (a seat), ``actions`` (texts) and, if wanted, ``overrides`` (rule
            parameters by dotted name).

    Returns:
        ``steps``, one for every action given and for the one that is due; ``result``, null
        unless the game is over; ``error``, null unless something is wrong: ``step`` is then the
        index of the action, or null where the game cannot even be dealt. Never raises for what
        the line holds.
    """
    try:
        game = _parsed(line)
        rules = rules_named(_text(game, "rules"), _overrides(game))
        state = deal(rules, _deck(game), _dealer(game))
        actions = _actions(game)
    except EngineError as error:
        return _verdict([], error=_error(None, str(error)))
    return _judged(state, actions)


def _judged(state: State, actions: list[object]) -> Verdict:
    steps: list[Verdict] = []
    for number, text in enumerate(actions):
        if state.is_over:
            return _verdict(steps, error=_error(number, "the game is over"))
        steps.append(_step(state))
        try:
            action = parse_action(_action_text(text))
        except InvalidAction as error:
            return _verdict(steps, error=_error(number, str(error)))
        illegal = why_illegal(state, action)
        if illegal is not None:
            reason = f"{action.text}: {illegal.reason} ({illegal.rule})"
            return _verdict(steps, error=_error(number, reason))
        state = apply_legal(state, action).state
    if state.is_over:
        return _verdict(steps, result=result_as_json(settle(state)))
    return _verdict([*steps, _step(state)])


def _step(state: State) -> Verdict:
    legal = sorted([action.text for action in legal_actions(state)])
    return {"seat": state.to_act, "phase": state.phase.text, "legal": legal}


def result_as_json(result: GameResult) -> Verdict:
    """A game result in the referee's words."""
    return {
        "termination": result.termination.text,
        "winner": result.winner,
        "deadwood": list(result.deadwood),
        "burned": list(result.burned),
        "payments": list(result.payments),
    }


def _verdict(
    steps: list[Verdict], result: Verdict | None = None, error: Verdict | None = None
) -> Verdict:
    return {"steps": steps, "result": result, "error": error}


def _error(step: int | None, reason: str) -> Verdict:
    return {"step": step, "reason": reason}


def _parsed(line: str) -> Mapping[str, object]:
    try:
        game = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EngineError(f"not JSON: {error}") from error
    if not isinstance(game, dict):
        raise EngineError("a game is a JSON object")
    missing = [key for key in _KEYS if key not in game]
    unknown = [str(key) for key in game if key not in (*_KEYS, _OPTIONAL)]
    problems = [f"missing: {', '.join(missing)}"] if missing else []
    problems += [f"unknown: {', '.join(unknown)}"] if unknown else []
    if problems:
        raise EngineError(f"keys of a game are {', '.join(_KEYS)}; {'; '.join(problems)}")
    return game


def _text(game: Mapping[str, object], key: str) -> str:
    value = game[key]
    if not isinstance(value, str):
        raise EngineError(f"{key} must be a text")
    return value


def _overrides(game: Mapping[str, object]) -> dict[str, object]:
    overrides = game.get(_OPTIONAL, {})
    if not isinstance(overrides, dict):
        raise EngineError("overrides must be an object: values by parameter name")
    return overrides


def _deck(game: Mapping[str, object]) -> bytes:
    cards = game["deck"]
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise DeckError("deck must be a list of 52 card texts, top first")
    return bytes([parse_card(card) for card in cards])


def _dealer(game: Mapping[str, object]) -> int:
    dealer = game["dealer"]
    if not isinstance(dealer, int) or isinstance(dealer, bool):
        raise DeckError("dealer must be 0, 1 or 2")
    return dealer


def _actions(game: Mapping[str, object]) -> list[object]:
    actions = game["actions"]
    if not isinstance(actions, list):
        raise EngineError("actions must be a list of texts")
    return actions


def _action_text(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidAction(f"{value!r} is no action: an action is a text")
    return value
