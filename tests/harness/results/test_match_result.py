"""Places, chips and forfeits of a match."""

import pytest
from tongits_harness.play.plan import sessions_of
from tongits_harness.results.match_result import places_of, settle_sessions

from tests.harness.results.builders import match_plan, match_sessions, session


@pytest.mark.parametrize(
    ("chips", "places"),
    [
        ((5, 0, -5), (1, 2, 3)),
        ((-5, 0, 5), (3, 2, 1)),
        ((4, 4, -8), (1, 1, 3)),
        ((8, -4, -4), (1, 2, 2)),
        ((0, 0, 0), (1, 1, 1)),
        ((None, 9, -9), (3, 1, 2)),
        ((None, -9, -9), (3, 1, 1)),
        ((None, 1, None), (3, 1, 3)),
        ((None, None, None), (3, 3, 3)),
    ],
)
def test_places_go_by_chips_and_a_forfeiter_is_last(chips, places):
    assert tuple(places_of(dict(zip("abc", chips, strict=True))).values()) == places


def test_chips_are_summed_over_all_sessions_whatever_their_order():
    first, second, third = sessions_of(match_plan(), 3)
    records = [
        session(first, {"ana": 5, "ben": -2, "cy": -3}, games=2),
        session(second, {"ana": -1, "ben": 4, "cy": -3}, games=2),
        session(third, {"ana": -3, "ben": 1, "cy": 2}, games=2),
    ]
    result = settle_sessions(reversed(records))
    assert [(o.entrant, o.place, o.chips, o.games) for o in result.outcomes] == [
        ("ana", 2, 1, 6),
        ("ben", 1, 3, 6),
        ("cy", 3, -4, 6),
    ]
    assert result == settle_sessions(records)


def test_a_forfeit_in_one_session_loses_the_match_with_the_chips_kept():
    result = settle_sessions(match_sessions(match_plan(), (9, -4, -5), forfeits=["ana"]))
    assert result.places == (3, 1, 2)
    assert [(o.chips, o.forfeited) for o in result.outcomes] == [
        (9, True),
        (-4, False),
        (-5, False),
    ]


def test_only_charged_losses_of_a_process_are_told():
    result = settle_sessions(match_sessions(match_plan(), (0, 0, 0), lost=["ben"]))
    assert result.lost == {"ben"}


def test_sessions_of_different_matches_are_refused():
    records = [*match_sessions(match_plan(0), (0, 0, 0)), *match_sessions(match_plan(1), (0, 0, 0))]
    with pytest.raises(ValueError, match="2 matches"):
        settle_sessions(records)
