"""Lists of matches hold what their filter says, and all of it."""

import pytest
from tongits_harness.results.browse import PAGE, MatchFilter
from tongits_harness.results.queries import open_reader


def listed(results, **wanted):
    with open_reader(results) as reader:
        return reader.list_matches("cup", MatchFilter(**wanted))


def test_parts_hold_every_match_once_in_either_order(results):
    newest, count = listed(results)
    oldest, _ = listed(results, newest_first=False)
    assert count == len(newest) == 30 <= PAGE
    assert [match.index for match in oldest] == list(range(30))
    assert [match.index for match in newest] == list(reversed(range(30)))
    assert listed(results, part=1) == ((), 30)


def test_bots_and_faults_narrow_the_list(results):
    assert listed(results, bots=("greedy", "random"))[1] == 30
    assert listed(results, bots=("nobody",)) == ((), 0)
    assert listed(results, fault="any") == ((), 0)


@pytest.mark.parametrize("end", ["tongits", "draw_uncontested", "draw_contested", "stock_out"])
def test_an_end_finds_the_matches_that_have_such_a_game(results, end):
    with open_reader(results) as reader:
        having = {
            session.plan.match.index
            for session in reader.sessions("cup")
            if any(game.termination == end for game in session.games)
        }
    found, count = listed(results, end=end)
    assert {match.index for match in found} == having
    assert count == len(having)
