"""The file of a comparison: what it keeps, and what it refuses."""

import json
from dataclasses import replace

import pytest
from tongits_engine import rules_named
from tongits_harness.compare.book import book_path, check_name, free_name, open_book, stored_seed
from tongits_harness.compare.pairs import ArmResult, PairResult
from tongits_harness.compare.setup import CompareSetup, load_bots
from tongits_harness.errors import CannotContinueError, ConfigError
from tongits_harness.play.limits import PlayLimits
from tongits_harness.statistics.sprt import Hypotheses


@pytest.fixture
def setup(tmp_path):
    new, old, field = load_bots("greedy", "random", (), tmp_path)
    return CompareSetup(
        new, old, field, rules_named("tongits-lite"), games=2, seatings=3, seed=bytes(32),
        hypotheses=Hypotheses(0.0, 0.2), most_pairs=10, limits=PlayLimits(),
    )  # fmt: skip


def pair(number, chips=4):
    arm = ArmResult((chips, 0, -1), faults=0, forfeited=(), process_lost=False)
    return PairResult(number, ("caller", "cautious"), arm, replace(arm, chips=(0, 0, 0)))


def test_pairs_are_there_again_and_the_seed_with_them(tmp_path, setup):
    with open_book(tmp_path, "mine", setup) as book:
        for number in range(3):
            book.write(pair(number))

    assert stored_seed(tmp_path, "mine") == setup.seed
    with open_book(tmp_path, "mine", replace(setup, most_pairs=99)) as book:
        assert book.pairs == (pair(0), pair(1), pair(2))
    assert book_path(tmp_path, "mine").stat().st_mode & 0o077 == 0
    assert free_name(tmp_path, "mine") == "mine-2"


def test_a_line_that_was_cut_off_is_dropped_and_written_anew(tmp_path, setup):
    with open_book(tmp_path, "mine", setup) as book:
        book.write(pair(0))
        book.write(pair(1))
    path = book_path(tmp_path, "mine")
    path.write_bytes(path.read_bytes()[:-20])

    with open_book(tmp_path, "mine", setup) as book:
        assert book.pairs == (pair(0),)
        book.write(pair(1, chips=7))
    with open_book(tmp_path, "mine", setup) as book:
        assert book.pairs == (pair(0), pair(1, chips=7))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"games": 4}, "games"),
        ({"seed": bytes([1] * 32)}, "seed"),
        ({"hypotheses": Hypotheses(0.0, 0.3)}, "hypotheses"),
        ({"rules": rules_named("sa-tong")}, "parameters, rules"),
    ],
)
def test_another_comparison_is_not_mixed_in(tmp_path, setup, change, said):
    with open_book(tmp_path, "mine", setup) as book:
        book.write(pair(0))
    with (
        pytest.raises(ConfigError, match=f"with other {said}:"),
        open_book(tmp_path, "mine", replace(setup, **change)),
    ):
        pass


def test_without_a_pair_nothing_is_left_of_it(tmp_path, setup):
    with open_book(tmp_path, "mine", setup):
        assert book_path(tmp_path, "mine").exists()
    assert not book_path(tmp_path, "mine").exists()


def test_two_processes_cannot_write_to_it_at_once(tmp_path, setup):
    with (
        open_book(tmp_path, "mine", setup),
        pytest.raises(CannotContinueError, match="another process is writing"),
        open_book(tmp_path, "mine", setup),
    ):
        pass


@pytest.mark.parametrize("content", ["nothing of ours\n", "{}\n", '{"format":"other/1"}\n'])
def test_a_file_of_something_else_is_left_alone(tmp_path, setup, content):
    path = book_path(tmp_path, "mine")
    path.parent.mkdir()
    path.write_text(content)
    with pytest.raises(ConfigError, match="no comparison"), open_book(tmp_path, "mine", setup):
        pass
    assert path.read_text() == content


def test_a_file_with_a_pair_missing_is_refused(tmp_path, setup):
    with open_book(tmp_path, "mine", setup) as book:
        for number in range(3):
            book.write(pair(number))
    path = book_path(tmp_path, "mine")
    head, first, _, third = path.read_text().splitlines(keepends=True)
    assert json.loads(first)["number"] == 0
    path.write_text(head + first + third)

    with pytest.raises(ConfigError, match="lacks pairs"), open_book(tmp_path, "mine", setup):
        pass


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 65])
def test_names_that_are_no_file_names_are_refused(name):
    with pytest.raises(ConfigError, match="--name"):
        check_name(name)


def test_the_field_leaves_out_the_two_and_seats_a_single_one_twice(tmp_path):
    _, _, field = load_bots("greedy", "random", (), tmp_path)
    _, _, single = load_bots("greedy", "random", ("caller",), tmp_path)

    assert set(field) == {"cautious", "caller"}
    assert list(single) == ["caller", "caller#2"]
    with pytest.raises(ConfigError, match="no such folder"):
        load_bots("gredy", "random", (), tmp_path)
