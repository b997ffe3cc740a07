"""Archives beyond a limit, and manifests in archives: refused by name, or taken as they are."""

import os
import zlib

import pytest
from tongits_harness.errors import ConfigError, TongitsError
from tongits_harness.submissions.entries import UnpackLimits

from tests.harness.submissions.archives import MANIFEST, PROGRAM, Item, make_zip

BOT = (MANIFEST, PROGRAM)


def test_a_bomb(desk):
    zeros = Item("zeros", bytes(8 << 20))
    with desk.refuses("entry 'zeros'", "200 times"):
        desk.zipped(*BOT, zeros)


def test_a_bomb_that_hides_its_size(desk):
    zeros = bytes(8 << 20)
    small = {"size": 1000, "crc": zlib.crc32(zeros)}
    with desk.refuses("more than the 1000 bytes it claims"):
        desk.zipped(*BOT, Item("zeros", zeros, local=small, central=small))


def test_a_bomb_in_an_archive_is_a_file_like_others(desk):
    inner = make_zip(Item("zeros", bytes(8 << 20)))
    stored = desk.zipped(*BOT, Item("inner.zip", inner)).version
    assert desk.files(stored)["inner.zip"] == inner


def test_limits_of_size(desk):
    limits = UnpackLimits(file_bytes=1000, total_bytes=2000, archive_bytes=100_000, entries=5)
    for items, rule in (
        ([Item("a", bytes(1001))], "a file may have 1000 bytes"),
        ([Item("a", bytes(999)), Item("b", bytes(999))], "larger than 2000 bytes altogether"),
        ([Item(f"{number}") for number in range(4)], "6 entries"),
        ([Item("a", bytes(100_000), method=0)], "an archive may have"),
    ):
        with desk.refuses(rule):
            desk.zipped(*BOT, *items, limits=limits)


def test_a_large_manifest(desk):
    with desk.refuses("64 KiB"):
        desk.zipped(Item("bot.toml", b"#" * 70_000), PROGRAM)


def test_a_manifest_with_errors_names_the_archive(desk):
    with desk.refuses("bot.zip", "bot.toml", "run: is missing", "versoin: is unknown"):
        desk.zipped(Item("bot.toml", b'name="a"\nversoin="1"\nversion="1"\nlanguage="c"\n'))
    with desk.refuses("bot.zip", "is not TOML"):
        desk.zipped(Item("bot.toml", b"\x00"))
    with desk.refuses("bot.zip", "exclude", "bot.toml itself"):
        desk.zipped(Item("bot.toml", MANIFEST.content + b'exclude=["*.toml"]\n'))


def test_another_manifest_of_the_archive(desk):
    second = Item("second.toml", MANIFEST.content.replace(b"mybot", b"second"))
    stored = desk.zipped(*BOT, second).version
    path = desk.folder / "bot.zip"
    other = desk.submit(path, manifest_name="second.toml").version
    assert (stored.title, other.title) == ("mybot@1", "second@1")
    assert desk.seen[-1].name == "second.toml"
    for name in ("../bot.toml", "/etc/x.toml", "passwd"):
        with desk.refuses("--manifest", kind=ConfigError):
            desk.submit(path, manifest_name=name)


@pytest.mark.parametrize("what", ["missing", "folder-without", "pipe", "device"])
def test_what_is_no_archive(desk, what):
    path = desk.folder / "thing.zip"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    elif what == "folder-without":
        path.mkdir()
    with desk.refuses("thing.zip", kind=TongitsError):
        desk.submit(path)
