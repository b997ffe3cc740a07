"""Loops that cannot be measured are named with the cure."""

import pytest

from tests.bench import compiled, loops

NAME = "tongits-lite, compiled"


@pytest.fixture
def build(tmp_path, monkeypatch):
    """What `make compiled` leaves, with one module that is as in the checkout."""
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    folder = tmp_path / "tongits_engine"
    folder.mkdir()
    source = loops.ROOT / "engine" / "tongits_engine" / "play.py"
    (folder / "play.py").write_bytes(source.read_bytes())
    (folder / "play.cpython-311-x86_64-linux-gnu.so").touch()
    return folder


def test_what_is_not_built_names_what_builds_it(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "FOLDER", tmp_path)
    assert loops.missing(NAME) == "`make compiled` builds it"
    assert loops.missing(NAME.removesuffix(", compiled")) is None


def test_a_build_of_these_sources_is_measured(build):
    assert loops.missing(NAME) is None


def test_a_build_of_other_sources_is_not(build):
    with (build / "play.py").open("a") as file:
        file.write("# older\n")
    assert loops.missing(NAME) == (
        "it was built from another tongits_engine/play.py; `make compiled` builds it anew"
    )
