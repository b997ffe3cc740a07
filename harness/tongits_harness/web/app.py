"""The web application: routes to page functions, errors to pages, headers on everything."""

import difflib
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tongits_harness.errors import TongitsError
from tongits_harness.web import links, makers
from tongits_harness.web.arena import Arena, Stamp
from tongits_harness.web.links import Links
from tongits_harness.web.live import Hub
from tongits_harness.web.makers import NotFoundError
from tongits_harness.web.pages import Frame, Page
from tongits_harness.web.render import STATIC, render

_HEADERS = {
    b"content-security-policy": (
        b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';"
        b" connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
    ),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
}
_HEALTH = "ok\n"
_KEPT_ANSWERS = 64
"""Answers kept for each kind of page."""

Handler = Callable[[Request], Awaitable[Response]]


def make_app(arena: Arena, hub: Hub) -> Starlette:
    """The application over the results of one folder."""
    return Starlette(
        routes=[
            Route("/", _latest(arena)),
            Route("/healthz", _healthz),
            Mount("/assets", StaticFiles(directory=STATIC)),
            Route("/t/{tournament}/events", hub.endpoint),
            *(
                Route(f"/t/{{tournament}}/{route}", _handler(arena, maker))
                for maker in makers.MAKERS
                for route in maker.routes
            ),
        ],
        exception_handlers={
            HTTPException: _http_error,
            NotFoundError: _not_found(arena),
            TongitsError: _our_error,
        },
        middleware=[Middleware(_Headers)],
    )


def _latest(arena: Arena) -> Handler:
    async def redirect(_request: Request) -> Response:
        shown = await arena.show(None)
        return RedirectResponse(f"/t/{shown.record.name}/", HTTPStatus.FOUND)

    return redirect


async def _healthz(_request: Request) -> Response:
    return PlainTextResponse(_HEALTH)


def _handler(arena: Arena, maker: makers.Maker) -> Handler:
    async def answer(request: Request) -> Response:
        values = {**request.path_params}
        name = str(values.pop("tournament"))
        page = await maker.make(arena, name, values, dict(request.query_params))
        if request.url.path.endswith(".json"):
            return Response(json.dumps(page.document), media_type="application/json")
        if request.url.path.endswith(".csv"):
            return _csv(page)
        names = await arena.ask(lambda reader: [one.name for one in reader.tournaments()])
        return HTMLResponse(page.html(Frame(name, tuple(names))))

    return _remembering(arena, answer)


def _remembering(arena: Arena, make: Handler) -> Handler:
    """Gives an answer again as long as nothing has been written since it was made."""
    kept: OrderedDict[str, tuple[Stamp, Response]] = OrderedDict()

    async def answer(request: Request) -> Response:
        stamp, address = arena.stamp(), str(request.url)
        found = kept.get(address)
        if found is not None and found[0] == stamp:
            return found[1]
        response = await make(request)
        kept[address] = stamp, response
        kept.move_to_end(address)
        if len(kept) > _KEPT_ANSWERS:
            kept.popitem(last=False)
        return response

    return answer


def _csv(page: Page) -> Response:
    if page.table is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "this page is no table")
    return Response(page.table.as_csv(), media_type="text/csv; charset=utf-8")


async def _http_error(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    what = error.detail if isinstance(error, HTTPException) else "an error"
    return _error_page(status, HTTPStatus(status).phrase, str(what))


def _not_found(arena: Arena) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(_request: Request, error: Exception) -> Response:
        if not isinstance(error, NotFoundError):
            raise error
        near: list[tuple[str, str]] = []
        if error.tournament:
            shown = await arena.show(error.tournament)
            names = [entrant.name for entrant in shown.record.entrants]
            found = difflib.get_close_matches(error.word, names, n=3, cutoff=0.4)
            near = [(name, links.bot(name)) for name in found]
        return _error_page(404, "Not found", str(error), error.tournament, near)

    return answer


async def _our_error(_request: Request, error: Exception) -> Response:
    return _error_page(404, "Nothing to show", str(error))


def _error_page(
    status: int, title: str, what: str, tournament: str = "", near: object = ()
) -> Response:
    page = Page("", "error.html", title, {}, {"error": what})
    context: Mapping[str, object] = {
        "page": page,
        "frame": Frame(tournament),
        "links_here": Links("", base=f"/t/{tournament}/" if tournament else "/"),
        "title": title,
        "what": what,
        "near": near,
    }
    return HTMLResponse(render("error.html", context), status)


class _Headers:
    """Puts the same headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS.items()]
            await send(message)

        await self._app(scope, receive, with_headers)
