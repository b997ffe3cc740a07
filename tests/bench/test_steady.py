"""Rates of a tournament from its stored sessions: with and without its start."""

import pytest

from tests.bench.family import Used
from tests.bench.tournament import Entry, Order, Played, Session, _span

NOTHING = Used(0.0)


def played(sessions):
    return Played(
        sessions=tuple(sessions), seconds=20.0, first_s=5.0, whole=NOTHING, steady=NOTHING,
        span=_span(sessions), harness_kib=0, bot_kib=0, faults=0,
    )  # fmt: skip


def table(first_start, count, *, length=2.0, seating=0):
    """One table that plays a session after the other."""
    starts = [first_start + number * length for number in range(count)]
    return [Session(seating, s, s + length, 100, 2, 0.5) for s in starts]


def test_the_steady_rate_is_that_of_full_tables():
    two = played([*table(0.0, 10), *table(1.0, 10)])
    assert two.span == (2.0, 19.0)
    assert two.steady_rate("decisions") == pytest.approx(100.0)
    assert two.steady_rate("games") == pytest.approx(2.0)
    assert two.decisions / two.seconds == 100.0


def test_a_slow_first_session_does_not_count():
    slow = [Session(0, -50.0, 2.0, 100, 2, 0.5), *table(2.0, 9)]
    assert played([*slow, *table(0.0, 10)]).steady_rate("decisions") == pytest.approx(100.0)


def test_the_span_begins_when_every_seating_has_its_processes():
    later = [*table(0.0, 5), *table(10.0, 5, seating=1)]
    assert played(later).span == (12.0, 18.0)


def test_where_too_little_is_left_then_it_begins_at_the_first_end():
    late = [*table(0.0, 19), *table(38.0, 1, seating=1)]
    assert played(late).span == (2.0, 38.0)


def test_what_was_seated_at_once_counts_whole():
    assert played([*table(0.0, 1), *table(0.5, 1)]).span == (0.0, 2.5)


def test_an_order_is_a_tournament_file_that_the_command_takes(tmp_path):
    from tongits_harness.config import load_config

    order = Order("cup", tuple(Entry(f"b{n}", "greedy") for n in range(3)), 7, compute_slots=3)
    file = tmp_path / "cup.toml"
    file.write_text(order.toml())
    config = load_config(file)
    assert (config.name, config.matches, config.machine.compute_slots) == ("cup", 7, 3)
    assert [entrant.name for entrant in config.entrants] == ["b0", "b1", "b2"]
