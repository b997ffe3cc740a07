"""The harness stands still while a bot thinks: the session is void and replayed, nobody is charged.

Real bots in their sandbox; what stands still is the whole of this process, as it does when the
machine sleeps or swaps: not even the thread that stamps answers runs.
"""

import ctypes
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner
from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.cli import main
from tongits_harness.config import make_config
from tongits_harness.play.table import REPLAYS, Table
from tongits_harness.protocol.conversation import Conversation
from tongits_harness.results.queries import open_reader
from tongits_harness.runs import conduct, new_progress, prepare_run

from tests.e2e.arena import SAMPLES

pytestmark = pytest.mark.process

STALL_US = 600_000
DECISION_S = 0.4


class Staller:
    """Stands still with the interpreter's lock held, right after the first question of a session.

    The first question of a session is always the same bot's, so that the head is the same.
    """

    def __init__(self, monkeypatch, times: int) -> None:
        self.left = times
        self._is_first = False
        ask, begin, stand_still = Conversation.ask, Table.open, ctypes.PyDLL(None).usleep

        def open_table(table):
            self._is_first = True
            begin(table)

        def ask_and_stall(talk, *how):
            ask(talk, *how)
            if self._is_first and self.left:
                self._is_first = False
                self.left -= 1
                stand_still(STALL_US)

        monkeypatch.setattr(Table, "open", open_table)
        monkeypatch.setattr(Conversation, "ask", ask_and_stall)


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Plays one session; gives its record and the words of `tongits status`."""

    def call(stalls: int):
        staller = Staller(monkeypatch, stalls)
        data = {
            "matches": 1, "seatings": 1, "games": 1,
            "entrants": [{"bot": str(SAMPLES / name)} for name in ("random", "greedy", "cautious")],
            "limits": {"decision_s": DECISION_S, "start_s": 60.0, "bank_s": 900.0},
            "machine": {"tables": 1},
        }  # fmt: skip
        config = make_config(data, origin="stall")
        run = prepare_run(config, base=Path(), results=tmp_path / "results")
        trio.run(conduct, run, open_sandbox("auto"), new_progress(run), trio.Event())
        assert staller.left == 0
        with open_reader(tmp_path / "results") as reader:
            (session,) = reader.sessions("tournament")
        words = ["--results", str(tmp_path / "results")]
        status = CliRunner().invoke(main, ["status", *words]).output
        assert CliRunner().invoke(main, ["verify", *words]).exit_code == 0
        return session, status

    return call


@pytest.mark.parametrize("stalls", [1, REPLAYS])
def test_a_stall_voids_the_session_which_is_replayed_and_charges_nobody(play, stalls):
    session, status = play(stalls)

    assert session.voids >= stalls
    assert session.faults == ()
    assert not any(seat.forfeited for seat in session.seats)
    assert f"voided and replayed for trouble of the harness: {session.voids}" in status
    assert "faults: none" in status


def test_the_same_head_once_more_is_that_bots_fault(play):
    """Else a bot that makes the whole machine stand still could keep a tournament from its end."""
    session, status = play(REPLAYS + 1)

    assert session.voids >= REPLAYS
    (fault,) = session.faults
    assert fault.fault.kind == "TIMEOUT"
    assert fault.step == 0
    assert fault.entrant == session.seats[session.games[0].dealer].entrant
    assert f"late again after {REPLAYS} replays" in fault.fault.message
    assert not fault.forfeit
    assert f"faults: {fault.entrant} 1 TIMEOUT in decision" in status
