"""`tongits compare` with real bots: verdicts, what is kept, stopping and going on."""

import json
import signal

import pytest

from tests.e2e.arena import (
    EXIT_CONFIG,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    SAMPLES,
    SEED,
    Arena,
)
from tests.e2e.traces import wait_until

pytestmark = pytest.mark.process

GREEDY, RANDOM = SAMPLES / "greedy", SAMPLES / "random"
PATIENT = ("--decision-s", "30", "--start-s", "60", "--seed", SEED, "--progress", "none")
SHORT = (*PATIENT, "--seatings", "1", "--games", "1")


def kept(arena: Arena, name: str) -> list[dict]:
    """The lines of a comparison's file."""
    path = arena.results / "comparisons" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def timeless(document: dict) -> dict:
    return {key: value for key, value in document.items() if key not in {"seconds", "file"}}


def test_a_better_bot_is_called_better_and_stopped_on_the_way_it_comes_to_the_same(arena):
    words = ("compare", GREEDY, RANDOM, *SHORT, "--d0", "-1.5", "--d1", "0.5", "--json")
    straight = json.loads(arena.run(*words, timeout=180).out)
    running = arena.start(*words, "--name", "halves")
    wait_until(lambda: len(kept(arena, "halves")) > 4, patience_s=90)
    running.signal(signal.SIGINT)
    stopped = running.wait(60)
    again = arena.run(*words, "--name", "halves", timeout=180)

    assert straight["verdict"] == "better"
    assert straight["llr"] >= straight["llr_bounds"][1]
    assert (straight["faults"], straight["forfeits"]["others"]) == ({"new": 0, "old": 0}, 0)
    head, *pairs = kept(arena, "greedy-random")
    gains = [sum(pair["new"]["chips"]) - sum(pair["old"]["chips"]) for pair in pairs]
    assert straight["pairs"] == len(gains)
    assert straight["difference"] == pytest.approx(sum(gains) / len(gains), abs=1e-6)
    assert head["seed"] == straight["seed"] == SEED
    assert {name for pair in pairs for name in pair["others"]} == {"cautious", "caller"}

    assert stopped.rc == EXIT_INTERRUPTED, stopped.err
    assert json.loads(stopped.out)["verdict"] is None
    assert "go on with the same command and --name halves" in stopped.err
    assert f"going on after {json.loads(stopped.out)['pairs']} pairs" in again.err
    assert timeless(json.loads(again.out)) == timeless(straight)
    assert kept(arena, "halves") == kept(arena, "greedy-random")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--d1", "-1"), EXIT_USAGE, "d1 (-1) must be above d0 (0)"),
        (("--alpha", "0.7"), EXIT_USAGE, "--alpha"),
        (("--seed", "beef"), EXIT_USAGE, "64 hex digits"),
        (("--rules", "poker"), EXIT_CONFIG, "rules: "),
        (("--against", "nobody"), EXIT_CONFIG, "bot nobody"),
        (("--name", "../up"), EXIT_CONFIG, "--name"),
    ],
)
def test_what_cannot_be_compared_is_said_before_anything_is_played(arena, words, code, said):
    done = arena.run("compare", GREEDY, RANDOM, *words, code=code)

    assert said in done.err
    assert not (arena.results / "comparisons").exists()
