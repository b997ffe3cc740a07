"""A few uncharged requests after the handshake: no real decision pays for a cold start."""

from functools import lru_cache

from tongits_engine import bot_seed, deal, deck, legal_actions, observe, rules_named

from tongits_harness.protocol import codec
from tongits_harness.protocol.decisions import Ask, SeatGame

WARM_UP_GAMES = 3
_SEED = bytes(32)
_BUDGET_US = 60_000_000


@lru_cache(maxsize=1)
def warm_up_asks() -> tuple[Ask, ...]:
    """The dealer's first decision of some games from a public seed; the same for every process."""
    return tuple(_ask(number) for number in range(WARM_UP_GAMES))


def _ask(number: int) -> Ask:
    rules = rules_named("tongits-lite")
    state = deal(rules, deck(_SEED, "warm-up", number), 0)
    started = codec.encode_started(
        rules,
        seat=0,
        dealer=0,
        bot_seed=bot_seed(_SEED, "warm-up", 0, number, 0),
        pot=0,
        streaks=(0, 0, 0),
    )
    game = SeatGame(f"warm-up-{number}".encode(), started, lambda: started)
    view = codec.encode_view(observe(state, 0), (), turned_down=False)
    return Ask(0, game, view, legal_actions(state), _BUDGET_US)
