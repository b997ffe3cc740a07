"""`tongits serve`: the results in a browser."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import results_option
from tongits_harness.cli.talk import say

if TYPE_CHECKING:
    import trio

DEFAULT_PORT = 8123


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True,
    help="Port to listen at; 0 takes a free one.",
)  # fmt: skip
@results_option
def serve(host: str, port: int, results: Path) -> None:
    """Show the results in a browser.

    Reads the database, also while a tournament runs, and renews the leaderboard by itself. Nothing
    can be changed through it. Ctrl-C ends it.
    """
    import trio

    from tongits_harness.results.queries import open_reader

    with open_reader(results) as reader:
        reader.tournaments()
    if host not in {"127.0.0.1", "::1", "localhost"}:
        say(f"WARNING: everybody who reaches {host} can read these pages")
    trio.run(_serve, results, host, port)


async def _serve(results: Path, host: str, port: int) -> None:
    import trio

    from tongits_harness.web.server import serve_results

    stop = trio.Event()
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signal, stop)
        await serve_results(
            results, host, port, stop=stop,
            started=lambda url: say(f"serving {results} at {url}/ (Ctrl-C ends it)"),
        )  # fmt: skip
        nursery.cancel_scope.cancel()


async def serve_beside(results: Path, port: int, task_status: "trio.TaskStatus[None]") -> None:
    """Serves the pages beside a run until cancelled; what goes wrong later ends only the pages.

    Raises:
        CannotContinueError: The port cannot be used.
    """
    import trio

    from tongits_harness.web.server import serve_results

    is_up = False

    def started(url: str) -> None:
        nonlocal is_up
        is_up = True
        say(f"pages at {url}/")
        task_status.started()

    try:
        await serve_results(results, "127.0.0.1", port, stop=trio.Event(), started=started)
    except Exception as error:
        if not is_up:
            raise
        say(f"the pages have ended: {error}; the run goes on, `tongits serve` shows them again")


async def stop_on_signal(stop: "trio.Event", task_status: "trio.TaskStatus[None]") -> None:
    """Sets the event at the first SIGINT or SIGTERM."""
    import trio

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        task_status.started()
        async for _number in received:
            stop.set()
