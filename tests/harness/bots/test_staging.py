import os
import shutil

import pytest
from tongits_harness.bots.folder import digest_of
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.staging import RunFolder, open_run_folder, stage
from tongits_harness.errors import ConfigError


def files_below(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_digest_follows_names_contents_and_execute_bits(tmp_path):
    folder = tmp_path / "bot"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "a.py").write_text("a")
    seen = {digest_of(folder)}
    (folder / "lib" / "a.py").write_text("b")
    seen.add(digest_of(folder))
    (folder / "lib" / "a.py").chmod(0o755)
    seen.add(digest_of(folder))
    (folder / "lib" / "a.py").rename(folder / "a.py")
    seen.add(digest_of(folder))
    assert len(seen) == 4


def test_the_digest_ignores_bytecode_times_and_place(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (first / "a.py").write_text("a")
    shutil.copytree(first, second)
    os.utime(second / "a.py", (1, 1))
    (second / "__pycache__").mkdir()
    (second / "__pycache__" / "a.pyc").write_text("x")
    (second / ".git").mkdir()
    (second / ".git" / "HEAD").write_text("x")
    assert digest_of(first) == digest_of(second)


def test_a_staged_copy_is_named_by_its_digest_and_read_only(run, make_bot):
    bot = make_bot("pass")
    (bot.path / "__pycache__").mkdir()
    staged = stage(bot, run)
    assert staged.path.name == bot.digest == digest_of(staged.path)
    assert files_below(staged.path) == files_below(bot.path)
    assert not [path for path in staged.path.rglob("*") if path.stat().st_mode & 0o222]
    assert stage(bot, run) == staged


def make_link(path):
    path.symlink_to("/etc/passwd")


def make_folder_link(path):
    path.symlink_to("/etc")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (make_link, "a symbolic link"),
        (make_folder_link, "a symbolic link"),
        (os.mkfifo, "a named pipe"),
    ],
)
def test_what_is_no_file_is_refused_by_name(run, make_bot, make, kind):
    bot = make_bot("pass")
    make(bot.path / "odd")
    with pytest.raises(ConfigError, match=rf"odd: is {kind}"):
        digest_of(bot.path)
    with pytest.raises(ConfigError, match=rf"odd: is {kind}"):
        stage(bot, run)
    assert list((run.path / "bots").iterdir()) == []


def test_a_folder_that_changed_after_it_was_loaded_is_refused(run, make_bot):
    bot = make_bot("pass")
    (bot.path / "main.py").write_text("other")
    with pytest.raises(ConfigError, match="its files changed"):
        stage(bot, run)
    assert list((run.path / "bots").iterdir()) == []


def test_a_living_run_keeps_its_folder(run):
    with open_run_folder() as other:
        assert run.path.is_dir()
        assert other.path != run.path


def test_a_seat_folder_lets_bots_through_but_not_look(run):
    with open_seat_folder(run, os.getuid()) as seat:
        assert seat.path.stat().st_mode & 0o777 == 0o711
        assert len(str(seat.socket_path)) < 60
        with pytest.raises(FileNotFoundError):
            seat.claim()
        seat.unlink_socket()
    assert not seat.path.exists()


def test_a_socket_path_that_is_too_long_is_refused_with_the_cure(tmp_path):
    long = tmp_path / ("x" * 100)
    long.mkdir()
    with pytest.raises(ConfigError, match="set TMPDIR"), open_seat_folder(RunFolder(long), 0):
        pass
    assert list(long.iterdir()) == []
