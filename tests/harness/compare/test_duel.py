"""A comparison in this process: its real hall and order, lanes that answer at once."""

from collections import Counter
from dataclasses import replace

import pytest
import trio
from tongits_engine import rules_named
from tongits_harness.cli.comparing import conclusion, header, verdict_line
from tongits_harness.compare.duel import Duel, Score
from tongits_harness.compare.pairs import ArmResult, PairResult
from tongits_harness.compare.setup import CompareSetup, load_bots
from tongits_harness.errors import BotError
from tongits_harness.play import hall
from tongits_harness.play.limits import PlayLimits
from tongits_harness.statistics.sprt import IDENTICAL_AFTER, Hypotheses, Verdict

from tests.durability.in_process import SANDBOX, House

PAIRS = 20


@pytest.fixture
def setup(tmp_path):
    new, old, field = load_bots("greedy", "random", (), tmp_path)
    return CompareSetup(
        new, old, field, rules_named("tongits-lite"), games=1, seatings=3, seed=bytes(32),
        hypotheses=Hypotheses(0.0, 0.2), most_pairs=PAIRS, limits=PlayLimits(),
    )  # fmt: skip


def test_pairs_are_taken_in_order_and_no_lane_meets_a_shuffle_twice(setup, monkeypatch):
    seated, kept = [], []
    monkeypatch.setattr(hall, "House", House(seated.append))
    score = Score(setup)

    trio.run(Duel(score, kept.append).play, setup.bots(), SANDBOX)

    assert [pair.number for pair in kept] == list(range(PAIRS))
    assert score.verdict is Verdict.UNDECIDED
    assert score.evidence.pairs == PAIRS
    assert score.games == 2 * 3 * PAIRS
    met = Counter((name, plan.seating, plan.match.key) for plan in seated for name in plan.seats)
    assert set(met.values()) == {1}
    roles = {}
    for plan in seated:
        role = [name.partition("/")[2] for name in plan.seats]
        assert roles.setdefault((plan.match.key, plan.seating), role) == role
    assert len(roles) == len(seated) / 2


def test_it_goes_on_after_the_pairs_it_has(setup, monkeypatch):
    seated, kept = [], []
    monkeypatch.setattr(hall, "House", House(seated.append))
    score = Score(setup)
    for number in range(15):
        score.take(pair(number))

    trio.run(Duel(score, kept.append).play, setup.bots(), SANDBOX)

    assert [pair.number for pair in kept] == list(range(15, PAIRS))
    assert min(plan.match.index for plan in seated) == 30


def test_cancelled_it_has_no_verdict_and_what_is_kept_is_kept(setup, monkeypatch):
    scope, kept = trio.CancelScope(), []
    monkeypatch.setattr(hall, "House", House(lambda _plan: None))

    def keep(pair):
        kept.append(pair)
        scope.cancel()

    score = Score(setup)

    async def play():
        with scope:
            await Duel(score, keep).play(setup.bots(), SANDBOX)

    trio.run(play)

    assert score.verdict is None
    assert 1 <= len(kept) < PAIRS


def test_a_bot_that_loses_its_process_again_and_again_ends_it(setup):
    score, lost = Score(setup), replace(ARM, faults=1, forfeited=("",), process_lost=True)
    score.take(pair(0, old=lost))
    score.take(pair(1, old=lost))
    score.take(pair(2))
    score.take(pair(3, old=lost))
    score.take(pair(4, old=lost))
    with pytest.raises(BotError, match="OLD lost its process in 3 pairs running"):
        score.take(pair(5, old=lost))
    assert (score.faults, score.forfeits) == ({"new": 0, "old": 5}, {"new": 0, "old": 5})


def test_what_is_said_in_the_end_names_the_bots_and_the_rates(setup):
    same = replace(setup, old=setup.new, most_pairs=1000)
    score = Score(same)
    for number in range(IDENTICAL_AFTER):
        score.take(pair(number))
    said = list(conclusion(score))

    assert f"no difference: greedy ({same.new.digest[:8]}) and greedy" in said[0]
    assert "identical to the chip in every one of 128 pairs" in said[0]
    assert "NEW and OLD are the same files" in "\n".join(header(same, "full", "there"))
    for verdict, words in (
        (Verdict.BETTER, ("better: greedy wins more than random", "probability 0.01 at most")),
        (Verdict.NOT_BETTER, ("not better: greedy does not win 0.2", "probability 0.01 at most")),
        (Verdict.UNDECIDED, ("undecided: the bound of 20 pairs",)),
        (None, ("no verdict yet after 0 pairs",)),
    ):
        line = verdict_line(Score(setup, verdict=verdict))
        assert all(word in line for word in words), line


ARM = ArmResult((1, 2, -3), faults=0, forfeited=(), process_lost=False)


def pair(number, old=ARM):
    return PairResult(number, ("caller", "cautious"), ARM, old)
