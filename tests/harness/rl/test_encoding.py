"""Observations hold what a seat may see, as the page beside the package says, and no more."""

import random
from pathlib import Path

import numpy as np
import tongits_harness.rl
from tongits_engine import ACTIONS, SEATS, cards_of, rules_named
from tongits_harness.rl import AGENTS, LAYOUT, raw_env
from tongits_harness.rl.encoding import SIZE, encode

from tests.engine.hidden import permuted
from tests.engine.random_games import PRESETS, random_overrides

PAGE = Path(tongits_harness.rl.__file__).parent / "README.md"


def situations(count, seed):
    """Environments in the middle of random episodes, under rules drawn at random."""
    chance = random.Random(seed)
    for number in range(count):
        name = PRESETS[number % len(PRESETS)]
        overrides = random_overrides(chance, name, number % 4)
        table = raw_env(name, overrides, games=1 + number % 3)
        table.reset(seed=number)
        yield table
        for _ in range(60):
            if table.episode.is_over:
                break
            table.step(chance.choice(table.episode.legal).code)
            yield table


def part(table, agent, name):
    return LAYOUT[name].of(table.observe(agent)["observation"])


def test_an_observation_does_not_change_with_the_cards_that_are_hidden_from_it():
    chance = random.Random(5)
    seen = 0
    for table in situations(60, seed=1):
        state = table.episode.state
        if state.is_over:  # then hands are shown
            continue
        for seat in range(SEATS):
            before = table.observe(AGENTS[seat])
            table.episode.state = permuted(state, seat, chance)
            after = table.observe(AGENTS[seat])
            table.episode.state = state
            assert np.array_equal(before["observation"], after["observation"])
            if seat == state.to_act:
                assert np.array_equal(before["action_mask"], after["action_mask"])
        seen += 1
    assert seen > 600


def test_observations_lie_within_their_space_and_masks_are_the_legal_actions():
    for table in situations(40, seed=2):
        for agent in AGENTS:
            seen = table.observe(agent)
            assert table.observation_space(agent).contains(seen)
            legal = table.episode.legal if agent == table.agent_selection else ()
            assert [ACTIONS[code] for code in seen["action_mask"].nonzero()[0]] == list(legal)


def test_every_part_says_what_the_page_says():
    for table in situations(25, seed=3):
        episode = table.episode
        state = episode.state
        for seat, agent in enumerate(AGENTS):
            order = [(seat + place) % SEATS for place in range(SEATS)]
            assert list(part(table, agent, "hand").nonzero()[0]) == list(
                cards_of(state.hands[seat])
            )
            assert sorted(part(table, agent, "pile").nonzero()[1]) == sorted(state.discards)
            assert list(part(table, agent, "pile_top").nonzero()[0]) == list(state.discards[-1:])
            sizes = [state.hands[other].bit_count() for other in order]
            assert part(table, agent, "hand_sizes").tolist() == sizes
            chips = [episode.table.chips[other] for other in order]
            assert part(table, agent, "chips").tolist() == chips
            melds = part(table, agent, "melds")
            assert int(melds[:, :SEATS].sum()) == len(state.melds)
            for meld in state.melds:
                assert order[int(melds[meld.number, :SEATS].argmax())] == meld.owner
                shown = melds[meld.number, SEATS:-1].nonzero()[0]
                hidden = meld.concealed and meld.owner != seat
                assert list(shown) == ([] if hidden else list(meld.cards))


def test_the_pile_tells_who_threw_a_card():
    table = raw_env()
    table.reset(seed=1)
    thrower = table.episode.state.to_act
    discard = next(action for action in table.episode.legal if action.text.startswith("discard"))
    table.step(discard.code)
    for seat, agent in enumerate(AGENTS):
        where = part(table, agent, "pile").nonzero()
        assert [int(index[0]) for index in where] == [(thrower - seat) % SEATS, discard.cards[0]]


def test_fields_follow_each_other_without_a_gap():
    place = 0
    for field in LAYOUT.values():
        assert field.start == place
        place = field.end
    assert place == SIZE


def test_the_page_lists_every_field():
    rows = []
    for name, field in LAYOUT.items():
        shape = " \N{MULTIPLICATION SIGN} ".join(map(str, field.shape))
        rows.append(f"| `{name}` | {field.start} | {shape} | {field.meaning} |")
    assert "\n".join(rows) in PAGE.read_text(encoding="utf-8")


def test_an_observation_is_made_anew_each_time():
    table = raw_env()
    table.reset(seed=1)
    first = table.observe(AGENTS[0])["observation"]
    first[:] = 9
    assert not np.array_equal(encode(table.view(AGENTS[0]), table.episode), first)
    assert rules_named("tongits-lite") == table.course.rules
