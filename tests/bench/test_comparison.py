"""Two files are compared in proportion to their machine's speed; rounds of commits are gathered."""

from dataclasses import replace

import pytest

from tests.bench.commits import joined
from tests.bench.compare import compare, main, table
from tests.bench.figures import BenchError, Crowding, Figure, save
from tests.bench.test_figures import report, section

RATES = (100.0, 101, 99, 102, 98, 100.5, 99.5)


def at(speed):
    return Crowding((speed,), 1.0, (0.0, 0.0))


def rates(factor, name="engine/x", unit="decisions/s", clock="cpu", better="higher"):
    return Figure(name, unit, tuple(factor * value for value in RATES), better, clock)


def words(a, b, **how):
    settings = {"floor": 0.15, "calibrated": True, **how}
    return {one.a.name: one.word for one in compare(a, b, **settings)}


def test_a_machine_of_half_the_speed_makes_nothing_slower():
    a = report(section("engine", rates(1.0), machine=at(20)))
    b = report(section("engine", rates(0.5), machine=at(10)))
    assert words(a, b) == {"engine/x": "same"}
    assert words(a, b, calibrated=False) == {"engine/x": "slower"}


def test_times_are_put_in_proportion_the_other_way_round():
    times = {"unit": "us/decision", "better": "lower"}
    a = report(section("engine", rates(1.0, **times), machine=at(20)))
    b = report(section("engine", rates(2.0, **times), machine=at(10)))
    assert words(a, b) == {"engine/x": "same"}
    faster = report(section("engine", rates(1.0, **times), machine=at(10)))
    assert words(a, faster) == {"engine/x": "faster"}


def test_sizes_do_not_depend_on_the_machine():
    sizes = {"unit": "MiB", "clock": "none", "better": "lower"}
    a = report(section("memory", rates(1.0, "memory/x", **sizes), machine=at(20)))
    b = report(section("memory", rates(1.5, "memory/x", **sizes), machine=at(10)))
    assert words(a, b) == {"memory/x": "worse"}


def test_figures_that_only_one_has_are_left_out():
    a = report(section("engine", rates(1.0), rates(1.0, "engine/old")))
    b = report(section("engine", rates(1.0), rates(1.0, "engine/new")))
    assert words(a, b) == {"engine/x": "same"}


def test_the_table_says_what_chance_alone_would_call():
    a = report(section("engine", rates(1.0), Figure("engine/once", "/s", (1.0,))))
    b = report(section("engine", rates(1.5), Figure("engine/once", "/s", (2.0,))))
    text = table(list(compare(a, b, floor=0.03, calibrated=False)))
    assert "FASTER" in text
    assert "1 of 1 differ" in text
    assert "1 unsure: fewer than 5 values" in text


def test_every_round_adds_its_median_to_the_figures():
    empty = report()
    first = report(section("engine", Figure("engine/x", "/s", (1.0, 2.0, 9.0))))
    second = report(section("engine", Figure("engine/x", "/s", (4.0,))))

    both = joined(joined(empty, first), second)

    assert both.find("engine/x").values == (2.0, 4.0)


def test_two_files_can_be_compared(tmp_path, capsys):
    for name, factor in (("a", 1.0), ("b", 2.0)):
        one = replace(report(section("engine", rates(factor))), commit=name)
        save(one, tmp_path / f"{name}.json")
    main([str(tmp_path / "a.json"), str(tmp_path / "b.json")])
    assert "FASTER" in capsys.readouterr().out


def test_one_file_is_not_enough():
    with pytest.raises(BenchError, match="two files"):
        main(["a.json"])
