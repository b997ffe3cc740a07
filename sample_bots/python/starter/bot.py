"""A bot to begin with. `decide` is the only thing to write: make it better."""

from tongits_bot import Action, Kind, View, deadwood, serve


def decide(view: View) -> Action:
    """Choose one of `view.legal`.

    This one throws away the card without which the least points are left in the hand, and takes
    the first legal action where nothing is to be thrown away.
    """
    discards = [action for action in view.legal if action.kind is Kind.DISCARD]
    if discards:
        return min(discards, key=lambda action: points_left(view, action))
    return view.legal[0]


def points_left(view: View, discard: Action) -> int:
    """Points in the hand once this card is gone."""
    return deadwood(view.hand.replace(discard.cards, b""), runs=view.game.runs)


if __name__ == "__main__":
    serve(decide)
