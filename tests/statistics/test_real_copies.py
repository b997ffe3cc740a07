"""Real tournaments and comparisons: copies are not told apart, a bot with a small edge is found.

Minutes, so by hand with `make soak`. All chance comes from the seed, so the counts are always the
same, whatever the machine.
"""

import json
from math import comb

import pytest
from tongits_harness.results.queries import open_reader

from tests.e2e.arena import SAMPLES, SEED, Arena
from tests.e2e.conftest import _session_tmp, arena  # noqa: F401  # fixtures
from tests.statistics.planted import plant

pytestmark = pytest.mark.soak

TIMES = {"limits__decision_s": 30.0, "limits__bank_s": 3600.0, "limits__start_s": 120.0}
PATIENT = ("--decision-s", "30", "--start-s", "120", "--seed", SEED, "--progress", "none")
PATIENCE_S = 1800.0


def shares(arena: Arena) -> dict[str, dict[str, float]]:  # noqa: F811
    """P(A above B) of the tournament."""
    with open_reader(arena.results) as reader:
        return reader.standing(reader.tournament(None)).resampling.matrix()


def allowed(pairs: int, rate: float, surely: float = 0.999) -> int:
    """So many pairs are told apart by chance at most, with this probability."""
    total, count = 0.0, -1
    while total < surely:
        count += 1
        total += comb(pairs, count) * rate**count * (1 - rate) ** (pairs - count)
    return count


def test_ten_copies_are_not_told_apart_in_two_thousand_matches(arena):  # noqa: F811
    copies = {f"copy{number}": SAMPLES / "random" for number in range(10)}
    file = arena.file(copies, matches=2000, seatings=1, games=1, **TIMES)
    arena.run("run", file, "--progress", "none", timeout=PATIENCE_S)

    matrix = shares(arena)
    told = [(a, b) for a in matrix for b in matrix[a] if matrix[a][b] > 0.99]
    assert len(told) <= allowed(45, 0.02), told  # 0.99 either way: 2 % of the pairs


def test_a_better_bot_among_nine_copies_of_another_is_found_by_the_leaderboard(arena):  # noqa: F811
    """One decision in five left to chance costs about a chip a game."""
    weak = plant(arena.work, 0.2)
    bots = {f"weak{number}": weak for number in range(9)} | {"planted": SAMPLES / "greedy"}
    file = arena.file(bots, matches=2000, seatings=1, games=2, **TIMES)
    arena.run("run", file, "--progress", "none", timeout=PATIENCE_S)

    matrix = shares(arena)
    assert min(matrix["planted"].values()) > 0.99, matrix["planted"]
    told = [(a, b) for a in matrix for b in matrix[a] if "planted" not in (a, b)]
    assert sum(matrix[a][b] > 0.99 for a, b in told) <= allowed(36, 0.02)


@pytest.mark.parametrize(("new", "verdict"), [("greedy", "better"), ("slips", "not better")])
def test_one_decision_in_twenty_left_to_chance_is_found_by_compare(arena, new, verdict):  # noqa: F811
    slips, greedy = plant(arena.work, 0.05), SAMPLES / "greedy"
    words = (greedy, slips) if new == "greedy" else (slips, greedy)
    done = arena.run("compare", *words, *PATIENT, "--json", timeout=PATIENCE_S)

    found = json.loads(done.out)
    assert found["verdict"] == verdict
    assert found["pairs"] < 1500
