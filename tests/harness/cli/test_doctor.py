"""`tongits doctor`."""

import json
from types import SimpleNamespace

import pytest
from tongits_harness.bots import toolchains
from tongits_harness.bots.rungs import Choice
from tongits_harness.bots.rungs.rlimits import RlimitsRung
from tongits_harness.cli import checks
from tongits_harness.cli.checks import Status
from tongits_harness.errors import SandboxUnavailableError

NAMES = [
    "namespaces", "bubblewrap", "seccomp", "Landlock", "control groups", "sandbox", "clock", "disk",
    "descriptors", "memory", "Python", "engine", "Node.js", "Go",
    "Rust", "Java", "C++",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_toolchains(monkeypatch):
    """Starting all compilers takes seconds."""
    monkeypatch.setattr(toolchains, "which", lambda _name: None)


@pytest.fixture
def refused(monkeypatch):
    def refuse():
        raise SandboxUnavailableError("no sandbox can be made here: \x1b[31mX\nrun as root")

    monkeypatch.setattr(checks, "open_sandbox", refuse)


@pytest.mark.process
def test_every_thing_is_one_line_and_a_cure_where_it_is_needed(tongits, tmp_path):
    told = json.loads(tongits("doctor", "--json", results=tmp_path, code=0).stdout)
    assert [check["name"] for check in told["checks"]] == NAMES
    assert told["ok"] is all(check["status"] != "fail" for check in told["checks"])
    for check in told["checks"]:
        assert set(check) == {"name", "status", "text", "cure"}
        assert bool(check["cure"]) is (check["status"] != "ok"), check
        assert "\n" not in check["text"]


@pytest.mark.process
def test_the_text_shows_the_same_and_the_exit_status(tongits, tmp_path, refused):
    done = tongits("doctor", results=tmp_path, code=69)
    assert "fail  namespaces" in done.stdout
    assert r"\x1b[31mX" in done.stdout
    assert "-> run as root" in done.stdout
    assert "no tournament can be played here" in done.stderr


def test_a_machine_without_control_groups_is_told_what_is_only_watched(monkeypatch):
    choice = Choice(RlimitsRung(), (("cgroup v1", "only root may use it"),))
    monkeypatch.setattr(checks, "choose_rung", lambda: choice)
    check = checks._control_groups()
    assert check.status is Status.WARN
    assert check.text == (
        "rlimits only (not cgroup v1: only root may use it); "
        "memory of bots is watched, not enforced"
    )
    assert "Delegate=yes" in check.cure


@pytest.mark.parametrize(
    ("free", "status"), [(8 << 30, Status.OK), (1 << 29, Status.WARN), (1 << 20, Status.FAIL)]
)
def test_a_full_disk_is_told_before_it_stops_a_run(monkeypatch, tmp_path, free, status):
    monkeypatch.setattr(checks, "disk_usage", lambda _folder: SimpleNamespace(free=free))
    check = checks._disk(tmp_path / "results" / "new")
    assert check.status is status
    assert not (tmp_path / "results").exists()


def test_a_folder_that_cannot_be_written_fails(monkeypatch, tmp_path):
    monkeypatch.setattr(checks.os, "access", lambda *_words: False)
    assert checks._disk(tmp_path).status is Status.FAIL


def test_too_few_descriptors_are_told(monkeypatch):
    monkeypatch.setattr(checks, "raise_descriptor_limit", lambda: 1024)
    assert checks._descriptors().status is Status.WARN
    monkeypatch.setattr(checks, "raise_descriptor_limit", lambda: -1)
    assert checks._descriptors().text == "unlimited"


def test_a_kernel_without_landlock_or_a_machine_without_filter_is_told(monkeypatch):
    monkeypatch.setattr(checks, "landlock_abi", lambda: 0)
    assert checks._landlock().status is Status.WARN
    monkeypatch.setattr(checks.seccomp, "is_supported", lambda: False)
    assert checks._seccomp().status is Status.FAIL


def test_a_language_whose_programs_are_missing_is_told_with_its_packages():
    told = {check.name: check for check in checks._toolchains()}
    assert told["Go"].status is Status.WARN
    assert told["Go"].text == "go missing"
    assert "apt-get install golang" in told["Go"].cure
