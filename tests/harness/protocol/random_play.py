"""Games played at random, with an eye for melds, for whatever must hold at every step."""

import random

from hypothesis import HealthCheck, settings
from tongits_engine import ActionKind, apply, deal, legal_actions, rules_named

LITE = rules_named("tongits-lite")
SA_TONG = rules_named("sa-tong")
VARIANTS = (LITE, SA_TONG)
HIDING = rules_named("tongits-lite", {"meld.face_down": "hand_four"})
ANNOUNCING = rules_named("ngalimba")
ALL_KINDS = (*VARIANTS, HIDING, ANNOUNCING)
MELDING = (ActionKind.TAKE, ActionKind.EXPOSE, ActionKind.CONCEAL, ActionKind.LAYOFF)


def choose(legal, rng):
    """Mostly a meld where there is one, seldom a call."""
    melds = [action for action in legal if action.kind in MELDING]
    if melds and rng.random() < 0.6:
        return rng.choice(melds)
    if legal[0].kind is ActionKind.DRAW and rng.random() < 0.8:
        return legal[0]
    return rng.choice(legal)


def lumpy_deck(rng):
    """A deck in which neighbours are still of a kind, so that hands hold melds."""
    deck = list(range(52))
    if rng.random() < 0.5:
        deck.sort(key=lambda card: (card % 4, card // 4))
    dealt = [deck[step % 3 * 12 + step // 3] for step in range(36)] + deck[36:]
    for _ in range(rng.randrange(10, 60)):
        one, two = rng.randrange(52), rng.randrange(52)
        dealt[one], dealt[two] = dealt[two], dealt[one]
    return dealt


def steps(rules, seed):
    """Every (state, action, next state, events) of one random game."""
    rng = random.Random(seed)
    state = deal(rules, lumpy_deck(rng), rng.randrange(3))
    while not state.is_over:
        action = choose(legal_actions(state), rng)
        after, events = apply(state, action)
        yield state, action, after, events
        state = after


def bounded(examples):
    """Settings of a property: the same examples every time, so many, as slow as the machine is."""
    slow = [HealthCheck.too_slow]
    return settings(
        derandomize=True, deadline=None, max_examples=examples, suppress_health_check=slow
    )
