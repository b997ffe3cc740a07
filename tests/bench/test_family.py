"""CPU of a family of processes, seen from outside."""

import subprocess
import sys

from tests.bench.family import Used, Watch

BURN = "import time\nwhile time.process_time() < {}: pass\n"
PARENT = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {BURN.format(0.4)!r}], check=True)
{BURN.format(0.2)}
print("done", flush=True)
input()
"""


def test_parts_are_told_apart_and_what_has_ended_still_counts():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PARENT], **pipes) as parent:
        watch = Watch(parent.pid)
        assert parent.stdout.readline() == b"done\n"
        watch.stop()
        parent.communicate(b"\n", timeout=60)
    last = watch.looks[-1]
    assert last.harness == 0  # none of them runs the harness
    assert last.bots > 0.3  # the child was last seen some moments before its end
    assert last.bot_kib >= 0


def test_between_two_looks_a_straight_line_is_drawn():
    watch = Watch.__new__(Watch)
    watch.looks = [Used(10.0, 1.0, 2.0, 3.0), Used(12.0, 2.0, 4.0, 3.0), Used(14.0, 2.0, 4.0, 9.0)]
    used = watch.between(11.0, 13.0)
    assert (used.at, used.main, used.harness, used.bots) == (2.0, 0.5, 1.0, 3.0)
    assert watch.between(9.0, 20.0).bots == 6.0
