"""Complete rules of Tong-its as pure values and functions.

A game: ``deal`` a deck, ask ``legal_actions``, ``apply`` one, and ``settle`` when it is over.
"""

from tongits_engine.actions import ACTIONS, Action, ActionKind, action_of, parse_action
from tongits_engine.cards import (
    PACK,
    POINTS,
    RANKS,
    SEATS,
    SUITS,
    card_text,
    cards_of,
    cards_text,
    is_pack,
    mask_of,
    parse_card,
    parse_cards,
    points_of,
)
from tongits_engine.dealing import deal
from tongits_engine.errors import (
    DeckError,
    EngineError,
    IllegalActionError,
    InvalidAction,
    InvalidCard,
    PositionError,
    RulesError,
)
from tongits_engine.events import Event, EventKind, redact
from tongits_engine.legality import has_opened, is_call_blocked, legal_actions
from tongits_engine.meld_shapes import MAX_MELDS, MeldKind, MeldShape
from tongits_engine.melds import (
    all_melds,
    deadwood,
    grouping,
    is_meld,
    loose_cards,
    meld_shape,
    melds_in,
)
from tongits_engine.observation import Observation, observe
from tongits_engine.parameters import PARAMETERS, Parameter, Value
from tongits_engine.play import apply, apply_legal
from tongits_engine.position import position
from tongits_engine.presets import PRESETS, rules_named
from tongits_engine.reasons import Illegal, why_illegal
from tongits_engine.record import Replayed, replay
from tongits_engine.referee import judge, result_as_json
from tongits_engine.rules import Rules
from tongits_engine.rules_text import describe
from tongits_engine.scoring import GameResult, settle
from tongits_engine.session import Table, close_game, close_session, open_game
from tongits_engine.shuffle import bot_seed, commitment, deck, first_dealer
from tongits_engine.state import Answer, LaidOff, Meld, Phase, State, Step, Termination

MeldView = Meld
"""A meld in an observation: a ``Meld`` without cards where they are hidden."""

__all__ = [
    "ACTIONS",
    "MAX_MELDS",
    "PACK",
    "PARAMETERS",
    "POINTS",
    "PRESETS",
    "RANKS",
    "SEATS",
    "SUITS",
    "Action",
    "ActionKind",
    "Answer",
    "DeckError",
    "EngineError",
    "Event",
    "EventKind",
    "GameResult",
    "Illegal",
    "IllegalActionError",
    "InvalidAction",
    "InvalidCard",
    "LaidOff",
    "Meld",
    "MeldKind",
    "MeldShape",
    "MeldView",
    "Observation",
    "Parameter",
    "Phase",
    "PositionError",
    "Replayed",
    "Rules",
    "RulesError",
    "State",
    "Step",
    "Table",
    "Termination",
    "Value",
    "action_of",
    "all_melds",
    "apply",
    "apply_legal",
    "bot_seed",
    "card_text",
    "cards_of",
    "cards_text",
    "close_game",
    "close_session",
    "commitment",
    "deadwood",
    "deal",
    "deck",
    "describe",
    "first_dealer",
    "grouping",
    "has_opened",
    "is_call_blocked",
    "is_meld",
    "is_pack",
    "judge",
    "legal_actions",
    "loose_cards",
    "mask_of",
    "meld_shape",
    "melds_in",
    "observe",
    "open_game",
    "parse_action",
    "parse_card",
    "parse_cards",
    "points_of",
    "position",
    "redact",
    "replay",
    "result_as_json",
    "rules_named",
    "settle",
    "why_illegal",
]
