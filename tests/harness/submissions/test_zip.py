"""Archives as people pack them are taken; archives that lie, attack or overflow leave nothing."""

import io
import shutil
import struct
import subprocess
import zipfile

import pytest

from tests.harness.submissions.archives import (
    FILE,
    FOLDER,
    LINK,
    MANIFEST,
    PROGRAM,
    Item,
    deflate,
    make_zip,
)

BOT = (MANIFEST, PROGRAM)
GOOD = {"bot.toml": MANIFEST.content, "main.py": PROGRAM.content}


def test_a_plain_archive(desk):
    stored = desk.zipped(*BOT).version
    assert desk.files(stored) == GOOD


def test_a_folder_around_everything_is_taken_off(desk, bot):
    flat = desk.zipped(*BOT).version
    inside = [Item(f"mybot/{item.name}", item.content) for item in BOT]
    for wrapped in ([Item("mybot/", mode=FOLDER), *inside], inside):
        again = desk.zipped(*wrapped)
        assert not again.is_new
        assert again.version == flat


def test_what_macos_adds_is_left_out(desk):
    inside = [Item(f"mybot/{item.name}", item.content) for item in BOT]
    stored = desk.zipped(*inside, Item("__MACOSX/mybot/._main.py", b"x")).version
    assert desk.files(stored) == GOOD


def test_two_folders_are_no_wrapping(desk):
    with desk.refuses("holds no bot.toml"):
        desk.zipped(*(Item(f"mybot/{item.name}", item.content) for item in BOT), Item("other/x"))


def test_execute_bits_are_kept_and_nothing_else_of_modes(desk):
    stored = desk.zipped(*BOT, Item("tool", b"#!", mode=0o100777), Item("data", mode=0)).version
    place = desk.results / "bots" / stored.digest
    modes = {path.name: path.stat().st_mode & 0o7777 for path in place.iterdir()}
    assert modes == {"bot.toml": 0o444, "main.py": 0o444, "tool": 0o555, "data": 0o444}


def test_what_the_manifest_excludes_is_left_out(desk):
    manifest = Item("bot.toml", MANIFEST.content + b'exclude = ["target", "*.o"]\n')
    stored = desk.zipped(
        manifest, PROGRAM, Item("target/big", b"1"), Item("a/target/big", b"1"), Item("x.o", b"1"),
        Item("a/keep", b"1"), Item(".git/config", b"1"), Item("__pycache__/m.pyc", b"1"),
    ).version  # fmt: skip
    assert sorted(desk.files(stored)) == ["a/keep", "bot.toml", "main.py"]


def test_a_comment_such_as_git_archive_writes(desk):
    assert desk.zipped(*BOT, comment=b"0" * 40).is_new


def packed_by_zipfile(bot, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in bot.iterdir():
            archive.write(path, path.name)


def packed_by_a_stream(bot, target):
    class Pipe(io.RawIOBase):
        def __init__(self, file):
            self.file = file

        def writable(self):
            return True

        def write(self, data):
            return self.file.write(data)

    with target.open("wb") as file:
        packed_by_zipfile(bot, Pipe(file))


def by_program(command, program):
    def pack(bot, target):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: apt install {program}")
        line = command.format(target=target, name=bot.name)
        subprocess.run(["/bin/sh", "-c", line], cwd=bot.parent, check=True, timeout=60)

    return pack


PACKERS = {
    "zipfile": packed_by_zipfile,
    "zipfile, streamed": packed_by_a_stream,
    "zip": by_program("zip -qr {target} {name}", "zip"),
    "zip, streamed": by_program("zip -qr - {name} | cat > {target}", "zip"),
    "zip, stored": by_program("zip -0qr {target} {name}", "zip"),
    "git archive": by_program(
        "cd {name} && git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm x"
        " && git archive --format=zip --prefix=some-bot/ -o {target} HEAD",
        "git",
    ),
}


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_what_packing_programs_write(desk, bot, pack):
    (bot / "ünïcode and 'quotes' \"here\".txt").write_bytes(b"text" * 1000)
    expected = desk.submit(bot).version
    pack(bot, desk.folder / "packed.zip")
    again = desk.submit(desk.folder / "packed.zip")
    assert again.version == expected
    assert not again.is_new


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("../evil", "'..'"),
        ("a/../../evil", "'..'"),
        ("a/..", "'..'"),
        ("..", "'..'"),
        ("/etc/evil", "absolute"),
        ("//evil", "absolute"),
        ("C:/evil", "absolute"),
        ("c:evil", "absolute"),
        ("a\\..\\evil", "backslash"),
        ("a//evil", "empty name"),
        ("./evil", "'.'"),
        ("a/./evil", "'.'"),
        ("", "empty name"),
        ("evil\0.txt", "not printable"),
        ("evil\n", "not printable"),
        ("evil\x1b[31m", "not printable"),
        ("evil\u202e", "not printable"),
        ("evil\u200b", "not printable"),
        (b"evil\xff", "no UTF-8"),
        ("x" * 256, "255 bytes"),
        ("/".join(["x" * 200] * 6), "1024 bytes"),
        ("/".join("x" * 33), "32 folders"),
    ],
)
def test_bad_names(desk, name, rule):
    with desk.refuses(rule, "bot.zip: entry '"):
        desk.zipped(*BOT, Item(name, b"evil"))


@pytest.mark.parametrize(
    ("items", "rule"),
    [
        ([Item("main.py", b"x")], "is there twice"),
        ([Item("MAIN.py", b"x")], "only in upper and lower case"),
        ([Item("caf\u00e9"), Item("cafe\u0301")], "how its letters are"),
        ([Item("stra\u00dfe"), Item("STRASSE")], "only in upper and lower case"),
        ([Item("A/x"), Item("a/y")], "only in upper and lower case"),
        ([Item("main.py/x")], "both a file and a folder"),
        ([Item("x/y"), Item("x")], "both a file and a folder"),
        ([Item("d/", mode=FOLDER), Item("d/", mode=FOLDER)], "is there twice"),
    ],
)
def test_names_beside_each_other(desk, items, rule):
    with desk.refuses(rule, "entry '"):
        desk.zipped(*BOT, *items)


@pytest.mark.parametrize(
    ("mode", "rule"),
    [
        (LINK, "symbolic link"),
        (0o010644, "named pipe"),
        (0o020644, "device"),
        (0o060644, "device"),
        (0o140644, "socket"),
        (0o050644, "special file"),
        (0o104755, "setuid"),
        (0o102755, "setgid"),
    ],
)
@pytest.mark.parametrize("system", [3, 0, 19])
def test_what_is_no_plain_file(desk, mode, rule, system):
    with desk.refuses(rule, "entry 'evil'", "; "):
        desk.zipped(*BOT, Item("evil", b"/etc/passwd", mode=mode, system=system))


def test_a_link_to_write_through(desk):
    with desk.refuses("symbolic link", "entry 'out'"):
        desk.zipped(*BOT, Item("out", str(desk.folder).encode(), LINK), Item("out/evil", b"x"))
    assert not (desk.folder / "evil").exists()


def test_a_manifest_that_is_a_link(desk):
    with desk.refuses("symbolic link"):
        desk.zipped(Item("bot.toml", b"/etc/passwd", mode=LINK), PROGRAM)


@pytest.mark.parametrize(
    "item",
    [
        Item("folder/", b"content"),
        Item("folder/", mode=FILE),
        Item("folder", mode=FOLDER),
        Item("folder", central={"attributes": 0x10}),
    ],
)
def test_a_folder_that_is_a_file(desk, item):
    with desk.refuses("folder and a file at once"):
        desk.zipped(*BOT, item)


def test_a_hundred_thousand_entries(desk):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("bot.toml", MANIFEST.content)
        for number in range(99_999):
            archive.writestr(zipfile.ZipInfo(f"{number}"), b"")
    with desk.refuses("more than 65534 entries", "10000 entries"):
        desk.archive(target.getvalue())
    with desk.refuses("60000 entries", "10000 are allowed"):
        desk.zipped(*BOT, count=60_000)


def test_more_entries_than_the_end_tells(desk):
    with desk.refuses("list of entries"):
        desk.zipped(*BOT, *(Item(f"{number}") for number in range(300)), count=1)
    with desk.refuses("too long for their number"):
        desk.zipped(*BOT, *(Item("x" * 200 + str(number)) for number in range(99)), count=1)


LIES = {
    "the local name": (Item("a", b"x", local={"name": b"b"}), "something else"),
    "the local size": (Item("a", b"xyz", local={"size": 1}), "something else"),
    "the local packed size": (Item("a", b"xyz", local={"packed": 1}), "something else"),
    "the local check sum": (Item("a", b"xyz", local={"crc": 1}), "something else"),
    "the local method": (Item("a", b"xyz", local={"method": 0}), "something else"),
    "the local stream bit": (Item("a", b"xyz", local={"flags": 0x808}), "something else"),
    "a size too small": (Item("a", b"x" * 99, local={"size": 9}, central={"size": 9}), "more than"),
    "a size too large": (
        Item("a", b"x" * 99, local={"size": 100}, central={"size": 100}), "holds 99 bytes"
    ),
    "a stored size too small": (
        Item("a", b"x" * 99, method=0, local={"size": 9}, central={"size": 9}), "more than the 9"
    ),
    "a check sum": (Item("a", b"xyz", local={"crc": 7}, central={"crc": 7}), "check sum"),
    "a packed size too small": (
        Item("a", b"xyz" * 50, local={"packed": 3}, central={"packed": 3}), "bytes between"
    ),
    "a packed size too large": (
        Item("a", b"xyz", local={"packed": 9999}, central={"packed": 9999}), "beyond the archive"
    ),
    "a packed size of four gigabytes": (
        Item("a", b"xyz", local={"packed": 2**32 - 1}, central={"packed": 2**32 - 1}), "beyond"
    ),
    "bytes behind the content": (Item("a", b"xyz", packed=deflate(b"xyz") + b"more"), "damaged"),
    "no deflate at all": (Item("a", b"xyz", packed=b"\xff\xff\xff"), "damaged"),
    "a cut deflate": (Item("a", b"xyz" * 99, packed=deflate(b"xyz" * 99)[:-2]), "damaged"),
    "an offset in the middle": (Item("a", b"xyz", central={"offset": 3}), "overlaps"),
    "an offset behind": (Item("a", b"xyz", central={"offset": 10**6}), "gap"),
    "a second name": (
        Item("a", b"x", extra=struct.pack("<2HBL", 0x7075, 8, 1, 0) + b"bad"), "two different"
    ),
    "ZIP64": (Item("a", b"x", extra=struct.pack("<2HQ", 1, 8, 1)), "ZIP64"),
    "ZIP64 in the local header": (
        Item("a", b"x", local={"extra": struct.pack("<2HQ", 1, 8, 1)}), "ZIP64"
    ),
    "a descriptor": (
        Item("a", b"xyz", flags=0x808, local={"crc": 0, "packed": 0, "size": 0},
             descriptor=struct.pack("<4s3L", b"PK\7\x08", 1, 2, 3)),
        "other sizes",
    ),
    "no descriptor": (
        Item("a", b"xyz", flags=0x808, local={"crc": 0, "packed": 0, "size": 0}), "other sizes"
    ),
    "encryption": (Item("a", b"xyz", flags=0x801), "encrypted"),
    "strong encryption": (Item("a", b"xyz", flags=0x841), "encrypted"),
    "local encryption": (Item("a", b"xyz", local={"flags": 0x801}), "encrypted"),
    "bzip2": (Item("a", b"xyz", method=12), "bzip2"),
    "zstd": (Item("a", b"xyz", method=93), "zstd"),
    "AES": (Item("a", b"xyz", method=99), "AES"),
    "an unknown method": (Item("a", b"xyz", method=777), "number 777"),
}  # fmt: skip


@pytest.mark.parametrize(("item", "rule"), LIES.values(), ids=LIES)
def test_lies(desk, item, rule):
    with desk.refuses(rule, "bot.zip"):
        desk.zipped(*BOT, item)


def test_entries_that_share_their_content(desk):
    """The flat bomb: many entries of one content."""
    kernel = Item("a", b"x" * 1000)
    with desk.refuses("overlaps"):
        desk.zipped(*BOT, kernel, Item("b", b"x" * 1000, central={"offset": 0}))
    with desk.refuses("overlaps"):
        desk.zipped(kernel, *BOT, Item("a2", b"x" * 1000, central={"offset": 0, "name": b"a"}))


@pytest.mark.parametrize(
    ("how", "rule"),
    [
        ({"before": b"#!/bin/sh\n"}, "gap before"),
        ({"before": b"#!/bin/sh\n", "shift": 10}, "belong to none"),
        ({"gap": b"hidden"}, "bytes between"),
        ({"disk": 1}, "divided"),
        ({"count": 3}, "list of entries is broken"),
        ({"count": 1}, "fewer entries"),
        ({"offset": 10**9}, "points nowhere"),
        ({"offset": 0xFFFFFFFF}, "ZIP64"),
        ({"comment": b"PK\5\6" + bytes(18)}, "ends in two ways"),
    ],
)
def test_a_frame_that_lies(desk, how, rule):
    with desk.refuses(rule):
        desk.zipped(*BOT, **how)


def test_bytes_behind_the_end(desk):
    with desk.refuses("no complete .zip"):
        desk.archive(make_zip(*BOT) + b"more")


def test_an_archive_cut_anywhere(desk):
    whole = make_zip(*BOT)
    for length in range(0, len(whole), 3):
        with desk.refuses("bot.zip"):
            desk.archive(whole[:length])
