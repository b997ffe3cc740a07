"""Puts down what it can as soon as it can, and throws away its highest loose card.

It looks at its own cards only: it never calls Draw, and it contests a call when its hand is light.
"""

from tongits_bot import Action, Kind, View, deadwood, points, serve

CHALLENGE_AT = 30
"""Contests a call with at most this many points in hand."""


def decide(view: View) -> Action:
    """Takes, melds and lays off whatever is possible; else draws, discards or answers a call."""
    by_kind: dict[Kind, list[Action]] = {}
    for action in view.legal:
        by_kind.setdefault(action.kind, []).append(action)
    for kind in (Kind.TAKE, Kind.CONCEAL, Kind.EXPOSE, Kind.LAYOFF):
        if kind in by_kind:
            return max(by_kind[kind], key=lambda action: points(action.cards))
    if Kind.DISCARD in by_kind:
        return min(by_kind[Kind.DISCARD], key=lambda action: left_after(view, action))
    if Kind.CHALLENGE in by_kind:
        is_light = deadwood(view.hand, runs=view.game.runs) <= CHALLENGE_AT
        return by_kind[Kind.CHALLENGE if is_light else Kind.FOLD][0]
    return by_kind[Kind.DRAW][0]


def left_after(view: View, discard: Action) -> int:
    """Points left in the hand once this card is gone."""
    return deadwood(view.hand.replace(discard.cards, b""), runs=view.game.runs)


if __name__ == "__main__":
    serve(decide)
