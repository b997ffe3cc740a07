"""Required figures are held against a report; the formula and the page are made from it."""

import pytest

from tests.bench.figures import BenchError, Figure
from tests.bench.model import Costs, cluster, costs_of
from tests.bench.page import PAGE, written
from tests.bench.required import judge_all, table
from tests.bench.test_figures import report, section

RANDOM = "4 x random"
LANGUAGE = "by language, a worker a core, compiled: greedy"
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
        tournament(**{f"{RANDOM}/steady": 30.0, "RLCard gin": 20.0, "PettingZoo gin": 10.0})
    )
    assert found["tournament decisions/s by RLCard's"] is True
    assert found["tournament decisions/s by PettingZoo's"] is False
    assert found["link at 64 games by a bare gRPC stream"] is None


def test_a_bound_from_above():
    title = "harness CPU a decision, 64+ games, us"
    there = {"RLCard gin": 17_500.0}
    assert verdicts(tournament(**{f"{RANDOM}/CPU harness": 60.0}, **there))[title] is True
    assert verdicts(tournament(**{f"{RANDOM}/CPU harness": 60.1}, **there))[title] is False
    both = {f"{RANDOM}/CPU harness": 60.1, f"{RANDOM}, compiled/CPU harness": 45.0, **there}
    assert verdicts(tournament(**both))[title] is True
    assert f"({'tournament/' + RANDOM}, compiled/CPU harness)" in table(report(tournament(**both)))


def test_a_time_is_scaled_to_the_machine_that_the_bound_was_set_on():
    title = "harness CPU a decision, 64+ games, us"
    half_as_fast = {f"{RANDOM}/CPU harness": 120.0, "RLCard gin": 8_750.0}
    assert verdicts(tournament(**half_as_fast))[title] is True
    assert verdicts(tournament(**{f"{RANDOM}/CPU harness": 50.0}))[title] is None


def test_the_best_of_several_languages_counts():
    rates = {
        f"{LANGUAGE}/steady": 10.0,
        f"{LANGUAGE}-go/steady": 12.0,
        f"{LANGUAGE}-cpp/steady": 16.0,
    }
    found = verdicts(tournament(**rates))
    assert found["best of Go, Rust, C++ by Python, tournament decisions/s"] is True


def test_the_table_tells_what_was_not_measured():
    assert table(report()).count("not measured") == 9


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


def measured():
    """A report with all that the growth of cost and the cluster are made from."""
    names = ("tournament/tongits-lite", "scaling/1 workers", "scaling/2 workers")
    values = {"steady": 10_000.0, "steady games": 400.0, "CPU harness": 60.0, "CPU bots": 40.0}
    values["memory of the harness"] = 80.0
    figures = [
        Figure(f"{name}/{what}", "x", (value * (1.5 if "2" in name and what == "steady" else 1),))
        for name in names
        for what, value in values.items()
    ]
    return report(section("all", *figures), section("store", Figure("store/sessions", "x", (2e3,))))


def test_costs_are_those_of_the_tournament():
    assert costs_of(measured()) == Costs(2, 60.0, 40.0, 2e3, 50.0)


def test_growth_is_shown_beside_the_formula_and_its_limit():
    text = written("<!-- bench:growth -->\n<!-- /bench -->", measured())
    assert (
        "| 1 workers | 10,000 | 60.00 | 40.00 | 80.00 | 16,667 | the processes that play |" in text
    )
    assert "| 2 workers | 15,000 | 60.00 | 40.00 | 80.00 | 20,000 | the cores |" in text


def test_the_cluster_is_computed_from_what_a_second_worker_adds():
    text = written("<!-- bench:cluster -->\n<!-- /bench -->", measured())
    assert "added 50% of the first one's rate" in text
    assert text.splitlines()[-3].startswith("| 64 | 100,000 |")
    assert "storing" in text.splitlines()[-3]


def test_an_unknown_table_is_named():
    with pytest.raises(BenchError, match="no table wrong"):
        written("<!-- bench:wrong -->\n<!-- /bench -->", report())
