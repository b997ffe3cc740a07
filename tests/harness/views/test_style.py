"""How an entrant plays is counted from its own actions alone."""

from collections import Counter
from functools import partial

import trio
from tongits_engine import deck, replay
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.queries import open_reader
from tongits_harness.results.seed import seed_of
from tongits_harness.views.style import style_of
from tongits_harness.web import makers
from tongits_harness.web.arena import Arena

from tests.durability import in_process


def test_the_styles_of_all_seats_add_up_to_all_actions(tmp_path, monkeypatch):
    in_process.play(tmp_path, monkeypatch, rounds=2, seatings=3, games=2, name="cup")
    with open_reader(tmp_path) as reader:
        record = reader.tournament("cup")
        sessions, rules = tuple(reader.sessions("cup")), rules_of(record)
        shuffle = partial(deck, seed_of(reader, record, tmp_path))
    styles = [style_of(name, rules, sessions, shuffle) for name in ("random", "greedy", "cautious")]

    every = Counter(
        step.action.kind
        for session in sessions
        for number, game in enumerate(session.games)
        for step in replay(
            rules, shuffle(session.plan.match.key, number), game.dealer, game.actions
        )
    )
    assert sum((style.actions for style in styles), Counter()) == every
    assert {style.games for style in styles} == {12}
    assert all(value is not None for style in styles for _, value, _ in style.lines[:5])


def test_the_page_of_a_bot_goes_without_where_the_secret_is_missing(tmp_path, monkeypatch):
    in_process.play(tmp_path, monkeypatch, rounds=2, seatings=1, games=1, name="cup")
    monkeypatch.setattr(makers, "seed_of", _missing)

    page = trio.run(makers.bot, Arena(tmp_path), "cup", {"bot": "greedy"}, {})

    assert page.document["style"]["games"] == 0


def _missing(*_places):
    from tongits_harness.errors import ConfigError

    raise ConfigError("the secret is missing")
