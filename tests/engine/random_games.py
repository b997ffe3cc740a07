"""Random games in the referee's notation, played with the oracle's legal lists."""

import random

from tests.engine.oracle import Game, rules_named
from tests.engine.oracle_cards import DECK, POINTS, SUITS

PRESETS = [
    "tongits-lite",
    "sa-tong",
    "chips-2-4-4",
    "ngalimba",
    "sa-tong-literal",
    "tongits-lite-literal",
    "tongits-lite+chips-2-4-4",
    "sa-tong+ngalimba",
    "sa-tong-literal+chips-2-4-4",
]

VALUES = {
    "deal.cards": [[13, 12], [12, 11], [10, 9], [8, 7], [13, 13]],
    "turn.dealer_draws_first": [True],
    "first_turn.may_expose": [False],
    "meld.runs": [True, False],
    "meld.run_max": [3, 4, 5, 8],
    "meld.ace_high": [True],
    "meld.max_per_turn": [1, 2],
    "meld.face_down": ["none", "hand_four", "after_show"],
    "pickup.discard_after": [False],
    "layoff.enabled": [True, False],
    "layoff.requires_open": [True],
    "layoff.before_draw": [True],
    "discard.forbid_layoffable": [True],
    "draw.requires_open": [False],
    "draw.block_opponent_layoff": ["none", "rest_of_hand"],
    "draw.block_self": [False],
    "draw.block_discard_taken": [True],
    "draw.block_own_long_meld": [True],
    "draw.caller_announces_points": [True],
    "draw.response_order": ["simultaneous"],
    "draw.challenge_requires_open": [False],
    "open.secret_in_hand_counts": [True],
    "deadwood.held_melds_free": [False],
    "tie.caller_vs_challenger": ["caller"],
    "tie.two_challengers": ["last_challenger"],
    "tie.stock": ["recency", "none"],
    "end.stock_moment": ["next_start"],
    "end.none_opened": ["lowest_wins"],
    "tongits.trigger": ["all_grouped"],
    "score.win": [2],
    "score.tongits": [2, 7],
    "score.draw_contested": [5],
    "score.draw_uncontested": [3],
    "score.draw_payers": ["all_losers"],
    "score.fold_penalty": [1],
    "score.burned": [0, 4],
    "score.ace": [0, 11],
    "score.ace_owner": ["contributor"],
    "score.set_bonus": [2, 100],
    "score.set_bonus_scope": ["secret4", "any4", "all_sets"],
}


NEEDS = [  # (where this has this value, this other parameter keeps to these values)
    ("meld.runs", False, "meld.run_max", [13]),
    ("meld.runs", False, "meld.ace_high", [False]),
    ("meld.face_down", "after_show", "layoff.enabled", [False]),
    ("layoff.enabled", False, "layoff.requires_open", [False]),
    ("layoff.enabled", False, "layoff.before_draw", [False]),
    ("layoff.enabled", False, "discard.forbid_layoffable", [False]),
    ("layoff.enabled", False, "score.ace_owner", ["location"]),
    ("layoff.enabled", False, "draw.block_opponent_layoff", ["none", "next_turn"]),
    ("draw.block_self", False, "draw.block_own_long_meld", [False]),
    ("pickup.discard_after", False, "draw.block_discard_taken", [False]),
]


def has_meaning(rules):
    return not any(
        rules[name] == value and rules[other] not in allowed
        for name, value, other, allowed in NEEDS
    )


def random_overrides(rng, name, how_many):
    """Some parameters set otherwise, never in a combination without meaning."""
    while True:
        names = rng.sample(sorted(VALUES), how_many)
        overrides = {name: rng.choice(VALUES[name]) for name in names}
        if has_meaning(rules_named(name, overrides)):
            return overrides


def random_deck(rng):
    """A deck shuffled evenly, or lumpy: hands of neighbours by suit or by rank, then disturbed."""
    deck = DECK[:]
    if rng.random() < 0.3:
        rng.shuffle(deck)
        return deck
    if rng.random() < 0.5:
        deck.sort(key=lambda card: SUITS.index(card[1]))
    turn = rng.randrange(52)
    deck = deck[turn:] + deck[:turn]
    for _ in range(rng.randrange(4, 30)):
        one, two = rng.randrange(52), rng.randrange(52)
        deck[one], deck[two] = deck[two], deck[one]
    hands = [deck[:12], deck[12:24], deck[24:36]]
    dealt = [hands[step % 3][step // 3] for step in range(36)]
    return dealt + deck[36:]


def choose(rng, policy, game, legal):
    """The next action: anything, or mostly melds with few calls and high discards."""
    if policy == "uniform":
        return rng.choice(legal)
    if "challenge" in legal:
        return rng.choice(legal)
    if "call" in legal and rng.random() < 0.1:
        return "call"
    words = ("take", "expose", "conceal", "layoff")
    melding = [action for action in legal if action.startswith(words)]
    if melding and rng.random() < 0.75:
        return rng.choice(melding)
    if "draw" in legal:
        return "draw"
    discards = [action for action in legal if action.startswith("discard")]
    pairs = [card for card in sorted(game.hands[game.seat]) if POINTS[card] > rng.randrange(12)]
    loose = [action for action in discards if action.split()[1] in pairs]
    return rng.choice(loose or discards or legal)


def random_game(seed, name=None, overrides=None):
    """One game; some stop early, some end with an action that is not legal."""
    rng = random.Random(seed)
    name = name or PRESETS[seed % len(PRESETS)]
    if overrides is None:
        overrides = random_overrides(rng, name, rng.choice([0, 0, 1, 2, 4, 8]))
    deck, dealer = random_deck(rng), rng.randrange(3)
    policy = rng.choice(["uniform", "greedy", "greedy", "greedy"])
    stop = rng.randrange(40) if rng.random() < 0.1 else 1000
    spoil = rng.randrange(40) if rng.random() < 0.15 else 1000
    actions = []
    game = Game(rules_named(name, overrides), deck, dealer)
    while game.result is None and len(actions) < stop:
        legal = game.legal()
        if len(actions) == spoil:
            actions.append(spoiled(rng, legal))
            break
        actions.append(choose(rng, policy, game, legal))
        game.play(actions[-1])
    if rng.random() < 0.05:
        actions.append("draw")
    return {
        "rules": name,
        "overrides": overrides,
        "deck": deck,
        "dealer": dealer,
        "actions": actions,
    }


def spoiled(rng, legal):
    """An action that is refused: out of place, for other cards, or badly written."""
    while True:
        guess = rng.choice(
            [
                rng.choice(["draw", "call", "challenge", "fold", "", "pass", "Draw"]),
                "discard " + rng.choice(DECK),
                f"layoff {rng.choice(DECK)} {rng.randrange(5)}",
                "expose " + " ".join(rng.sample(DECK, 3)),
                rng.choice(legal) + " ",
                rng.choice(legal).lower(),
            ]
        )
        if guess not in legal:
            return guess
