"""Makes the games that the simulator of the Rust `montecarlo` bot is checked with.

    .venv/bin/python -m tests.kits.make_games

The engine plays seeded games under many rules with players that choose a kind of action first, so
that what is rare in play is not rare here. A line holds what the engine says of one game: rules,
parameters that are not those of tongits-lite, dealer, deck, actions, after each action before it
a check of all that was legal, the payments.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

from tongits_engine import (
    Action,
    ActionKind,
    Rules,
    State,
    apply_legal,
    cards_text,
    deal,
    deck,
    legal_actions,
    rules_named,
    settle,
)

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "sample_bots" / "rust" / "src" / "bin" / "montecarlo" / "games.txt"
ODD = {
    "deal.cards": (14, 13), "turn.dealer_draws_first": True, "meld.ace_high": True,
    "meld.run_max": 4, "meld.max_per_turn": 1, "meld.face_down": "none",
    "layoff.requires_open": True, "discard.forbid_layoffable": True,
    "draw.block_own_long_meld": True, "draw.block_opponent_layoff": "rest_of_hand",
    "tie.stock": "recency", "tie.caller_vs_challenger": "caller",
    "tie.two_challengers": "last_challenger",
    "score.set_bonus_scope": "any4", "end.none_opened": "lowest_wins",
}  # fmt: skip
LOOSE = {
    "meld.ace_high": True, "layoff.before_draw": True, "draw.requires_open": False,
    "draw.challenge_requires_open": False, "draw.block_discard_taken": True,
    "open.secret_in_hand_counts": True, "tongits.trigger": "all_grouped", "tie.stock": "none",
    "end.stock_moment": "next_start", "deadwood.held_melds_free": True,
}  # fmt: skip
WANTED = (
    ("tongits-lite", {}, 60),
    ("sa-tong", {}, 45),
    ("tongits-lite+ngalimba", {}, 6),
    ("sa-tong+chips-2-4-4", {}, 6),
    ("sa-tong-literal", {}, 8),
    ("tongits-lite-literal", {}, 8),
    ("tongits-lite", ODD, 16),
    ("tongits-lite", LOOSE, 16),
)
"""Rules, what is changed in them, and how many games."""
PATIENCE = (0.0, 0.6, 0.9)
"""How much likelier than not each style is to let a call, a take or a meld pass."""


def games() -> Iterator[str]:
    """All lines, in their order."""
    for name, overrides, wanted in WANTED:
        rules = rules_named(name, overrides)
        for number in range(wanted):
            seed = hashlib.sha256(f"games {name} {len(overrides)} {number}".encode()).digest()
            yield line(rules, seed, number)


def line(rules: Rules, seed: bytes, number: int) -> str:
    """One game as a line."""
    chance = random.Random(seed)
    cards = deck(seed, "games", number)
    state = deal(rules, cards, number % 3)
    played = []
    while not state.is_over:
        legal = legal_actions(state)
        action = choose(state, legal, chance, PATIENCE[(number + state.to_act) % len(PATIENCE)])
        played.append(f"{check(legal)} {action.text}")
        state = apply_legal(state, action).state
    payments = " ".join(map(str, settle(state).payments))
    return "|".join(
        [parameters(rules), str(number % 3), cards_text(cards), ",".join(played), payments]
    )


def parameters(rules: Rules) -> str:
    """What is not as in tongits-lite, as the protocol tells it."""
    usual = Rules().parameters()
    changed = {key: value for key, value in rules.parameters().items() if value != usual[key]}
    return ";".join(f"{key}={json.dumps(value)}" for key, value in changed.items())


def choose(
    state: State, legal: tuple[Action, ...], chance: random.Random, patience: float
) -> Action:
    """Any action of any kind; of the kinds that are no duty fewer with more patience."""
    kinds = sorted({action.kind for action in legal})
    duties = [kind for kind in kinds if kind in (ActionKind.DRAW, ActionKind.DISCARD)]
    if duties and chance.random() < (1.0 if not state.turn else 1.2) * patience:
        kinds = duties
    kind = chance.choice(kinds)
    return chance.choice([action for action in legal if action.kind is kind])


def check(legal: tuple[Action, ...]) -> str:
    """Number of legal actions and FNV-1a over their texts in alphabetical order, 16 bits of it."""
    value = 0xCBF29CE484222325
    for byte in ",".join(sorted(action.text for action in legal)).encode():
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return f"{len(legal)}:{value >> 48:04x}"


if __name__ == "__main__":
    lines = list(games())
    GAMES.write_text("\n".join(lines) + "\n")
    print(f"{GAMES.relative_to(ROOT)}: {len(lines)} games")  # noqa: T201
