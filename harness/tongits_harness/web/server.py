"""The web server on trio: hypercorn over the application, ended by an event."""

import logging
from collections.abc import Callable
from pathlib import Path

import trio
from hypercorn.config import Config
from hypercorn.trio import serve

from tongits_harness.errors import CannotContinueError
from tongits_harness.web.app import make_app
from tongits_harness.web.arena import Arena
from tongits_harness.web.live import Hub

_GRACE_S = 0.5
"""Open event streams are cut after this time when the server ends."""


async def serve_results(
    results: Path,
    host: str,
    port: int,
    *,
    stop: trio.Event,
    started: Callable[[str], None],
) -> None:
    """Serves the pages of a results folder until told to stop.

    Args:
        results: The results folder.
        host: Address to listen at.
        port: Port; 0 takes a free one.
        stop: Ends the server.
        started: Told the URL once connections are taken.

    Raises:
        CannotContinueError: The address cannot be used.
    """
    arena = Arena(results)
    hub = Hub(arena)
    config = Config()
    config.bind = [f"[{host}]:{port}" if ":" in host else f"{host}:{port}"]
    config.graceful_timeout = _GRACE_S
    config.errorlog = logging.getLogger("tongits.web")
    config.include_server_header = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hub.run)
        try:
            binds = await nursery.start(_serve, make_app(arena, hub), config, stop)
        except OSError as error:
            raise CannotContinueError(
                f"cannot listen at {host} port {port}: {error.strerror}; choose another with --port"
            ) from error
        started(binds[0])
        await stop.wait()
        hub.close()
        nursery.cancel_scope.deadline = trio.current_time() + 2 * _GRACE_S + 1


async def _serve(
    app: object, config: Config, stop: trio.Event, task_status: "trio.TaskStatus[list[str]]"
) -> None:
    await serve(app, config, shutdown_trigger=stop.wait, task_status=task_status)  # type: ignore[arg-type]
