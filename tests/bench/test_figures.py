"""Figures keep what they are in a file, and sections of one commit are gathered."""

import pytest

from tests.bench.figures import BenchError, Crowding, Figure, Report, Section, Skipped, load, save

QUIET = Crowding((25.0, 26.0, 27.0), 1.01, (0.1, 0.2))


def report(*sections):
    return Report("abc", False, "2026-01-01T00:00:00+00:00", "CPython 3.11", "cpu", 2, sections)


def section(name, *figures, machine=QUIET):
    return Section(name, machine, figures, (Skipped(f"{name}/peer", "it is not installed"),))


def test_a_report_is_the_same_after_it_was_in_a_file(tmp_path):
    figure = Figure("engine/x", "decisions/s", (1.5, 2.0), "higher", "cpu", "a note")
    before = report(section("engine", figure), section("store", Figure("store/y", "us", (3.0,))))

    save(before, tmp_path / "new" / "x.json")

    assert load(tmp_path / "new" / "x.json") == before


@pytest.mark.parametrize("text", ["", "{}", '{"commit": 3}', "[]"])
def test_a_file_that_is_none_is_named(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BenchError, match=r"x\.json: no benchmark results"):
        load(path)


def test_a_missing_file_is_named_with_the_command_that_makes_it(tmp_path):
    with pytest.raises(BenchError, match="make bench"):
        load(tmp_path / "none.json")


def test_a_section_measured_again_takes_the_place_of_the_older_one():
    old, other = section("engine", Figure("engine/x", "/s", (1.0,))), section("store")
    new = section("engine", Figure("engine/x", "/s", (2.0,)))

    merged = report(old, other).with_sections([new])

    assert merged.sections == (new, other)
    assert merged.find("engine/x").median == 2.0


def test_median_and_spread():
    figure = Figure("a/b", "ms", (9.0, 10.0, 14.0))
    assert (figure.median, figure.spread) == (10.0, 0.25)
    assert Figure("a/b", "ms", (0.0, 0.0)).spread == 0.0


def test_the_calibration_is_that_of_the_sections_own_moment():
    slow = Crowding((5.0,), 1.0, (0.0, 0.0))
    both = report(section("engine"), section("store", machine=slow))
    assert (both.calibration("engine"), both.calibration("store")) == (26.0, 5.0)
