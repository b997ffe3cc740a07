"""`make bench`: the figures of one run on this machine, as rates and as ratios.

Ratios are what counts: machines are noisy, and two figures of one run share the noise.
Usage: python tests/bench/run.py [engine|tournament|pages|languages]...
"""

import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from measure import interleaved
from stream import ping_pong
from tournament import play_tournament

from engine import openspiel_gin_rummy, random_play

ROUNDS = 7
VIEW_BYTES = 170
"""Mean size of an observation of the sample bots' games."""
BATCHES = (1, 16, 64)
MATCHES = 100
MANY_MATCHES = 100_000


def bench_engine() -> None:
    works = {
        "tongits-lite, apply_legal": random_play("tongits-lite", trusted=True),
        "tongits-lite, apply (checked)": random_play("tongits-lite", trusted=False),
        "sa-tong, apply_legal": random_play("sa-tong", trusted=True),
    }
    peer = openspiel_gin_rummy()
    if peer:
        works["OpenSpiel gin rummy, cloned start"] = peer
    else:
        print("skipped: OpenSpiel is not installed; pip install open_spiel==2.0.2")
    print(f"engine, random play, one core, CPU time, median of {ROUNDS} (decisions)")
    rates = interleaved(works, ROUNDS)
    for name, rate in rates.items():
        ratio = f"  ratio {rate.median / rates[next(reversed(rates))].median:5.2f}" if peer else ""
        print(f"  {name:36} {rate}{ratio}")


def bench_tournament() -> None:
    print(f"tournament, {MATCHES} matches x 6 seatings x 2 games, 4 sandboxed Python bots")
    reached = 1.0
    for rules in ("tongits-lite", "sa-tong"):
        figures = play_tournament(matches=MATCHES, rules=rules)
        reached = figures.decisions_per_s if rules == "tongits-lite" else reached
        print(
            f"  {rules:14} {figures.decisions_per_s:8,.0f} decisions/s"
            f" {figures.games_per_s:6,.0f} games/s  harness {figures.harness_us:5.1f} us CPU"
            f" a decision, mean batch {figures.batch:.1f},"
            f" {figures.decisions / figures.games:.1f} decisions a game,"
            f" faults {figures.faults}, voids {figures.voids}"
        )
    print(f"bare gRPC stream ping-pong, observations of {VIEW_BYTES} bytes, one Python peer")
    for batch in BATCHES:
        bare = ping_pong(batch, VIEW_BYTES)
        print(
            f"  batch {batch:3}      {bare.decisions_per_s:8,.0f} decisions/s"
            f"               harness {bare.harness_us:5.1f} us CPU a decision;"
            f" tongits-lite tournament reaches {reached / bare.decisions_per_s:.2f} of it"
        )


def bench_pages() -> None:
    from pages import make_results, readers, request_ms, serving

    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        took = make_results(folder / "many", 6, MANY_MATCHES)
        print(f"pages over {MANY_MATCHES:,} matches of 6 bots (checkpoint made in {took:.0f} s)")
        with serving(folder / "many") as (url, _):
            for path in ("", "leaderboard.json", "matrix/", "bots/bot001/", "matches/", "run/"):
                print(f"  /{path:18} {request_ms(f'{url}/t/big/{path}'):7.1f} ms, median")
        make_results(folder / "wide", 300, 5_000)
        print("pages over 5,000 matches of 300 bots")
        with serving(folder / "wide") as (url, _):
            for path in ("", "matrix/"):
                print(f"  /{path:18} {request_ms(f'{url}/t/big/{path}'):7.1f} ms, median")
        idle, busy = (readers(folder / "many", count, 20) for count in (1, 50))
        print(
            f"50 readers of a board that changes every second: {busy.cpu_share:.1%} of a core for"
            f" {busy.events} events, one reader {idle.cpu_share:.1%}"
        )


def bench_languages() -> None:
    from languages import LanguageFigures, languages

    print("the same strategy in every language: start, decisions/s of one process with 64 games,")
    print("memory, decisions/s of a tournament of 20 matches with random and cautious (or greedy)")
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        for one in languages(Path(os.environ.get("BENCH_RESULTS", name))):
            if not isinstance(one, LanguageFigures):
                print(f"  {one}")
                continue
            built = "no build" if one.build_s is None else f"built in {one.build_s:.0f} s"
            print(
                f"  {one.bot:12} Hello {one.hello_ms:6.0f} ms  alone {one.alone:8,.0f}/s"
                f"  peak {one.peak_mib:5.0f} MiB  tournament {one.tournament:6,.0f}/s  {built}"
            )


SECTIONS = {
    "engine": bench_engine,
    "tournament": bench_tournament,
    "pages": bench_pages,
    "languages": bench_languages,
}


def main(words: Sequence[str]) -> None:
    load = os.getloadavg()[0]
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores,", end=" ")
    print(f"Python {platform.python_version()}, load {load:.1f}")
    for word in words or SECTIONS:
        if word not in SECTIONS:
            raise SystemExit(f"no section {word}; there are: {', '.join(SECTIONS)}")
        SECTIONS[word]()


if __name__ == "__main__":
    main(sys.argv[1:])
