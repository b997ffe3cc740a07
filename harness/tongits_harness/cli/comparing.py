"""How a comparison is told: its lines while it goes on, and what it came to."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tongits_harness.cli.progress import Shown, duration
from tongits_harness.compare.duel import Score
from tongits_harness.compare.pairs import ARMS
from tongits_harness.compare.setup import CompareSetup
from tongits_harness.statistics.anytime import interval
from tongits_harness.statistics.sprt import Verdict
from tongits_harness.text import safe_text

if TYPE_CHECKING:
    from rich.console import RenderableType

_BAR = 41


def shown(score: Score) -> Shown:
    """What is shown while it goes on."""
    return Shown(
        lambda: plain_line(score), lambda: json.dumps(figures(score)), lambda: _block(score)
    )


def header(setup: CompareSetup, sandbox: str, path: str) -> Iterator[str]:
    """What is about to be played."""
    hypotheses = setup.hypotheses
    yield (
        f"NEW {_called(setup, 0)} against OLD {_called(setup, 1)}: the same shuffles and seatings, "
        f"{setup.seatings} seatings x {setup.games} games, rules {setup.rules.name}"
    )
    yield f"others: {safe_text(', '.join(setup.field))}; sandbox: {sandbox}"
    yield (
        f"H0: at most {hypotheses.d0:g} chips per game, H1: at least {hypotheses.d1:g}; "
        f"alpha {hypotheses.alpha:g}, beta {hypotheses.beta:g}; at most {setup.most_pairs} pairs;"
        f" kept in {path}"
    )
    if setup.is_same:
        yield "NEW and OLD are the same files: whatever differs is their own chance, or none"


def plain_line(score: Score) -> str:
    """One line for logs."""
    lower, upper = score.setup.hypotheses.bounds
    rate = (score.evidence.pairs - score.pairs_before) / max(score.seconds, 1e-9)
    parts = [
        f"{score.evidence.pairs} pairs",
        f"LLR {score.ratio:+.2f} in {lower:+.2f} .. {upper:+.2f}",
        f"difference {_estimate(score)}",
        f"{rate:.2f} pairs/s",
        f"faults: new {score.faults['new']}, old {score.faults['old']}",
    ]
    if score.voids:
        parts.append(f"voids: {score.voids}")
    return " | ".join(parts)


def figures(score: Score) -> dict[str, object]:
    """Where it stands, in JSON."""
    lower, upper = score.setup.hypotheses.bounds
    found = interval(score.evidence)
    return {
        "verdict": str(score.verdict) if score.verdict else None,
        "pairs": score.evidence.pairs,
        "pairs_different": score.evidence.different,
        "games_played": score.games,
        "difference": round(score.evidence.mean, 6),
        "difference_ci95": [round(value, 6) for value in found] if found else None,
        "deviation": round(score.evidence.deviation, 6),
        "llr": round(score.ratio, 6),
        "llr_bounds": [round(lower, 6), round(upper, 6)],
        "faults": score.faults,
        "forfeits": {**score.forfeits, "others": score.others_forfeits},
        "voids": score.voids,
        "seconds": round(score.seconds, 3),
    }


def document(score: Score, sandbox: str, path: str) -> dict[str, object]:
    """All there is to say of it, in JSON."""
    setup = score.setup
    hypotheses = setup.hypotheses
    return {
        "new": {"bot": setup.new.name, "version": setup.new.digest},
        "old": {"bot": setup.old.name, "version": setup.old.digest},
        "against": list(setup.field),
        "rules": setup.rules.name,
        "games": setup.games,
        "seatings": setup.seatings,
        "seed": setup.seed.hex(),
        "sandbox": sandbox,
        "d0": hypotheses.d0,
        "d1": hypotheses.d1,
        "alpha": hypotheses.alpha,
        "beta": hypotheses.beta,
        "pairs_bound": setup.most_pairs,
        **figures(score),
        "file": path,
    }


def conclusion(score: Score) -> Iterator[str]:
    """The verdict with its error rates, and the figures it rests on."""
    evidence, setup = score.evidence, score.setup
    yield verdict_line(score)
    yield (
        f"{evidence.pairs} pairs of matches, {score.games} games; {evidence.different} pairs"
        f" differ; their difference spreads by {evidence.deviation:.2f}"
    )
    lower, upper = setup.hypotheses.bounds
    yield (
        f"difference {_estimate(score)} chips per game;"
        f" LLR {score.ratio:+.2f} in {lower:+.2f} .. {upper:+.2f}"
    )
    if interval(evidence) is not None:
        yield (
            "The interval holds whenever one looks; the estimate leans away from the other"
            " hypothesis where a test stops early."
        )
    for arm in ARMS:
        if score.faults[arm]:
            yield (
                f"! {arm.upper()} was at fault {score.faults[arm]} times and forfeited"
                f" {score.forfeits[arm]} matches; a stated fallback played for it"
            )
    if score.others_forfeits:
        yield f"! one of the others forfeited in {score.others_forfeits} matches"


def verdict_line(score: Score) -> str:
    """The verdict in a sentence."""
    hypotheses = score.setup.hypotheses
    new, old = _called(score.setup, 0), _called(score.setup, 1)
    match score.verdict:
        case Verdict.BETTER:
            return (
                f"better: {new} wins more than {old}. Were the difference {hypotheses.d0:g} or"
                f" less, this would be said with probability {hypotheses.alpha:g} at most"
            )
        case Verdict.NOT_BETTER:
            return (
                f"not better: {new} does not win {hypotheses.d1:g} chips per game more than {old}."
                f" If it did, this would be said with probability {hypotheses.beta:g} at most"
            )
        case Verdict.IDENTICAL:
            return (
                f"no difference: {new} and {old} were identical to the chip in every one of"
                f" {score.evidence.pairs} pairs"
            )
        case Verdict.UNDECIDED:
            return (
                f"undecided: the bound of {score.setup.most_pairs} pairs is reached; go on with a"
                " greater --pairs and the same --name"
            )
    return f"no verdict yet after {score.evidence.pairs} pairs"


def _called(setup: CompareSetup, place: int) -> str:
    """The bot by its name; two of one name by their versions too."""
    bot = (setup.new, setup.old)[place]
    name = safe_text(bot.name)
    return name if setup.new.name != setup.old.name else f"{name} ({bot.digest[:8]})"


def _estimate(score: Score) -> str:
    found = interval(score.evidence)
    mean = f"{score.evidence.mean:+.3f}"
    return f"{mean} (95 %: {found[0]:+.3f} to {found[1]:+.3f})" if found else mean


def _block(score: Score) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    evidence = score.evidence
    return Group(
        Text(
            f"{evidence.pairs} of at most {score.setup.most_pairs} pairs  {score.games} games  "
            f"{duration(score.seconds)} elapsed"
        ),
        Text(_bar(score)),
        Text(f"difference {_estimate(score)} chips per game, spread {evidence.deviation:.2f}"),
        Text(
            f"faults: new {score.faults['new']}, old {score.faults['old']}"
            + (f"  voids: {score.voids}" if score.voids else "")
        ),
    )


def _bar(score: Score) -> str:
    """The log likelihood ratio between its bounds."""
    lower, upper = score.setup.hypotheses.bounds
    share = (min(max(score.ratio, lower), upper) - lower) / (upper - lower)
    at = round(share * (_BAR - 1))
    bar = "─" * at + "●" + "─" * (_BAR - 1 - at)
    return f"not better {lower:+.2f} {bar} {upper:+.2f} better   LLR {score.ratio:+.2f}"
