"""`tongits run`, `resume` and `demo`: tournaments from the command line."""

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import results_option, tournament_option
from tongits_harness.cli.talk import heard_or_not, say

if TYPE_CHECKING:
    import trio

    from tongits_harness.bots.sandbox import Sandbox
    from tongits_harness.cli.progress import Style
    from tongits_harness.play.players import Where
    from tongits_harness.play.progress import Progress
    from tongits_harness.runs import PreparedRun

_PROGRESS = click.option(
    "--progress",
    "style",
    type=click.Choice(["auto", "plain", "json", "none"]),
    default="auto",
    show_default=True,
    help="How to show progress on stderr.",
)
_SANDBOX = click.option(
    "--sandbox",
    "level",
    type=click.Choice(["auto", "full", "contained", "partial", "none"]),
    default="auto",
    show_default=True,
    help="Isolation of the bots; auto is the best this machine has and never none.",
)
_ALLOW_FETCH = click.option(
    "--allow-fetch", is_flag=True, help="Let bots get dependencies by the fetch of their manifest."
)
_WORKERS = click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True,
    help="Processes that play; results are the same for any number.",
)  # fmt: skip
_CLUSTER = click.option(
    "--cluster", metavar="ADDRESS",
    help="Play on the Dask cluster of this scheduler (tls://host:8786) instead.",
)  # fmt: skip
_SERVE = click.option(
    "--serve", "port", type=click.IntRange(0, 65535), is_flag=False, flag_value=8123,
    metavar="[PORT]", help="Show the pages meanwhile, at 127.0.0.1 port 8123 or PORT.",
)  # fmt: skip
DEMO_MATCHES = 100
_WARNINGS = {
    "none": "bots can read and harm this account; results are untrusted.",
    "partial": "bots have no namespaces of their own; sockets of this account can be reached.",
}


@click.command()
@click.argument("bots", nargs=-1, metavar="[TOURNAMENT.toml | BOT...]")
@click.option("--name", help="Name of the tournament in the results.  [default: tournament]")
@click.option("--rounds", type=click.IntRange(1), help="Passes over all triples of bots.")
@click.option("--matches", type=click.IntRange(1), help="Play only the first so many matches.")
@click.option("--games", type=click.IntRange(1), help="Games of a session.")
@click.option("--seatings", type=click.Choice(["1", "3", "6"]), help="Seat orders of every match.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["round-robin", "gauntlet", "informative"]),
    help="Who meets whom.  [default: round-robin]",
)
@click.option(
    "--challenger",
    "challengers",
    multiple=True,
    metavar="NAME",
    help="A challenger of a gauntlet; may be given several times.",
)
@click.option(
    "--until",
    metavar="CONDITION",
    help="Stop early: 'p(a>b) > 0.99', 'sigma < 0.8', or several joined by 'and'.",
)
@click.option("--rules", help="Rules: a preset, or overlays written base+overlay.")
@click.option("--seed", metavar="HEX64", help="The committed secret, 64 hex digits.")
@_WORKERS
@_CLUSTER
@click.option(
    "--dry-run", is_flag=True, help="Check everything, tell what would be played, play nothing."
)
@_ALLOW_FETCH
@_SANDBOX
@_PROGRESS
@_SERVE
@results_option
def run(
    bots: tuple[str, ...],
    name: str | None,
    rounds: int | None,
    matches: int | None,
    games: int | None,
    seatings: str | None,
    format_name: str | None,
    challengers: tuple[str, ...],
    until: str | None,
    rules: str | None,
    seed: str | None,
    workers: int,
    cluster: str | None,
    dry_run: bool,
    allow_fetch: bool,
    level: str,
    style: "Style",
    port: int | None,
    results: Path,
) -> None:
    """Play a tournament.

    Give a tournament file, or three or more bots: folders with a bot.toml, other manifests (.toml)
    in such folders, or names of sample bots (random, greedy, cautious, caller, planner, those of
    the kits, ...).

    \b
    tongits run random greedy cautious ./mybot --rounds 25
    tongits run cup.toml --results cup
    tongits run random greedy cautious ./mybot --challenger mybot --matches 500
    """  # noqa: D301  # click wants the escape itself
    from tongits_harness.config import load_config, make_config
    from tongits_harness.runs import free_name, prepare_run

    files = bots if len(bots) == 1 and bots[0].endswith(".toml") else ()
    changes = _changes(
        name=name, rounds=rounds, matches=matches, games=games, seed=seed,
        rules={"name": rules} if rules else None,
        seatings=int(seatings) if seatings else None,
        format=_changes(
            name=format_name or ("gauntlet" if challengers else None),
            challengers=list(challengers) or None, until=until,
        ) or None,
    )  # fmt: skip
    if files:
        path = Path(files[0])
        config = load_config(path, changes)
        base = path.parent
    else:
        entrants = [{"bot": bot} for bot in bots]
        config = make_config({**changes, "entrants": entrants}, origin="command line")
        base = Path()
    if not name and config.name == "tournament":
        config = config.model_copy(update={"name": free_name(results, config.name)})
    prepared = prepare_run(config, base=base, results=results)
    if dry_run:
        _tell_plan(prepared, workers)
        return
    where = _where(workers, cluster)
    _play(prepared, _open_sandbox(level), style, allow_fetch=allow_fetch, port=port, where=where)


@click.command()
@_WORKERS
@_CLUSTER
@_ALLOW_FETCH
@_SANDBOX
@_PROGRESS
@_SERVE
@results_option
@tournament_option
def resume(
    workers: int,
    cluster: str | None,
    allow_fetch: bool,
    level: str,
    style: "Style",
    port: int | None,
    results: Path,
    tournament: str | None,
) -> None:
    """Go on with a tournament that was stopped or killed.

    Nothing that is stored is played again; bots, rules and settings must be what they were.
    """
    from tongits_harness.runs import prepare_resume

    prepared = prepare_resume(results, tournament)
    where = _where(workers, cluster)
    _play(prepared, _open_sandbox(level), style, allow_fetch=allow_fetch, port=port, where=where)


@click.command()
@click.option("--matches", type=click.IntRange(1), default=DEMO_MATCHES, show_default=True)
@_PROGRESS
@results_option
def demo(matches: int, style: "Style", results: Path) -> None:
    """Watch the sample bots play a tournament.

    Runs at the best isolation level this machine has and says which: only bots that ship with the
    project are seated.
    """
    from tongits_harness.bots.sandbox import open_sandbox
    from tongits_harness.config import make_config
    from tongits_harness.errors import SandboxUnavailableError
    from tongits_harness.runs import free_name, prepare_run
    from tongits_harness.samples import DEMO_BOTS

    entrants = [{"bot": bot} for bot in DEMO_BOTS]
    data = {"name": free_name(results, "demo"), "matches": matches, "entrants": entrants}
    prepared = prepare_run(make_config(data, origin="demo"), base=Path(), results=results)
    try:
        sandbox = open_sandbox("auto")
    except SandboxUnavailableError as error:
        say("WARNING: the sample bots run WITHOUT a sandbox on this machine.", str(error))
        sandbox = open_sandbox("none")
    _play(prepared, sandbox, style)


def _where(workers: int, cluster: str | None) -> "Where":
    from tongits_harness.errors import UsageError
    from tongits_harness.play.players import Where

    if cluster is not None and workers > 1:
        raise UsageError(
            "--workers and --cluster: leave out --workers, the cluster's workers play"
            " (`dask worker --nworkers N` on their machines)"
        )
    return Where(workers, cluster)


def _open_sandbox(level: str) -> "Sandbox":
    from tongits_harness.bots.sandbox import open_sandbox

    if level in _WARNINGS:
        say(f"WARNING: --sandbox={level}: {_WARNINGS[level]}")
    return open_sandbox(level)


def _play(
    prepared: "PreparedRun",
    sandbox: "Sandbox",
    style: "Style",
    *,
    allow_fetch: bool = False,
    port: int | None = None,
    where: "Where | None" = None,
) -> None:
    """Plays, then prints the leaderboard; exits with 130 if it was stopped before its end."""
    import trio

    from tongits_harness.cli.leaderboard import print_leaderboard
    from tongits_harness.cli.status import resume_command
    from tongits_harness.logs import open_log
    from tongits_harness.results.leaderboard import read_leaderboard
    from tongits_harness.results.lock import hold_lock
    from tongits_harness.results.queries import open_reader
    from tongits_harness.runs import new_progress

    setup = prepared.setup
    progress = new_progress(prepared)
    with hold_lock(prepared.results), open_log(prepared.results, setup.name) as log_path:
        say(
            f"{setup.name}: {len(setup.bots)} bots, {setup.matches} matches "
            f"({setup.seatings} seatings x {setup.games} games), rules {setup.rules.name}, "
            f"{setup.format.text}" + (f", played {where.text}" if where else ""),
            f"sandbox: {sandbox.level} ({sandbox.describe()}); log: {log_path}",
        )
        finished = False
        try:
            finished = trio.run(
                _conduct, prepared, sandbox, progress, style, allow_fetch, port, where
            )
        except* KeyboardInterrupt:
            pass  # a third signal: what is stored is stored
    with open_reader(prepared.results) as reader:
        board = read_leaderboard(reader, setup.name)
    with heard_or_not():
        print_leaderboard(board)
    if not finished:
        say(f"stopped; nothing is lost. Go on with: {resume_command(prepared.results, setup.name)}")
        sys.exit(130)
    if progress.ended:
        say(f"stopped after {progress.matches_done} matches: {progress.ended}")
    say(
        f"finished in {progress.seconds:.1f} s: {progress.games} games, "
        f"{progress.decisions} decisions "
        f"({progress.decisions / max(progress.seconds, 1e-9):,.0f}/s), {progress.voids} voids"
    )


async def _conduct(
    prepared: "PreparedRun",
    sandbox: "Sandbox",
    progress: "Progress",
    style: "Style",
    allow_fetch: bool,
    port: int | None,
    where: "Where | None",
) -> bool:
    import trio

    from tongits_harness.cli.progress import show_progress
    from tongits_harness.runs import HERE, conduct

    stop = trio.Event()
    finished = False
    async with trio.open_nursery() as nursery:
        await nursery.start(_stop_on_signal, stop, nursery.cancel_scope)
        if port is not None:
            from tongits_harness.cli.serve import serve_beside

            await nursery.start(serve_beside, prepared.results, port)
        async with show_progress(progress, style):
            finished = await conduct(
                prepared, sandbox, progress, stop, say, allow_fetch=allow_fetch, where=where or HERE
            )
        nursery.cancel_scope.cancel()
    return finished


async def _stop_on_signal(
    stop: "trio.Event", everything: "trio.CancelScope", task_status: "trio.TaskStatus[None]"
) -> None:
    """The first signal lets running sessions finish and stores them; the second stops at once."""
    import trio

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    with trio.open_signal_receiver(*signals) as received:
        task_status.started()
        async for number in received:
            if stop.is_set():
                everything.cancel()
                return
            name = signal.Signals(number).name
            say(f"{name}: finishing the sessions at the tables; once more stops at once")
            stop.set()


def _tell_plan(prepared: "PreparedRun", workers: int) -> None:
    """What `--dry-run` shows: a run that was not played."""
    setup = prepared.setup
    sessions = setup.matches * setup.seatings
    click.echo(f"tournament {setup.name} in {prepared.results}")
    click.echo(f"rules {setup.rules.name}")
    for name, bot in setup.bots.items():
        click.echo(f"entrant {name}  version {bot.digest[:12]}  {bot.path}")
    at_most = "at most " if setup.format.has_stages else ""
    click.echo(
        f"{at_most}{setup.matches} matches in {setup.rounds} rounds, {sessions} sessions, "
        f"{sessions * setup.games} games"
    )
    click.echo(f"format {setup.format.text}")
    if setup.format.has_stages:
        click.echo(f"stages of {setup.format.stage_matches(len(setup.bots))} matches")
    limits = setup.limits
    click.echo(
        f"limits: start {limits.start_s:g} s, decision {limits.decision_s:g} s, "
        f"bank {limits.bank_s:g} s a session, {limits.faults} faults forgiven a session"
    )
    more = "" if setup.machine.compute_slots else " or more, if they leave the cores idle"
    tables = setup.tables(workers)
    click.echo(f"machine: {tables} tables, {setup.compute_slots} bots think at a time{more}")


def _changes(**given: object) -> dict[str, object]:
    return {key: value for key, value in given.items() if value is not None}
