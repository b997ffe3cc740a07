"""Raises an exception when a game is nearly over. Expected fault: CRASH."""

from tongits_bot import Action, View, serve

NEARLY_EMPTY_HAND = 3
NEARLY_EMPTY_STOCK = 2


def decide(view: View) -> Action:
    """The first legal action, until hand or stock is nearly empty."""
    if len(view.hand) <= NEARLY_EMPTY_HAND or view.stock_size <= NEARLY_EMPTY_STOCK:
        raise RuntimeError(f"{len(view.hand)} cards in hand, {view.stock_size} in the stock")
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
