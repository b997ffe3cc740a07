"""`tongits compare`: is a new version of a bot better than an old one?"""

import secrets
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.isolation import open_own_sandbox, own_sandbox_option
from tongits_harness.cli.options import json_option, results_option
from tongits_harness.cli.talk import heard_or_not, say
from tongits_harness.compare import defaults
from tongits_harness.errors import EXIT_INTERRUPTED, UsageError

if TYPE_CHECKING:
    import trio

    from tongits_harness.bots.sandbox import Sandbox
    from tongits_harness.cli.progress import Style
    from tongits_harness.compare.duel import Duel
    from tongits_harness.compare.setup import CompareSetup
    from tongits_harness.statistics.sprt import Hypotheses

SEED_BYTES = 32
_RATE = click.FloatRange(0, 0.5, min_open=True, max_open=True)


@click.command()
@click.argument("new", metavar="NEW")
@click.argument("old", metavar="OLD")
@click.option(
    "--against", multiple=True, metavar="BOT",
    help="One of the others at the table; may be given several times.  [default: sample bots]",
)  # fmt: skip
@click.option("--rules", default="tongits-lite", show_default=True, help="What is played.")
@click.option(
    "--games", type=click.IntRange(1, 1000), default=defaults.GAMES, show_default=True,
    help="Games of a session.",
)  # fmt: skip
@click.option(
    "--seatings", type=click.Choice(["1", "3", "6"]), default="6", show_default=True,
    help="Seat orders in which a pair is played.",
)  # fmt: skip
@click.option(
    "--pairs", type=click.IntRange(1), default=defaults.MOST_PAIRS, show_default=True,
    help="The bound: play at most so many pairs of matches.",
)  # fmt: skip
@click.option(
    "--alpha", type=_RATE, default=defaults.ERROR_RATE, show_default=True,
    help="Probability of saying better where the difference is d0.",
)  # fmt: skip
@click.option(
    "--beta", type=_RATE, default=defaults.ERROR_RATE, show_default=True,
    help="Probability of saying not better where it is d1.",
)  # fmt: skip
@click.option(
    "--d0", type=float, default=0.0, show_default=True, help="Chips per game that are no gain."
)
@click.option(
    "--d1",
    type=float,
    default=defaults.BETTER_BY,
    show_default=True,
    help="Chips per game that would be one.",
)
@click.option("--seed", metavar="HEX64", help="Secret of the shuffles.  [default: chance]")
@click.option(
    "--name", help="Name of its file; an unfinished one goes on.  [default: NEW-OLD and a number]"
)
@click.option(
    "--decision-s", type=click.FloatRange(0.02, 3600), default=1.0, show_default=True,
    help="Time limit of a decision; sixty of them are a session's bank.",
)  # fmt: skip
@click.option(
    "--start-s", type=click.FloatRange(0, 600, min_open=True), default=10.0, show_default=True,
    help="Time limit of a bot's start.",
)  # fmt: skip
@click.option(
    "--allow-fetch", is_flag=True, help="Let bots get dependencies by the fetch of their manifest."
)
@own_sandbox_option
@click.option(
    "--progress", "style", type=click.Choice(["auto", "plain", "json", "none"]), default="auto",
    show_default=True, help="How to show progress on stderr.",
)  # fmt: skip
@json_option
@results_option
def compare(
    new: str,
    old: str,
    against: tuple[str, ...],
    rules: str,
    games: int,
    seatings: str,
    pairs: int,
    alpha: float,
    beta: float,
    d0: float,
    d1: float,
    seed: str | None,
    name: str | None,
    decision_s: float,
    start_s: float,
    allow_fetch: bool,
    level: str,
    style: "Style",
    as_json: bool,
    results: Path,
) -> None:
    """Find out whether one bot is better than another.

    Every pair of matches is played on the same shuffles and seatings beside the same two others,
    once with NEW and once with OLD; it stops as soon as the difference is settled (a sequential
    test). Pairs are kept in comparisons/NAME.jsonl of the results folder; the same command with
    that --name goes on. Exit status: 0 there is a verdict, 1 undecided within --pairs.

    \b
    tongits compare ./mybot mybot@1
    tongits compare ./mybot caller --against greedy --against cautious --d1 0.1
    """  # noqa: D301  # click wants the escape itself
    from tongits_harness.compare.book import check_name, free_name, stored_seed
    from tongits_harness.compare.setup import CompareSetup, load_bots, make_rules
    from tongits_harness.play.limits import PlayLimits

    first, second, field = load_bots(new, old, against, results)
    name = check_name(name) if name else free_name(results, f"{first.name}-{second.name}")
    setup = CompareSetup(
        new=first,
        old=second,
        field=field,
        rules=make_rules(rules),
        games=games,
        seatings=int(seatings),
        seed=_seed(seed) or stored_seed(results, name) or secrets.token_bytes(32),
        hypotheses=_hypotheses(d0, d1, alpha, beta),
        most_pairs=pairs,
        limits=PlayLimits(start_s, decision_s, 60 * decision_s),
    )
    sandbox = open_own_sandbox(level)
    is_over, is_answer = _compare(
        setup, name, results, sandbox, style, as_json=as_json, allow_fetch=allow_fetch
    )
    if not is_over:
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(0 if is_answer else 1)


def _compare(
    setup: "CompareSetup",
    name: str,
    results: Path,
    sandbox: "Sandbox",
    style: "Style",
    *,
    as_json: bool,
    allow_fetch: bool,
) -> tuple[bool, bool]:
    """Plays and prints; whether it came to its end, and whether that is an answer."""
    import trio

    from tongits_harness.cli import comparing, render
    from tongits_harness.collector import seldom_collected
    from tongits_harness.compare.book import open_book
    from tongits_harness.compare.duel import Duel, Score
    from tongits_harness.logs import open_log

    with open_log(results, f"compare-{name}"), open_book(results, name, setup) as book:
        score = Score(setup)
        for pair in book.pairs:
            score.take(pair)
        score.pairs_before = score.evidence.pairs
        path = str(book.path)
        say(*comparing.header(setup, f"{sandbox.level} ({sandbox.describe()})", path))
        if book.pairs:
            say(f"going on after {len(book.pairs)} pairs")
        if score.verdict is None:
            duel = Duel(score, book.write)
            with seldom_collected():
                try:
                    trio.run(_conduct, duel, sandbox, results, style, allow_fetch)
                except* KeyboardInterrupt:
                    pass  # what is kept is kept
    with heard_or_not():
        if as_json:
            render.print_json(comparing.document(score, str(sandbox.level), path))
        else:
            render.print_lines(*comparing.conclusion(score))
    if score.verdict is None:
        say(f"stopped; go on with the same command and --name {name}")
        return False, False
    return True, score.verdict.is_answer


async def _conduct(
    duel: "Duel", sandbox: "Sandbox", results: Path, style: "Style", allow_fetch: bool
) -> None:
    import trio

    from tongits_harness.cli.building import build_own
    from tongits_harness.cli.comparing import shown
    from tongits_harness.cli.progress import show

    async with trio.open_nursery() as nursery:
        await nursery.start(_stop_on_signal, nursery.cancel_scope)
        bots = await build_own(
            duel.score.setup.bots(), sandbox, results, allow_fetch=allow_fetch, say=say
        )
        async with show(shown(duel.score), style):
            await duel.play(bots, sandbox)
        nursery.cancel_scope.cancel()


async def _stop_on_signal(
    everything: "trio.CancelScope", task_status: "trio.TaskStatus[None]"
) -> None:
    """A signal stops at once: what is lost are pairs that are not complete."""
    import trio

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as received:
        task_status.started()
        async for _ in received:
            everything.cancel()


def _seed(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise UsageError(f"--seed {text}: 64 hex digits are wanted")
    return seed


def _hypotheses(d0: float, d1: float, alpha: float, beta: float) -> "Hypotheses":
    from tongits_harness.statistics.sprt import Hypotheses

    try:
        return Hypotheses(d0, d1, alpha, beta)
    except ValueError as error:
        raise UsageError(f"{error}: choose other values") from error
