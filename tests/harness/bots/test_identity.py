"""The three ways to an unprivileged bot, each tried by whoever can."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

PROGRAMS = Path(__file__).parent / "programs"

NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
OURS = [path for path in sys.path if path and not path.startswith(sys.base_prefix)]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(OURS), "PATH": os.defpath}
"""Our packages without the standard library, which the other interpreter brings along."""


def run(command):
    return subprocess.run(
        command, env=ENVIRONMENT, cwd="/", capture_output=True, text=True, check=False
    )


def as_nobody():
    return list(NOBODY) if os.getuid() == 0 else []


def python_that_runs(prefix):
    """An interpreter of our version that this command prefix can start with our packages."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    check = "import os, sys; open(os.path.realpath(sys.executable)); import grpc, pydantic, trio"
    for python in (sys.executable, f"/usr/bin/python{version}"):
        command = [*prefix, python, "-c", check]
        try:
            done = run(command)
        except OSError:
            continue
        if done.returncode == 0:
            return python
    pytest.skip(f"no Python {version} with our packages is reachable for {' '.join(prefix)}")


def probe_as(prefix, *arguments):
    python = python_that_runs(prefix or as_nobody())
    command = [*prefix, python, PROGRAMS / "probe_as.py", *arguments]
    done = run(command)
    if done.returncode and "SandboxUnavailableError" in done.stderr:
        pytest.skip(f"no sandbox here: {done.stderr.partition('UnavailableError: ')[2]}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_plain_user_gets_a_sandbox_too():
    if os.getuid() == 0 and not shutil.which("setpriv"):
        pytest.skip("setpriv is missing")
    found = probe_as(as_nobody())
    assert found["identity"] == "USER"
    assert found["failure"] is None
    assert found["uid"] == found["harness"] != 0
    assert (found["said"], found["errors"]) == ("65534\n", "")


@pytest.mark.parametrize(
    ("identity", "inside"), [("DROP_INSIDE", "61195"), ("DROP_OUTSIDE", "65534")]
)
def test_root_gives_every_slot_a_uid_of_its_own(identity, inside):
    if os.getuid() != 0:
        pytest.skip("only root can give its bots other uids")
    found = probe_as([], identity)
    assert found["failure"] is None
    assert found["uid"] == 61195
    assert (found["said"], found["errors"]) == (f"{inside}\n", "")
