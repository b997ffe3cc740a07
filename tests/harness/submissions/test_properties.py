"""Whatever bytes arrive: an archive is taken as it is, or refused and nothing is left of it."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tongits_harness.submissions.entries import DEFAULT_LIMITS, Entry, SubmissionRefusedError
from tongits_harness.submissions.names import EntryRules, name_problem
from tongits_harness.submissions.resemblance import likeness, resembled
from tongits_harness.submissions.unpack import exclusions, unpack
from tongits_harness.submissions.zip_archive import open_zip

from tests.harness.submissions.archives import MANIFEST, PROGRAM, Item, make_zip

NAMES = st.text(
    st.sampled_from("abAB./\\:é\u0301ß \0\n-~x\u202e") | st.characters(), min_size=0, max_size=12
)
PARTS = st.sampled_from(["a", "A", "b", "..", ".", "", "ä", "a\u0308", "x y", "'", "C:", "~", "-r"])
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
SETTINGS = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def taken(data: bytes, folder: Path, number: list[int]) -> dict[str, bytes] | None:
    """The files that an archive is unpacked into, None if it was refused; looks for strays."""
    number[0] += 1
    home = folder / str(number[0])
    into = home / "in/to"
    into.mkdir(parents=True)
    archive = home / "bot.zip"
    archive.write_bytes(data)
    try:
        with open_zip(
            archive, title="bot.zip", manifest_name="bot.toml", limits=DEFAULT_LIMITS
        ) as source:
            source.manifest()
            unpack(source, into, leave_out=exclusions(()), limits=DEFAULT_LIMITS)
    except SubmissionRefusedError:
        found = None
    else:
        files = [path for path in into.rglob("*") if path.is_file()]
        found = {str(path.relative_to(into)): path.read_bytes() for path in files}
    for path in into.rglob("*"):
        assert not path.is_symlink()
        assert path.is_dir() or path.is_file()
    assert sorted(home.iterdir()) == [archive, home / "in"]
    assert list((home / "in").iterdir()) == [into]
    return found


@pytest.fixture
def number():
    return [0]


@SETTINGS
@given(st.lists(st.tuples(PATHS, st.binary(max_size=9)), max_size=5))
def test_names_of_entries(tmp_path, number, items):
    entries = [MANIFEST, PROGRAM, *(Item(name, content) for name, content in items)]
    found = taken(make_zip(*entries), tmp_path, number)
    if found is not None:
        assert found == {item.name: item.content for item in entries}


@SETTINGS
@given(st.data())
def test_damaged_archives(tmp_path, number, data):
    whole = bytearray(make_zip(MANIFEST, PROGRAM, Item("a/b", b"content " * 20)))
    original = taken(bytes(whole), tmp_path, number)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] = data.draw(st.integers(0, 255))
    found = taken(bytes(whole), tmp_path, number)
    if found is not None:
        # A changed name is another archive; content is held to its check sum.
        assert len(found) == len(original)
        assert sorted(found.values()) == sorted(original.values())


@SETTINGS
@given(
    st.binary(max_size=300)
    | st.binary(max_size=60).map(lambda tail: make_zip(MANIFEST)[:-9] + tail)
)
def test_random_bytes(tmp_path, number, data):
    assert taken(data, tmp_path, number) is None


@given(NAMES)
def test_a_name_that_is_taken_stays_within_its_folder(name):
    if name_problem(name, DEFAULT_LIMITS) is None:
        path = Path("/home") / name
        assert str(path) == f"/home/{name}"
        assert ".." not in path.parts
        assert name.isprintable()


@given(st.lists(NAMES, max_size=6))
def test_names_that_are_taken_differ_everywhere(names):
    rules = EntryRules("x", DEFAULT_LIMITS)
    kept = []
    for name in names:
        try:
            rules.accept(Entry(name, is_folder=False))
        except SubmissionRefusedError:
            continue
        kept.append(name)
    for form in ("NFC", "NFD", "NFKC"):
        assert len({unicodedata.normalize(form, name).casefold() for name in kept}) == len(kept)


BOT_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}", fullmatch=True)


@given(BOT_NAMES, st.sampled_from("-_."), st.integers(0, 31))
def test_case_and_separators_do_not_make_a_name(name, mark, place):
    cut = 1 + place % len(name)
    assert likeness(name) == likeness(name.swapcase())
    assert likeness(name) == likeness(name[:cut] + mark + name[cut:])


@given(BOT_NAMES, BOT_NAMES)
def test_resemblance_is_mutual_and_not_of_oneself(one, other):
    assert resembled(one, [one]) is None
    assert (resembled(one, [other]) is None) == (resembled(other, [one]) is None)
