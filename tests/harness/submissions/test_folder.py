"""A folder as a submission: only what its manifest leaves in, and nothing through a link."""

import os
import socket

import pytest
from tongits_harness.errors import ConfigError, TongitsError
from tongits_harness.submissions.entries import UnpackLimits

from tests.harness.submissions.conftest import write_bot


def test_a_folder(desk, bot):
    (bot / "deep/er").mkdir(parents=True)
    (bot / "deep/er/x").write_bytes(b"x")
    stored = desk.submit(bot).version
    assert set(desk.files(stored)) == {"bot.toml", "main.py", "deep/er/x"}
    assert desk.seen == [desk.results / "bots" / stored.digest]


def test_the_digest_is_that_of_the_folder(desk, bot):
    from tongits_harness.bots.manifest import load_bot

    write_bot(bot, exclude='["target", "*.o"]')
    (bot / "target").mkdir()
    (bot / "target/huge").write_bytes(b"x")
    (bot / "x.o").write_bytes(b"x")
    assert desk.submit(bot).version.digest == load_bot(bot).digest


def test_a_manifest_in_a_folder(desk, bot):
    text = (bot / "bot.toml").read_text(encoding="utf-8")
    (bot / "second.toml").write_text(text.replace("mybot", "second"), encoding="utf-8")
    assert desk.submit(bot / "second.toml").version.title == "second@1"
    assert desk.submit(bot).version.title == "mybot@1"


@pytest.mark.parametrize(
    "name", ["mein böser bot", "it's", 'a "quoted" one', "$(touch x)", "-rf", "日本"]
)
def test_unicode_spaces_and_quotes_in_paths(desk, name):
    bot = write_bot(desk.folder / name)
    (bot / f"{name} file").write_bytes(b"x")
    stored = desk.submit(bot).version
    assert f"{name} file" in desk.files(stored)
    assert name in stored.source


def test_what_is_excluded_may_be_large_and_odd(desk, bot):
    write_bot(bot, exclude='["target"]')
    (bot / "target").mkdir()
    os.symlink("/", bot / "target/root")
    for number in range(50):
        (bot / f"target/{number}").touch()
    assert desk.submit(bot, limits=UnpackLimits(entries=5)).is_new


def test_links_and_other_things(desk, bot):
    def link():
        (bot / "evil").symlink_to("/etc/passwd")

    def link_to_a_folder():
        (bot / "evil").symlink_to("/etc")

    def dangling():
        (bot / "evil").symlink_to("nowhere")

    def pipe():
        os.mkfifo(bot / "evil")

    def listening():
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(bot / "evil"))

    def setuid():
        (bot / "evil").touch()
        (bot / "evil").chmod(0o4755)

    for make, rule in (
        (link, "symbolic link"), (link_to_a_folder, "symbolic link"), (dangling, "symbolic link"),
        (pipe, "named pipe"), (listening, "socket"), (setuid, "setuid"),
    ):  # fmt: skip
        make()
        with desk.refuses(rule, "entry 'evil'"):
            desk.submit(bot)
        (bot / "evil").unlink()


def test_a_manifest_that_is_a_link(desk, bot):
    (bot / "bot.toml").rename(bot / "real.toml")
    (bot / "bot.toml").symlink_to("real.toml")
    with desk.refuses("bot.toml"):
        desk.submit(bot)


def test_names_that_are_not_to_be(desk, bot):
    for name, rule in (
        (b"\xff", "not printable UTF-8"), (b"a\nb", "not printable"), (b"a\\b", "backslash"),
        ("\u202ex".encode(), "not printable"), (b"c:x", "absolute"),
        (b"MAIN.PY", "upper and lower case"),
    ):  # fmt: skip
        path = os.path.join(os.fsencode(bot), name)
        with open(path, "wb"):
            pass
        with desk.refuses(rule):
            desk.submit(bot)
        os.unlink(path)


def test_limits(desk, bot):
    (bot / "big").write_bytes(b"x" * 2000)
    with desk.refuses("entry 'big'", "2000 bytes", "1000 bytes"):
        desk.submit(bot, limits=UnpackLimits(file_bytes=1000))
    with desk.refuses("more than 2 files"):
        desk.submit(bot, limits=UnpackLimits(entries=2))
    deep = bot
    for _ in range(33):
        deep /= "x"
    deep.mkdir(parents=True)
    with desk.refuses("32 folders deep"):
        desk.submit(bot)


def test_a_sparse_file_of_a_terabyte(desk, bot):
    with open(bot / "sparse", "wb") as file:
        file.truncate(1 << 40)
    with desk.refuses("entry 'sparse'", "a file may have 64 MiB"):
        desk.submit(bot)


def test_what_is_not_there(desk, bot):
    with desk.refuses("No such file", kind=ConfigError):
        desk.submit(desk.folder / "nowhere")
    (bot / "bot.toml").unlink()
    with desk.refuses("holds no bot.toml"):
        desk.submit(bot)
    with desk.refuses(kind=TongitsError):
        desk.submit(bot / "main.py")
