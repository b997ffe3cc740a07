"""Discards a card that it does not hold. Expected fault: ILLEGAL_ACTION."""

from tongits_bot import Action, Kind, View, serve, unseen

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""


def decide(view: View) -> Action:
    """The first legal action, later a discard from somebody else's hand."""
    if view.turn >= FROM_TURN:
        return Action(Kind.DISCARD, unseen(view.hand, view.discards)[:1])
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
