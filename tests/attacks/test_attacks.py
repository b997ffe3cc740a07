"""Every attack beside two honest bots: the right seat is charged, nothing else changes or stays."""

import json
import re
import shutil
from pathlib import Path

import pytest
from tongits_harness.bots.rungs import files

from tests.attacks.control import course_of, play_again
from tests.attacks.outside import groups_named, look, weigh
from tests.attacks.seats import BAD, HONEST, MATCHES, Ring
from tests.attacks.table import ATTACKS, PROBES, Attack
from tests.e2e.test_bad_bots import EXPECTED
from tests.e2e.traces import traces_of

pytestmark = pytest.mark.process

MOST_GROWTH_MIB = 64
"""Memory of this process that one tournament may leave behind, allocators being what they are."""
MOST_DISK_MIB = 512
"""Disk that others on the machine may take meanwhile."""


@pytest.fixture
def tmp(monkeypatch, tmp_path_factory):
    """Where the run keeps its folder; short, for it holds sockets."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="atk") as name:
        Path(name).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)
        monkeypatch.setattr(tempfile, "tempdir", None)


@pytest.fixture
def groups(monkeypatch):
    """Names of the control groups that are made; other harnesses on the machine make some too."""
    made: list[str] = []
    new_name = files.new_name

    def keep_name() -> str:
        made.append(new_name())
        return made[-1]

    monkeypatch.setattr(files, "new_name", keep_name)
    return made


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
def test_an_attack_is_contained_and_charged_to_its_seat(
    attack: Attack, ring: Ring, probe_tree, tmp, groups
):
    if attack.bot == "compiled" and not shutil.which("cc"):
        pytest.skip("no C compiler (cc)")
    outside, before = look(probe_tree, tmp), weigh(probe_tree)

    played = ring.play(attack)

    assert traces_of(tmp) == []
    assert look(probe_tree, tmp) == outside
    assert groups_named(groups) == []
    after = weigh(probe_tree)
    assert after.descriptors <= before.descriptors + 2
    assert after.threads <= before.threads + 4
    assert after.rss_mib <= before.rss_mib + MOST_GROWTH_MIB
    assert after.disk_mib >= before.disk_mib - MOST_DISK_MIB
    if attack.refused:
        assert "NO_HANDSHAKE" in "\n".join(played.refusal.details)
        assert "attacker did not come up" in str(played.refusal)
        return
    assert played.refusal is None, played.refusal.details
    check_blame(attack, played)
    check_honest(played)
    if not (attack.may_be_spared and played.faults):  # it forfeited before it could tell
        check_told(attack, played.told)


def check_blame(attack, played):
    faults = [(fault.entrant, fault.fault.kind.value) for fault in played.faults]
    assert {entrant for entrant, _ in faults} <= {"attacker"}
    assert {kind for _, kind in faults} <= attack.charged
    assert {fault.fault.blame.value for fault in played.faults} <= {"bot"}
    if attack.charged and not attack.may_be_spared:
        assert faults
    for match in played.matches:
        outcome = {o.entrant: o for o in match.outcomes}["attacker"]
        assert not outcome.forfeited or outcome.place == 3


def check_honest(played):
    assert len(played.matches) == MATCHES
    for match in played.matches:
        for outcome in match.outcomes:
            assert outcome.entrant not in HONEST or not outcome.forfeited
    for session in played.sessions:
        assert course_of(play_again(played, session)) == course_of(session.games)


def check_told(attack, told):
    for name, wanted in attack.tells.items():
        outcomes = {key: value for key, value in told.items() if re.fullmatch(name, key)}
        assert outcomes, f"nothing was told of {name}: {told}"
        for key, value in outcomes.items():
            text = value if isinstance(value, str) else json.dumps(value)
            assert re.fullmatch(wanted, text), f"{key}: {text}"


def test_every_bot_that_attacks_is_in_a_table():
    from tests.e2e.test_bad_bots import EXPECTED

    shipped = {path.parent.name for path in BAD.glob("*/bot.toml")}
    assert shipped <= {attack.bot for attack in ATTACKS} | set(EXPECTED)


def test_every_attack_names_what_stops_it():
    assert all(attack.layer for attack in ATTACKS)
    assert all(attack.tells for attack in PROBES)


def test_every_bad_bot_that_ships_is_played_somewhere():
    shipped = {path.parent.name for path in BAD.glob("*/bot.toml")}
    assert shipped <= {attack.bot for attack in ATTACKS} | set(EXPECTED)
