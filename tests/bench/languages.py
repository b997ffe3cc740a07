"""Start-up, speed and memory of the same strategy in every language, by `tongits check`."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BOTS = ("greedy", "greedy-node", "greedy-go", "greedy-rust", "greedy-java", "greedy-cpp")
BRIDGED = ("greedy-awk", "greedy-perl", "greedy-c")
_RATE = re.compile(r"\(([\d,]+)/s\)")
_WAIT_S = 3600


@dataclass(frozen=True)
class LanguageFigures:
    """One bot."""

    bot: str
    build_s: float | None
    """Fetch and build; None where nothing was built."""
    hello_ms: float
    alone: float
    """Decisions a second of one process with 64 games at once."""
    peak_mib: float
    tournament: float
    """Decisions a second of a tournament of three of its copies' kind: it, random and greedy."""


def languages(results: Path) -> Iterator[LanguageFigures | str]:
    """Figures by language; words where a toolchain is missing or the bot failed."""
    for bot in (*BOTS, *BRIDGED):
        words = ["check", bot, "--quick", "--json", "--allow-fetch", "--results", str(results)]
        checked = _tongits(*words)
        if checked.returncode != 0:
            yield f"{bot}: skipped: {checked.stderr.strip().splitlines()[-1:]}"
            continue
        document = json.loads(checked.stdout)
        steps = {step["number"]: step for step in document["steps"]}
        yield LanguageFigures(
            bot=bot,
            build_s=steps[3]["seconds"] if steps[3].get("facts") else None,
            hello_ms=steps[4]["facts"]["hello_s"] * 1000,
            alone=1000 / steps[9]["facts"]["many_games"]["mean_ms"],
            peak_mib=steps[13]["facts"]["peak_mib"],
            tournament=_tournament(bot, results),
        )


def _tournament(bot: str, results: Path) -> float:
    others = [other for other in ("random", "cautious", "greedy") if other != bot][:2]
    words = ["run", bot, *others, "--matches", "20", "--allow-fetch", "--progress", "none"]
    done = _tongits(*words, "--results", str(results))
    found = _RATE.search(done.stderr)
    return float(found[1].replace(",", "")) if found else 0.0


def _tongits(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tongits_harness.cli", *words],
        capture_output=True,
        text=True,
        timeout=_WAIT_S,
        check=False,
    )
