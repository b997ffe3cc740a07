"""What a spectator sees in a real browser."""

import json
import re
import sqlite3
from urllib.request import Request, urlopen

import pytest
from tongits_harness.results.connection import database_path

from tests.pages.conftest import BUDGET, wait_until

pytestmark = pytest.mark.process

CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")
SIZES = ((1280, 900), (390, 844))


def get(url):
    with urlopen(Request(url), timeout=20) as answer:  # noqa: S310  # our own server
        return answer.read().decode()


def document(server, path):
    return json.loads(get(f"{server.url}/t/cup/{path}.json"))


@pytest.fixture(scope="module")
def key(server):
    return document(server, "matches")["matches"][0]["key"]


def every_page(key):
    return [
        "", "matrix/", "matches/", "fairplay/", "run/", "bots/greedy/", "vs/cautious/greedy/",
        "table/cautious/greedy/random/", f"m/{key}/", f"m/{key}/0/0/spoiler/",
    ]  # fmt: skip


def looks(key):
    """Every page in one look, the three that differ most in all."""
    yield ("dark", (390, 844), every_page(key))
    some = ["", "bots/greedy/", f"m/{key}/1/1/seat2/"]
    for scheme in ("light", "dark"):
        for size in SIZES:
            yield (scheme, size, some)


@pytest.mark.parametrize("look", range(5))
def test_pages_are_accessible_and_fit_the_screen(browser, server, key, look):
    from axe_playwright_python.sync_playwright import Axe

    scheme, (width, height), paths = list(looks(key))[look]
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
    page = context.new_page()
    for path in paths:
        page.goto(f"{server.url}/t/cup/{path}")
        found = Axe().run(page).response["violations"]
        assert [(v["id"], [n["target"] for n in v["nodes"]]) for v in found] == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_pages_and_what_they_load_stay_within_their_budget(page, server, key):
    for path in every_page(key):
        page.goto(f"{server.url}/t/cup/{path}")
        urls = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
        loaded = sum(len(get(url).encode()) for url in urls if "/events" not in url)
        data = page.evaluate("(document.getElementById('data')?.textContent ?? '').length")
        rows = page.evaluate("document.querySelector('.told')?.outerHTML.length ?? 0")
        own = len(get(page.url).encode()) - data - rows
        assert loaded + own <= BUDGET, (path, loaded, own)


def test_without_scripts_everything_can_be_read(browser, server, key):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/")
    assert page.locator("table.board tbody tr").count() == 3
    page.click("thead >> text=Entrant")
    names = page.locator("table.board tbody th a").all_inner_texts()
    assert names == sorted(names)
    page.goto(f"{server.url}/t/cup/m/{key}/#d3")
    assert page.locator("ol.told li").count() > 3
    assert "Turn" in page.locator("#d3").inner_text()
    context.close()


def test_the_leaderboard_is_sorted_and_filtered_in_the_address(page, server):
    page.goto(f"{server.url}/t/cup/?q=ree&sort=matches")
    assert page.locator("table.board tbody th a").all_inner_texts() == ["greedy"]
    assert page.locator("th[aria-sort]").inner_text().startswith("Matches")
    page.click("text=show all")
    assert page.locator("table.board tbody tr").count() == 3
    page.goto(f"{server.url}/t/cup/?sort=entrant&dir=desc")
    names = page.locator("table.board tbody th a").all_inner_texts()
    assert names == sorted(names, reverse=True)


def test_the_page_says_what_the_documents_say(page, server):
    board = document(server, "leaderboard")
    table = get(f"{server.url}/t/cup/leaderboard.csv").splitlines()
    page.goto(f"{server.url}/t/cup/")
    shown = page.locator("table.board tbody tr")
    assert shown.count() == len(board["rows"]) == len(table) - 1
    for number, row in enumerate(board["rows"]):
        text = shown.nth(number).inner_text()
        assert row["entrant"] in text
        assert f"{row['score']:.1f}".replace("-", "\u2212") in text
        assert table[number + 1].split(",")[3] == row["entrant"]


def test_the_fair_play_report_is_the_one_of_the_command(page, server):
    page.goto(f"{server.url}/t/cup/")
    page.click("nav >> text=Fair play")
    report = document(server, "fairplay")
    assert "fair play" in page.locator("h1").inner_text()
    shown = page.locator("h2 + ul li").count()
    assert shown == len(report["findings"])
    assert page.locator("h2 + p >> text=Nothing was found").count() == (shown == 0)
    rows = page.locator("[aria-label='Times and trouble'] tbody tr")
    assert rows.count() == len(report["entrants"]) == 3
    assert [e["entrant"] for e in report["entrants"]] == [
        row.locator("th").inner_text() for row in rows.all()
    ]


def test_the_matrix_leads_to_the_pair_and_back(page, server):
    page.goto(f"{server.url}/t/cup/matrix/")
    assert page.locator("table.matrix td:not(.self)").count() == 6
    page.click("table.matrix td:not(.self) a >> nth=0")
    assert " against " in page.locator("h1").inner_text()
    matrix = document(server, "matrix")["p_above"]
    assert matrix["greedy"]["random"] + matrix["random"]["greedy"] == pytest.approx(1)


def test_a_change_of_the_database_moves_the_page_by_itself(page, server, results):
    page.goto(f"{server.url}/t/cup/")
    page.wait_for_selector("#pause:not([hidden])")
    connection = sqlite3.connect(database_path(results))
    with connection:  # touches the file: the page is made anew, with the same figures
        connection.execute("UPDATE tournaments SET created_at = created_at + 1")
    connection.close()
    page.wait_for_selector("#live[data-renewed]", timeout=20_000)
    assert page.locator("table.board tbody tr").count() == 3


def test_a_paused_page_stays_as_it_is(page, server, results):
    page.goto(f"{server.url}/t/cup/")
    page.click("#pause")
    assert page.locator("#pause").get_attribute("aria-pressed") == "true"
    page.click("#pause")
    assert page.locator("#pause").get_attribute("aria-pressed") == "false"


def test_a_game_is_stepped_through_by_keyboard(page, server, key):
    page.goto(f"{server.url}/t/cup/m/{key}/")
    frames = document(server, f"m/{key}")["frames"]
    for number, frame in enumerate(frames):
        assert page.locator("#say").inner_text() == frame["say"]
        cards = page.locator("#table .hand .card").count()
        assert cards == sum(frame["n"])
        if number:
            assert page.url.endswith(f"#d{number}")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert page.locator("#say").inner_text() == frames[0]["say"]
    page.keyboard.press("m")
    at = int(page.url.rsplit("#d", 1)[1])
    assert any(re.match("exposed|took|laid|concealed", text) for _, text in frames[at]["e"])
    page.keyboard.press("End")
    assert page.url.endswith(f"#d{len(frames) - 1}")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seats_page_holds_no_card_that_it_did_not_see(server, key, seat):
    frames = document(server, f"m/{key}/0/0/seat{seat}")["frames"]
    seen = set()
    for frame in frames:
        seen |= set(CARD.findall(json.dumps([frame["h"][seat], frame["x"], frame["m"]])))
        seen |= set(CARD.findall(" ".join(text for _, text in frame["e"])))
        assert [frame["h"][other] for other in range(3) if other != seat] == [None, None]
    html = get(f"{server.url}/t/cup/m/{key}/0/0/seat{seat}/")
    assert set(CARD.findall(html)) <= seen
    everything = get(f"{server.url}/t/cup/m/{key}/0/0/all/")
    assert set(CARD.findall(everything)) >= set(CARD.findall(html))


def test_the_onlookers_page_holds_no_hand(server, key):
    frames = document(server, f"m/{key}/0/0/public")["frames"]
    assert all(frame["h"] == [None, None, None] and frame["l"] is None for frame in frames)
    assert all("drew a hidden card" in str(f["e"]) for f in frames if f["a"].startswith("drew"))


def test_what_is_not_there_leads_on(page, server):
    for path, near in (("bots/gredy/", "greedy"), ("m/nothing/", ""), ("no/such/page/", "")):
        with pytest.raises(OSError, match="404"):
            get(f"{server.url}/t/cup/{path}")
        answer = page.request.get(f"{server.url}/t/cup/{path}")
        assert answer.status == 404
        assert near in answer.text()
        assert "leaderboard" in answer.text()


def test_strangers_find_strict_headers(page, server):
    answer = page.request.get(f"{server.url}/t/cup/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_server_without_results_says_how_to_begin(tmp_path):
    import subprocess
    import sys

    told = subprocess.run(
        [sys.executable, "-m", "tongits_harness.cli", "serve", "--results", str(tmp_path)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert told.returncode == 3
    assert "tongits demo" in told.stderr


def test_the_listeners_are_let_go_when_the_server_ends(results):
    from urllib.request import urlopen as open_url

    from tests.pages.conftest import Server

    running = Server(results)
    stream = open_url(f"{running.url}/t/cup/events?topic=board", timeout=20)  # noqa: S310
    assert stream.readline().startswith(b"retry")
    assert running.stop() == 0
    wait_until(lambda: stream.readline() in (b"", b"\n") or stream.closed)
    stream.close()
