"""Turn logic knows monotonic time only: the wall clock may jump while bots think."""

import ast
from pathlib import Path

import pytest
import tongits_harness

ROOT = Path(tongits_harness.__file__).parent
WALL_CLOCKS = {
    ("time", "time"),
    ("time", "time_ns"),
    ("time", "localtime"),
    ("time", "gmtime"),
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
}
ANNOTATIONS = {("play/table.py", "_started_at"), ("play/table.py", "finished_at")}
"""Where a record is told when it was made; nothing is decided by it."""


def wall_clock_uses(path):
    """(target, line) of every look at the wall clock, by the name that the value is given."""
    tree = ast.parse(path.read_text())
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            if (owner, node.attr) in WALL_CLOCKS:
                yield _target(parents, node), node.lineno
        if isinstance(node, ast.ImportFrom) and node.module in {"time", "datetime"}:
            for name in node.names:
                if (node.module, name.name) in WALL_CLOCKS:
                    yield f"import {name.name}", node.lineno


def _target(parents, node):
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.keyword):
            return node.arg
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            return node.targets[0].attr
        if isinstance(node, ast.stmt):
            return ""
    return ""


TURN_LOGIC = sorted(
    str(path.relative_to(ROOT))
    for part in ("play", "protocol")
    for path in ROOT.glob(f"{part}/*.py")
)


@pytest.mark.parametrize("name", TURN_LOGIC)
def test_turn_logic_never_looks_at_the_wall_clock(name):
    uses = {(target, line) for target, line in wall_clock_uses(ROOT / name)}

    assert {(name, target) for target, _ in uses} <= ANNOTATIONS, uses


def test_the_look_finds_what_it_is_for(tmp_path):
    program = tmp_path / "late.py"
    program.write_text(
        "import time\nfrom time import time as clock\nfrom datetime import datetime\n"
        "late = time.time() > limit\nif datetime.now() > limit: pass\nmake(at=time.time_ns())\n"
    )

    assert set(wall_clock_uses(program)) == {("import time", 2), ("", 4), ("", 5), ("at", 6)}


def test_the_annotations_are_still_there():
    """Else the list above says nothing."""
    uses = {target for target, _ in wall_clock_uses(ROOT / "play" / "table.py")}

    assert uses == {target for _, target in ANNOTATIONS}
