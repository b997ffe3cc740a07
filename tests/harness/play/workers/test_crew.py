"""A crew whose workers do not live."""

import os
import signal

import pytest
import trio
import trio.testing
from tongits_engine import rules_named
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.errors import CannotContinueError, UsageError
from tongits_harness.play.hall import HallSetup
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.workers import process
from tongits_harness.play.workers.crew import DEATHS, open_crew
from tongits_harness.play.workers.messages import BEAT_S

from tests.e2e.arena import SAMPLES

pytestmark = pytest.mark.process


@pytest.fixture
def setup():
    bots = {name: load_bot(SAMPLES / name) for name in ("random", "greedy", "caller")}
    return HallSetup(bots, rules_named("tongits-lite"), 2, PlayLimits(), Limits(), 8, 12, 1, 1)


async def test_workers_that_die_again_and_again_end_the_run_with_the_reason(setup, monkeypatch):
    monkeypatch.setattr(process, "WORKER_MODULE", "tongits_harness.no_such_worker")
    with trio.fail_after(60), pytest.raises(ExceptionGroup) as raised:
        async with open_crew(setup, "full", 2, lambda: None) as crew:
            await crew.preflight()
    (error,) = raised.value.exceptions
    assert isinstance(error, CannotContinueError)
    assert f"{DEATHS + 1} workers died" in str(error)
    assert any("no_such_worker" in line for line in error.details)


async def test_what_a_worker_cannot_do_is_said_as_if_it_had_been_tried_here(setup):
    with trio.fail_after(60), pytest.raises(ExceptionGroup) as raised:
        async with open_crew(setup, "no such level", 2, lambda: None) as crew:
            await crew.preflight()
    _, others = raised.value.split(UsageError)
    assert others is None
    assert "no such level" in str(raised.value.subgroup(UsageError).exceptions)


async def test_a_worker_that_is_stopped_is_ended_and_replaced(setup, monkeypatch):
    monkeypatch.setattr(process, "SILENCE_S", 3 * BEAT_S)
    news = trio.Event()

    def notice():
        news.set()

    with trio.fail_after(60):
        async with open_crew(setup, "full", 2, notice) as crew:
            assert await crew.preflight() == {}
            stopped = crew.members[0].process
            os.kill(stopped.popen.pid, signal.SIGSTOP)
            while crew.members[0].process in {stopped, None} or not crew.members[0].can_play:
                news = trio.Event()
                await news.wait()
            assert stopped.popen.returncode == -signal.SIGKILL
            assert "was not heard of for 3 s" in stopped.exit_text
            assert crew.note == "2 of 2 workers, 0+0 sessions in hand, 1 replaced"


class Mute:
    """A worker of which nothing is heard any more."""

    def __init__(self):
        self.killed_at = None
        self.channel = self.popen = self

    async def receive(self):
        await trio.sleep_forever()

    def kill(self):
        self.killed_at = trio.current_time()


async def test_silence_has_an_end(autojump_clock):
    mute = Mute()
    worker = process.WorkerProcess(0, mute, mute)
    began = trio.current_time()
    assert await worker.hear() is None
    assert process.SILENCE_S <= mute.killed_at - began <= process.SILENCE_S + 2


async def test_a_worker_that_dies_before_it_is_ready_is_replaced(setup):
    with trio.fail_after(60):
        async with open_crew(setup, "full", 2, lambda: None) as crew:
            await trio.testing.wait_all_tasks_blocked()
            for member in crew.members:
                os.kill(member.process.popen.pid, signal.SIGKILL)
            assert await crew.preflight() == {}
