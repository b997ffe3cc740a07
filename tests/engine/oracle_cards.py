"""Cards, melds and parameters for the oracle, as plain strings and sets."""

from functools import cache
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
POINTS = {card: min(RANKS.index(card[0]) + 1, 10) for card in DECK}

LITE = {
    "deal.cards": (13, 12),
    "turn.dealer_draws_first": False,
    "first_turn.may_expose": True,
    "meld.runs": True,
    "meld.run_max": 13,
    "meld.ace_high": False,
    "meld.max_per_turn": "none",
    "meld.face_down": "hand_four",
    "pickup.discard_after": True,
    "layoff.enabled": True,
    "layoff.requires_open": False,
    "layoff.before_draw": False,
    "draw.requires_open": True,
    "draw.challenge_requires_open": True,
    "draw.block_opponent_layoff": "next_turn",
    "draw.block_self": True,
    "draw.block_discard_taken": False,
    "draw.block_own_long_meld": False,
    "open.secret_in_hand_counts": False,
    "tie.caller_vs_challenger": "challenger",
    "tie.two_challengers": "right_of_caller",
    "tie.stock": "last_drawer_order",
    "end.stock_moment": "after_discard",
    "end.none_opened": "void",
    "tongits.trigger": "hand_empty",
    "deadwood.held_melds_free": True,
    "discard.forbid_layoffable": False,
    "score.win": 1,
    "score.tongits": 3,
    "score.draw_contested": 3,
    "score.draw_uncontested": 1,
    "score.draw_payers": "contest",
    "score.fold_penalty": 0,
    "score.burned": 1,
    "score.ace": 1,
    "score.ace_owner": "location",
    "score.set_bonus": 3,
    "score.set_bonus_scope": "secret4",
}
SA_TONG = LITE | {
    "meld.runs": False,
    "meld.face_down": "after_show",
    "layoff.enabled": False,
    "score.set_bonus_scope": "all_sets",
}
BASES = {"tongits-lite": LITE, "sa-tong": SA_TONG}
BASES["tongits-lite-literal"] = LITE | {"draw.block_self": False}
BASES["sa-tong-literal"] = SA_TONG | {
    "first_turn.may_expose": False,
    "deadwood.held_melds_free": False,
    "score.draw_uncontested": 3,
    "score.draw_payers": "all_losers",
    "score.fold_penalty": 1,
}
OVERLAYS = {
    "chips-2-4-4": {"score.set_bonus": 2, "score.tongits": 4, "score.draw_contested": 4},
    "ngalimba": {"score.set_bonus": 2, "score.tongits": 2, "score.draw_contested": 2},
}
ALONE = {"chips-2-4-4": "sa-tong", "ngalimba": "tongits-lite"}


def sort_key(card):
    return RANKS.index(card[0]), SUITS.index(card[1])


def text(cards):
    return " ".join(sorted(cards, key=sort_key))


def is_set(cards):
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1


def is_ace_high(cards):
    """A run with the king and the ace but without the whole suit between them."""
    return not is_set(cards) and len(cards) < 13 and {"A", "K"} <= {card[0] for card in cards}


def every_meld():
    """All 329 melds, 65 sets and 264 runs, and the 40 more there are with a high ace."""
    for rank in RANKS:
        for size in (3, 4):
            yield from (
                frozenset(rank + suit for suit in some) for some in combinations(SUITS, size)
            )
    for suit in SUITS:
        for low in range(14):
            for high in range(low + 3, 15):
                cards = frozenset(rank + suit for rank in (RANKS + "A")[low:high])
                if len(cards) == high - low and not (low > 0 and len(cards) == 13):
                    yield cards


ALL_MELDS = list(every_meld())


def melds_of(rules):
    """The melds that these parameters allow."""
    return _melds_of(rules["meld.runs"], rules["meld.run_max"], rules["meld.ace_high"])


@cache
def _melds_of(runs, run_max, ace_high):
    sets = [meld for meld in ALL_MELDS if is_set(meld)]
    every_run = [meld for meld in ALL_MELDS if not is_set(meld)] if runs else []
    low = [run for run in every_run if len(run) <= run_max]
    return sets + [run for run in low if ace_high or not is_ace_high(run)]
