from dataclasses import replace

import pytest
from tongits_harness.bots.rungs import Choice
from tongits_harness.bots.rungs.rlimits import RlimitsRung
from tongits_harness.bots.sandbox import choice, open_sandbox, partial
from tongits_harness.bots.sandbox.refusal import Facts, read_facts, refuse
from tongits_harness.errors import SandboxUnavailableError, UsageError

GOOD = Facts(
    system="Linux",
    is_root=False,
    apparmor_restricts=False,
    namespaces_switch=None,
    in_container=False,
    missing_tools=(),
    has_bwrap=True,
    machine_supported=True,
)


@pytest.mark.parametrize(
    ("change", "cause", "cure"),
    [
        ({"system": "Darwin"}, "Darwin has no namespaces", "WSL2"),
        ({"apparmor_restricts": True}, "AppArmor restricts", "AppArmor profile"),
        ({"namespaces_switch": "user.max_user_namespaces=0"}, "max_user_namespaces=0", "as root"),
        ({"in_container": True, "is_root": True}, "inside a container", "on the host"),
        ({"missing_tools": ("setpriv",)}, "setpriv cannot be found", "install util-linux"),
        ({"has_bwrap": False}, "bubblewrap is not installed", "install the package bubblewrap"),
        ({"machine_supported": False}, "seccomp", "x86_64 or aarch64"),
        ({"is_root": True}, "even as root", "doctor"),
        ({}, "bubblewrap fails", "run as root"),
    ],
)
def test_a_refusal_has_one_line_of_cause_and_one_of_cure(change, cause, cure):
    lines = str(refuse(replace(GOOD, **change), ["bwrap: \x1b[31mno"])).splitlines()
    assert len(lines) == 2
    assert cause in lines[0]
    assert r"bwrap: \x1b[31mno" in lines[0]
    assert cure in lines[1]
    assert "--sandbox=none" in lines[1]
    assert "sysctl" not in lines[1]


def test_the_facts_of_this_machine_can_be_read():
    assert read_facts().machine_supported in {True, False}


def test_a_kernel_without_landlock_cannot_make_the_level_partial(monkeypatch):
    monkeypatch.setattr(partial, "landlock_abi", lambda: 0)
    with pytest.raises(SandboxUnavailableError, match="no Landlock") as refusal:
        open_sandbox("partial")
    assert str(refusal.value).count("\n") == 1


def test_the_level_full_needs_a_group_that_holds_memory(monkeypatch):
    nothing = Choice(RlimitsRung(), (("cgroup v1", "only root may use it"),))
    monkeypatch.setattr(choice, "choose_rung", lambda: nothing)
    with pytest.raises(SandboxUnavailableError, match="cgroup v1: only root") as refusal:
        open_sandbox("full")
    assert str(refusal.value).count("\n") == 1


def test_an_unknown_level_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="auto, full, contained, partial, none"):
        open_sandbox("docker")
