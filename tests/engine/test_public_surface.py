"""What the engine offers is this list, and it needs nothing but the standard library."""

import ast
import sys
from pathlib import Path

import tongits_engine

SURFACE = [
    "ACTIONS",
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
    "MAX_MELDS",
    "Meld",
    "MeldKind",
    "MeldShape",
    "MeldView",
    "Observation",
    "PACK",
    "PARAMETERS",
    "POINTS",
    "PRESETS",
    "Parameter",
    "Phase",
    "PositionError",
    "RANKS",
    "Replayed",
    "Rules",
    "RulesError",
    "SEATS",
    "SUITS",
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


def test_the_public_names_are_these():
    assert sorted(tongits_engine.__all__) == SURFACE


def test_every_public_name_is_there_and_documented():
    for name in tongits_engine.__all__:
        thing = getattr(tongits_engine, name)
        if callable(thing):
            assert thing.__doc__, name


def test_the_engine_imports_the_standard_library_only():
    for file in sorted(Path(tongits_engine.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, file.name
                names = [node.module]
            roots = {name.split(".")[0] for name in names}
            assert roots <= {*sys.stdlib_module_names, "tongits_engine"}, file.name
