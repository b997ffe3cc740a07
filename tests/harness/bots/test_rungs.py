"""The limits ladder on made-up control-group file systems: rungs this machine may not have."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs import choose_rung, files, scope
from tongits_harness.bots.rungs.base import Join, RungUnavailableError, Usage
from tongits_harness.bots.rungs.places import Places, find_places
from tongits_harness.bots.rungs.rlimits import RlimitsRung
from tongits_harness.bots.rungs.scope import ScopeGroup, ScopeRung, open_scopes
from tongits_harness.bots.rungs.version1 import open_version1
from tongits_harness.bots.rungs.version2 import LEAF, open_bare, open_delegated

CONTROL_FILES = {
    "cgroup.procs": "", "cgroup.freeze": "0", "cgroup.kill": "", "cpu.stat": "usage_usec 1234\nx 1",
    "memory.max": "", "memory.oom.group": "", "memory.swap.max": "", "pids.max": "",
    "memory.peak": "4096", "memory.events": "oom 0\noom_kill 0", "pids.events": "max 0",
    "cpu.max": "",
}  # fmt: skip


@pytest.fixture
def kernel(monkeypatch):
    """Gives new folders the files the kernel would, and removes them as it would."""
    make_locked = files.make_locked

    def make(folder):
        lock = make_locked(folder)
        for name, text in CONTROL_FILES.items():
            (folder / name).write_text(text)
        return lock

    monkeypatch.setattr(files, "make_locked", make)
    monkeypatch.setattr(files, "remove", lambda folder: shutil.rmtree(folder) is None)


@pytest.fixture
def own(tmp_path):
    """Our own group of version 2, with three controllers to give on."""
    folder = tmp_path / "user.slice" / "us.scope"
    folder.mkdir(parents=True)
    (folder.parent / "cgroup.procs").touch()
    (folder / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    (folder / "cgroup.subtree_control").write_text("\n")
    (folder / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (folder / LEAF).mkdir()
    (folder / LEAF / "cgroup.procs").touch()
    return folder


def content(folder, *names):
    return [(folder / name).read_text() for name in names]


def test_a_delegated_group_is_divided_after_the_harness_has_left_it(own, kernel):
    rung = open_delegated(Places(unified=own))
    assert (own / LEAF / "cgroup.procs").read_text() == str(os.getpid())
    assert (own / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    assert rung.enforces == {"memory_mib", "processes", "cpu_cores"}
    assert rung.name == "cgroup v2, delegated (memory, pids, cpu)"
    group = rung.open(Limits(memory_mib=64, processes=20, cpu_cores=0.5))
    assert content(group.folder, "memory.max", "memory.swap.max", "memory.oom.group") == [
        str(64 << 20), "0", "1",
    ]  # fmt: skip
    assert content(group.folder, "pids.max", "cpu.max") == ["24", "50000 100000"]
    group.close()
    assert not group.folder.exists()


def test_a_harness_that_has_moved_before_uses_the_group_above(own, kernel):
    (own / "cgroup.subtree_control").write_text("cpu memory pids")
    rung = open_delegated(Places(unified=own / LEAF))
    assert rung.parent == own


def test_what_cannot_be_divided_is_told(own):
    (own / "cgroup.procs").write_text(f"{os.getpid()}\n999999\n")
    with pytest.raises(RungUnavailableError, match="systemd-run --user --scope"):
        open_delegated(Places(unified=own))
    (own / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (own / "cgroup.subtree_control").unlink()
    with pytest.raises(RungUnavailableError, match="not delegated"):
        open_delegated(Places(unified=own))
    (own / "cgroup.controllers").write_text("cpu pids")
    with pytest.raises(RungUnavailableError, match="no controller memory"):
        open_delegated(Places(unified=own))
    with pytest.raises(RungUnavailableError, match="no cgroup v2"):
        open_delegated(Places())
    with pytest.raises(RungUnavailableError, match="memory and pids"):
        open_version1(Places(unified=own))


@pytest.mark.parametrize(
    ("events", "own_kills", "outside"), [("oom 2\noom_kill 1", 1, 0), ("oom 0\noom_kill 1", 0, 1)]
)
def test_only_a_kill_at_its_own_limit_is_the_groups(own, kernel, events, own_kills, outside):
    group = open_bare(Places(unified=own)).open(Limits())
    (group.folder / "memory.events").write_text(events)
    (group.folder / "pids.events").write_text("max 3")
    assert group.usage() == Usage(own_kills, outside, 3, 4, 1234)
    group.close()


def test_a_group_without_controllers_freezes_and_kills(own, kernel):
    rung = open_bare(Places(unified=own))
    assert (rung.enforces, rung.can_freeze) == (frozenset(), True)
    group = rung.open(Limits())
    assert content(group.folder, "memory.max", "pids.max") == ["", ""]
    group.freeze()
    assert content(group.folder, "cgroup.freeze") == ["1"]
    group.kill()
    assert content(group.folder, "cgroup.kill") == ["1"]
    (group.folder / "cgroup.kill").unlink()
    group.kill()
    assert content(group.folder, "cgroup.freeze") == ["0"]
    group.close()


def test_a_group_that_cannot_take_its_limits_is_removed(own, kernel, monkeypatch):
    (own / "cgroup.subtree_control").write_text("cpu memory pids")
    rung = open_delegated(Places(unified=own))
    monkeypatch.delitem(CONTROL_FILES, "memory.max")
    with pytest.raises(FileNotFoundError):
        rung.open(Limits())
    assert sorted(path.name for path in own.iterdir() if path.is_dir()) == [LEAF]


def test_the_ladder_is_descended_with_a_reason_for_each_rung():
    def absent(places):
        raise RungUnavailableError("not here")

    def refused(places):
        raise PermissionError(13, "Permission denied")

    def useless(places):
        return RlimitsRung()

    choice = choose_rung(ladder=[("first", absent), ("second", refused)])
    assert isinstance(choice.rung, RlimitsRung)
    assert choice.passed_over == (
        ("first", "not here"),
        ("second", "[Errno 13] Permission denied"),
    )
    choice = choose_rung(ladder=[("first", absent), ("second", useless)])
    assert choice.passed_over[1][1].startswith("a program could not join")


def test_rlimits_are_no_group():
    rung = RlimitsRung()
    group = rung.open(Limits())
    for act in (group.freeze, group.thaw, group.kill, group.close, lambda: group.joined(1)):
        act()
    assert (group.join, group.usage(), group.cpu_us()) == (Join(), Usage(), None)
    assert (rung.enforces, rung.can_freeze, rung.name) == (frozenset(), False, "rlimits only")


MOUNTS = """\
25 1 0:22 / /sys/fs/cgroup ro - tmpfs tmpfs ro
26 25 0:23 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
27 25 0:24 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
28 25 0:25 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
"""


def test_our_groups_are_found_in_every_hierarchy(tmp_path):
    (tmp_path / "mountinfo").write_text(MOUNTS)
    (tmp_path / "cgroup").write_text("5:memory:/docker/abc/x\n4:cpu,cpuacct:/y\n0::/z\n")
    places = find_places(tmp_path)
    mount = Path("/sys/fs/cgroup")
    assert places.unified == mount / "unified/z"
    assert places.by_controller["memory"] == mount / "memory/x"
    assert places.by_controller["cpu"] == places.by_controller["cpuacct"] == mount / "cpu,cpuacct/y"
    assert places.roots["memory"] == mount / "memory"
    assert find_places(tmp_path / "none") == Places()


@pytest.fixture
def manager(tmp_path):
    """A user's service manager: a program that notes its words and runs the command behind them."""
    program = tmp_path / "systemd-run"
    program.write_text(
        f'#!/bin/sh\necho "$@" >{tmp_path}/words\n'
        'while [ "$1" != -- ]; do shift; done; shift\nexec "$@"\n'
    )
    program.chmod(0o755)
    answers = {"show": "success\n"}
    asked = []

    def ask(words):
        asked.append(words)
        return answers.get(words[0], "")

    return ScopeRung(str(program), tmp_path, {"XDG_RUNTIME_DIR": "/run"}, ask), answers, asked


def test_a_scope_is_tried_by_reading_its_limits(manager, monkeypatch, tmp_path):
    rung, _, _ = manager
    monkeypatch.setattr(scope, "_SHOW", f'env >"{tmp_path}/env"; cat "$1/limits"')
    (tmp_path / "limits").write_text(f"{512 << 20}\n68\n100000 100000\n")
    assert scope._tried(rung).enforces == {"memory_mib", "processes", "cpu_cores"}
    assert (
        (tmp_path / "words")
        .read_text()
        .split("-- ")[0]
        .endswith("-p MemoryMax=512M -p MemorySwapMax=0 -p TasksMax=68 -p CPUQuota=100% ")
    )
    assert "XDG_RUNTIME_DIR" not in (tmp_path / "env").read_text()
    (tmp_path / "limits").write_text(f"{512 << 20}\n68\n\n")
    assert scope._tried(rung).enforces == {"memory_mib", "processes"}
    (tmp_path / "limits").write_text("max\nmax\n\n")
    with pytest.raises(RungUnavailableError, match="no memory and pids"):
        scope._tried(rung)
    monkeypatch.setattr(scope, "_SHOW", "echo Failed to connect to bus >&2; exit 1")
    with pytest.raises(RungUnavailableError, match="Failed to connect to bus"):
        scope._tried(rung)
    with pytest.raises(RungUnavailableError, match="Not a directory"):
        scope._tried(replace(rung, program=str(tmp_path / "words" / "x")))


def test_a_scope_is_found_by_its_process_and_asked_for_after_its_end(manager, tmp_path):
    rung, answers, asked = manager
    group = replace_proc(rung.open(Limits()), tmp_path)
    assert (group.usage(), group.cpu_us()) == (Usage(), None)
    group.joined(4711)
    group.freeze()  # not in its scope yet
    folder = tmp_path / "app.slice" / group.unit
    folder.mkdir(parents=True)
    for name, text in CONTROL_FILES.items():
        (folder / name).write_text(text)
    (tmp_path / "4711").mkdir()
    (tmp_path / "4711" / "cgroup").write_text(f"3:cpu:/\n0::/app.slice/{group.unit}\n")
    for act, name, text in (
        (group.freeze, "cgroup.freeze", "1"),
        (group.thaw, "cgroup.freeze", "0"),
        (group.kill, "cgroup.kill", "1"),
    ):
        act()
        assert content(folder, name) == [text]
    assert group.usage() == Usage(0, 0, 0, 4, 1234)
    shutil.rmtree(folder)
    assert group.usage().memory_kills == 0
    answers["show"] = "oom-kill\n"
    assert group.usage() == Usage(1, 0, 0, 4, 1234)
    group.close()
    assert asked[-1] == ["reset-failed", group.unit]


def replace_proc(group, proc):
    return ScopeGroup(group.unit, group.join, group.root, group.ask, proc=proc)


def test_without_a_user_session_there_are_no_scopes(monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    with pytest.raises(RungUnavailableError, match=r"XDG_RUNTIME_DIR|not installed"):
        open_scopes(Places())


def test_a_group_that_a_sweep_has_met_is_made_anew():
    tries = iter([FileNotFoundError(), BlockingIOError(), None])

    def make():
        if error := next(tries):
            raise error
        return "made"

    assert files.made_anew(make) == "made"


def test_a_group_that_cannot_be_made_is_given_up():
    def make():
        raise FileNotFoundError("there is no such place")

    with pytest.raises(FileNotFoundError, match="no such place"):
        files.made_anew(make)
