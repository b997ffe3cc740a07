"""The static site: from a file, without a server, the same every time."""

import re
import shutil
from pathlib import Path

import pytest
from tongits_harness.errors import ConfigError
from tongits_harness.web.publish import publish, publish_single

HREF = re.compile(r'(?:href|src)="([^"]*)"')


def pages(site):
    return sorted(site.rglob("*.html"))


def test_every_link_leads_to_a_file_of_the_site(site):
    for page in pages(site):
        for link in HREF.findall(page.read_text()):
            target = link.split("#")[0].split("?")[0]
            if not target:
                continue
            assert not target.startswith(("/", "http")), (page, link)
            assert (page.parent / target).resolve().is_file(), (page, link)


def test_nothing_leads_outside(site):
    for file in site.rglob("*"):
        if file.suffix in {".html", ".js", ".css"}:
            found = re.findall(r"https?://[^\"'<> ]+", file.read_text())
            assert set(found) <= {"http://www.w3.org/2000/svg"}, file


def test_two_exports_are_the_same_byte_for_byte(results, site, tmp_path):
    publish(results, tmp_path / "again", "cup", replays=2)
    names = [file.relative_to(site) for file in sorted(site.rglob("*")) if file.is_file()]
    assert names == [
        file.relative_to(tmp_path / "again")
        for file in sorted((tmp_path / "again").rglob("*"))
        if file.is_file()
    ]
    for name in names:
        assert (site / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name


def test_a_site_is_replaced_and_nothing_else_is(results, site, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    with pytest.raises(ConfigError, match="not empty"):
        publish(results, mine, "cup")
    assert (mine / "thesis.txt").read_text() == "years of work"

    old = tmp_path / "old"
    shutil.copytree(site, old)
    (old / "stale.html").write_text("old")
    publish(results, old, "cup", replays=0)
    assert not (old / "stale.html").exists()
    assert list(tmp_path.glob(".old*")) == []


@pytest.mark.process
def test_the_site_works_from_a_file(page, site):
    page.goto((site / "index.html").as_uri())
    assert page.locator("table.board tbody tr").count() == 3
    page.click("text=Matrix")
    page.click("table.matrix td a >> nth=0")
    assert " against " in page.locator("h1").inner_text()
    page.click("nav >> text=Leaderboard")
    replay = next(iter(sorted((site / "m").iterdir()))) / "index.html"
    page.goto(f"{replay.as_uri()}#d5")
    assert page.locator("#say").inner_text().startswith("Turn")
    page.click("text=2: ")
    assert page.locator("#table .card").count() > 0
    assert page.url.endswith("#d5")


@pytest.mark.process
def test_one_file_holds_a_report(page, results, tmp_path):
    file = tmp_path / "report.html"
    size = publish_single(results, file, "cup")
    assert size < 120 * 1024
    assert HREF.findall(file.read_text().replace('href="#main"', "")) == []
    page.goto(Path(file).as_uri())
    assert page.locator("table.board tbody tr").count() == 3
    assert page.locator("table.matrix tbody tr").count() == 3
