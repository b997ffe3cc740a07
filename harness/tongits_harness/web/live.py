"""Server-sent events: what has changed, made once and sent to all who listen."""

import json
from collections.abc import AsyncIterator

import trio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tongits_harness.errors import TongitsError
from tongits_harness.web import makers
from tongits_harness.web.arena import Arena
from tongits_harness.web.makers import NotFoundError
from tongits_harness.web.pages import Frame

LOOK_S = 2.0
"""How often the database is looked at for changes."""
QUIET_S = 15.0
"""A comment is sent after so long without an event, so that a dead connection is noticed."""
_BEHIND = 2
"""Events that may wait for a slow listener; what comes when they are full is dropped, for the next
one holds everything again."""
_TOPICS = {"board": "leaderboard_live.html"}


class Hub:
    """Listeners by tournament and topic."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._listeners: dict[str, set[trio.MemorySendChannel[bytes]]] = {}
        self._seen: dict[str, object] = {}

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return sum(len(channels) for channels in self._listeners.values())

    async def run(self) -> None:
        """Look for changes and tell of them, for ever."""
        while True:
            for name in [name for name, channels in self._listeners.items() if channels]:
                await self._look(name)
            await trio.sleep(LOOK_S)

    def close(self) -> None:
        """End all streams."""
        for channels in self._listeners.values():
            for channel in channels:
                channel.close()

    async def endpoint(self, request: Request) -> Response:
        """A stream of events for one tournament."""
        name = str(request.path_params["tournament"])
        await makers.show(self._arena, name)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(
            self._stream(name), media_type="text/event-stream", headers=headers
        )

    async def _look(self, name: str) -> None:
        try:
            shown = await self._arena.show(name)
            if self._seen.get(name) == shown.stamp:
                return
            self._seen[name] = shown.stamp
            page = await makers.leaderboard(self._arena, name, {}, {})
        except (TongitsError, NotFoundError):  # gone or locked for now: the next look may do better
            return
        html = page.fragment(_TOPICS["board"], Frame(name))
        top = [[row.standing, row.entrant] for row in shown.board.rows]
        event = b"event: board\ndata: %s\n\n" % json.dumps({"html": html, "top": top}).encode()
        for channel in tuple(self._listeners[name]):
            try:
                channel.send_nowait(event)
            except trio.WouldBlock:
                pass
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self._listeners[name].discard(channel)

    async def _stream(self, name: str) -> AsyncIterator[bytes]:
        sending, receiving = trio.open_memory_channel[bytes](_BEHIND)
        self._listeners.setdefault(name, set()).add(sending)
        try:
            yield b"retry: 2000\n\n"
            while True:
                event = b": quiet\n\n"
                with trio.move_on_after(QUIET_S):
                    event = await receiving.receive()
                yield event
        except trio.EndOfChannel:  # the server ends
            return
        finally:
            self._listeners[name].discard(sending)
            receiving.close()
