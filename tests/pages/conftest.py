"""Real pages: a stored tournament, the real server, a real browser."""

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tongits_harness.web.publish import publish

from tests.durability import in_process

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
START_S = 30
BUDGET = 120 * 1024
"""Bytes of a page before its data."""


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """Thirty matches of three bots, played in this process."""
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        in_process.play(folder, patch, rounds=30, seatings=3, games=2, name="cup", seed="5eed" * 16)
    return folder


@pytest.fixture(scope="session")
def site(results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "cup"
    publish(results, folder, "cup", replays=2)
    return folder


class Server:
    """`tongits serve` as a process of its own."""

    def __init__(self, results: Path) -> None:
        words = ["serve", "--results", str(results), "--port", "0"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tongits_harness.cli", *words], stderr=subprocess.PIPE, text=True
        )
        self.url = self._url()

    def _url(self) -> str:
        ready, _, _ = select.select([self.process.stderr], [], [], START_S)
        line = self.process.stderr.readline() if ready else ""
        words = [word for word in line.split() if word.startswith("http://")]
        if not words:
            self.stop()
            raise AssertionError(f"the server did not come up: {line!r}")
        return words[0].rstrip("/")

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process.stderr.close()
        return code


@pytest.fixture(scope="session")
def server(results):
    running = Server(results)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        if os.environ.get("TONGITS_CI_ALL_LANGUAGES") == "1":
            pytest.fail("no browser: apt-get install chromium")
        pytest.skip("no browser: apt-get install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    """A tab that complains about every error of a script and every refused file."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    errors = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
    yield opened
    context.close()
    assert errors == []


def wait_until(fits, seconds=20.0):
    """Looks again and again until something holds."""
    end = time.monotonic() + seconds
    while not fits():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)  # the other side is another process; there is nothing to wait on
