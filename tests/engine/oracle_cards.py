"""Cards, melds and parameters for the oracle, as plain strings and sets."""

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
    "meld.max_per_turn": None,
    "meld.face_down": "hand_four",
    "pickup.min_hand_cards": 2,
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
OVERLAYS = {
    "chips-2-4-4": {"score.set_bonus": 2, "score.tongits": 4, "score.draw_contested": 4},
    "ngalimba": {"score.set_bonus": 2, "score.tongits": 2, "score.draw_contested": 2},
}


def sort_key(card):
    return RANKS.index(card[0]), SUITS.index(card[1])


def text(cards):
    return " ".join(sorted(cards, key=sort_key))


def is_set(cards):
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1


def every_meld():
    """All 329 melds: 65 sets and 264 runs."""
    for rank in RANKS:
        for size in (3, 4):
            yield from (
                frozenset(rank + suit for suit in some) for some in combinations(SUITS, size)
            )
    for suit in SUITS:
        for low in range(13):
            for high in range(low + 3, 14):
                yield frozenset(rank + suit for rank in RANKS[low:high])


ALL_MELDS = list(every_meld())
