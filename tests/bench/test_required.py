"""Required figures are held against a report; the formula and the page are made from it."""

import pytest

from tests.bench.figures import BenchError, Figure
from tests.bench.model import Costs, cluster, costs_of
from tests.bench.page import PAGE, written
from tests.bench.required import judge_all, table
from tests.bench.test_figures import report, section

COSTS = Costs(
    cores=2, harness_us=50, bot_us=40, sessions_per_s=1000, decisions_per_session=48, workers=1
)


def tournament(**values):
    return section(
        "tournament",
        *(Figure(f"tournament/{name}", "x", (value,)) for name, value in values.items()),
    )


def verdicts(*sections):
    return {one.requirement.title: one.is_reached for one in judge_all(report(*sections))}


def test_a_ratio_is_to_the_peer_of_the_same_run():
    found = verdicts(
        tournament(**{"tongits-lite/steady": 30.0, "RLCard gin": 20.0, "PettingZoo gin": 10.0})
    )
    assert found["tournament decisions/s by RLCard's"] is True
    assert found["tournament decisions/s by PettingZoo's"] is False
    assert found["link at 64 games by a bare gRPC stream"] is None


def test_a_bound_from_above():
    title = "harness CPU a decision, 64+ games, us"
    assert verdicts(tournament(**{"tongits-lite/CPU harness": 60.0}))[title] is True
    assert verdicts(tournament(**{"tongits-lite/CPU harness": 60.1}))[title] is False


def test_the_best_of_several_languages_counts():
    rates = {"4 x greedy/steady": 10.0, "4 x greedy-go/steady": 12.0, "4 x greedy-cpp/steady": 16.0}
    found = verdicts(tournament(**rates))
    assert found["best of Go, Rust, C++ by Python, tournament decisions/s"] is True


def test_the_table_tells_what_was_not_measured():
    assert table(report()).count("not measured") == 8


def test_the_least_of_the_four_limits_is_the_rate():
    assert (COSTS.limit, COSTS.rate) == ("the processes that play", 20_000)
    slow = Costs(2, 50, 40, 1000, 48, think_us=50_000, slots=1)
    assert (slow.limit, slow.rate) == ("the bots' thinking", 20)
    assert Costs(2, 5, 4, 100, 48).limit == "storing"


def test_a_cluster_grows_until_storing_is_the_limit():
    assert cluster(COSTS, 1, 0.9).rate <= cluster(COSTS, 2, 0.9).rate
    large = cluster(COSTS, 64, 0.9)
    assert (large.limit, large.rate) == ("storing", 48_000)


def test_costs_need_all_their_figures():
    assert costs_of(report()) is None


def test_the_page_names_only_tables_that_are_made():
    page = PAGE.read_text(encoding="utf-8")
    again = written(page, report())
    assert written(again, report()) == again
    assert again.count("<!-- bench:") == page.count("<!-- bench:")


def test_an_unknown_table_is_named():
    with pytest.raises(BenchError, match="no table wrong"):
        written("<!-- bench:wrong -->\n<!-- /bench -->", report())
