"""A slow and plain referee of Tong-its, the independent check on the engine.

Written from the rule texts alone and importing nothing of the engine: cards are two-letter
strings, a meld is a frozen set of cards, and every list of legal actions is found by trying all
melds there are. `judge` keeps the contract of `tongits referee`. Not for playing: it is slow.
"""

from tests.engine.oracle_cards import ALONE, BASES, DECK, OVERLAYS, is_set, melds_of
from tests.engine.oracle_game import Game, OnTable

__all__ = ["DECK", "Game", "OnTable", "is_set", "judge", "melds_of", "rules_named"]


def rules_named(name, overrides):
    """The parameters of `base+overlay` with overrides."""
    base, *overlays = name.split("+")
    if base in ALONE:
        base, overlays = ALONE[base], [base, *overlays]
    rules = dict(BASES[base])
    for overlay in overlays:
        rules |= OVERLAYS[overlay]
    return rules | overrides


def judge(game):
    """Judge one game: steps, result and error as `tongits referee` prints them."""
    rules = rules_named(game["rules"], game.get("overrides", {}))
    assert sorted(game["deck"]) == sorted(DECK)
    state = Game(rules, game["deck"], game["dealer"])
    steps = []
    for number, action in enumerate(game["actions"]):
        legal = state.legal()
        if state.result is None:
            steps.append({"seat": state.seat, "phase": state.phase, "legal": legal})
        if action not in legal:
            reason = f"{action!r} is not legal here"
            return {"steps": steps, "result": None, "error": {"step": number, "reason": reason}}
        state.play(action)
    if state.result is None:
        steps.append({"seat": state.seat, "phase": state.phase, "legal": state.legal()})
    return {"steps": steps, "result": state.result, "error": None}
