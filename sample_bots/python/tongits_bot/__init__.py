"""Write a Tong-its bot in Python.

    from tongits_bot import Action, View, serve

    def decide(view: View) -> Action:
        return view.rng.choice(view.legal)

    serve(decide)

`serve` plays with a function, `serve_games` with a class that remembers; the cards and melds of a
game are worked out with the functions below. `tongits_bot.testing` makes a View for your tests.
"""

from tongits_bot.cards import (
    DECK,
    POINTS,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    points,
    rank,
    suit,
)
from tongits_bot.melds import best_melds, deadwood, is_meld, loose_cards, melds_in, unseen
from tongits_bot.play import GameBot, serve, serve_games
from tongits_bot.values import Action, Event, EventKind, Kind, Meld, Phase, Result
from tongits_bot.view import Game, View

__all__ = [
    "DECK",
    "POINTS",
    "Action",
    "Event",
    "EventKind",
    "Game",
    "GameBot",
    "Kind",
    "Meld",
    "Phase",
    "Result",
    "View",
    "best_melds",
    "deadwood",
    "format_card",
    "format_cards",
    "is_meld",
    "loose_cards",
    "melds_in",
    "parse_card",
    "parse_cards",
    "points",
    "rank",
    "serve",
    "serve_games",
    "suit",
    "unseen",
]
