"""A commit of a local clone: what it names, however the clone is set up, and nothing is run."""

import os
import shutil
import subprocess

import pytest
from tongits_harness.errors import ConfigError
from tongits_harness.submissions.entries import UnpackLimits
from tongits_harness.submissions.git_clone import find_clone

from tests.harness.submissions.conftest import write_bot

pytestmark = pytest.mark.skipif(
    shutil.which("git") is None, reason="git is not installed: apt install git"
)
CLEAN = {
    "PATH": os.defpath, "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C",
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}  # fmt: skip


def git(folder, *words, stdin=None):
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *words],  # noqa: S607  # the one on PATH
        cwd=folder, env=CLEAN, input=stdin, capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout.decode().strip()


@pytest.fixture
def clone(desk, bot):
    git(bot, "init", "-q")
    git(bot, "add", ".")
    git(bot, "commit", "-qm", "first")
    return bot


def change(clone, text="print('again')\n"):
    (clone / "main.py").write_text(text, encoding="utf-8")
    git(clone, "commit", "-qam", "change")


def test_a_commit_not_what_is_checked_out(desk, clone):
    first = git(clone, "rev-parse", "HEAD")
    (clone / "main.py").write_text("uncommitted", encoding="utf-8")
    (clone / "untracked").touch()
    stored = desk.submit(clone, "HEAD").version
    assert desk.files(stored)["main.py"] == b"print('hello')\n"
    assert sorted(desk.files(stored)) == ["bot.toml", "main.py"]
    assert stored.source.endswith(f"at commit {first}")


def test_every_way_to_name_a_commit(desk, clone):
    first = desk.submit(clone, "HEAD").version
    change(clone)
    git(clone, "tag", "light", "HEAD~1")
    git(clone, "tag", "-am", "words", "v1.0", "HEAD~1")
    git(clone, "branch", "old/branch", "HEAD~1")
    full = git(clone, "rev-parse", "HEAD~1")
    names = ["HEAD~1", "HEAD^", "main~1", full, full[:8], full.upper(), "light", "v1.0",
             "old/branch", "refs/heads/old/branch", "tags/v1.0", "heads/main^"]  # fmt: skip
    for _ in range(2):
        for name in names:
            assert desk.submit(clone, name).version == first, name
        git(clone, "gc", "-q")
        assert (clone / ".git/packed-refs").exists()
    assert desk.submit(clone, "HEAD").version.number == 2


def test_a_bare_clone_and_a_folder_in_a_clone(desk, clone):
    stored = desk.submit(clone, "main").version
    git(desk.folder, "clone", "-q", "--bare", str(clone), "bare.git")
    assert desk.submit(desk.folder / "bare.git", "main").version == stored
    outer = desk.folder / "outer"
    write_bot(outer / "bots/mine")
    git(outer, "init", "-q")
    git(outer, "add", ".")
    git(outer, "commit", "-qm", "x")
    assert desk.submit(outer / "bots/mine", "HEAD").version == stored
    assert desk.submit(outer / "bots/mine/bot.toml", "HEAD").version == stored
    with desk.refuses("holds no bot.toml"):
        desk.submit(outer, "HEAD")
    with desk.refuses("no such folder", kind=ConfigError):
        desk.submit(outer / "bots/other", "HEAD")


@pytest.mark.parametrize(
    "name",
    ["", "nope", "--help", "-x", "HEAD:bot.toml", "../../etc/passwd", "a b", "HEAD\nHEAD", "@{-1}",
     "main..HEAD", "refs/../HEAD", ":/x", "0" * 40, "dead", "HEAD~99", "$(id)", "x" * 300],
)  # fmt: skip
def test_no_such_commit(desk, clone, name):
    with desk.refuses("commit", kind=ConfigError):
        desk.submit(clone, name)


def test_no_clone(desk, bot):
    with desk.refuses("git clone", kind=ConfigError):
        desk.submit(bot, "HEAD")


def test_links_submodules_and_setuid_in_a_tree(desk, clone):
    def entry(mode, name, kind="blob"):
        id_ = git(clone, "rev-parse", "HEAD:main.py" if kind == "blob" else "HEAD")
        tree = git(clone, "ls-tree", "HEAD") + f"\n{mode} {kind} {id_}\t{name}\n"
        made = git(clone, "mktree", "--missing", stdin=tree.encode())
        return git(clone, "commit-tree", "-m", "x", made)

    for mode, name, kind, rule in (
        ("120000", "evil", "blob", "symbolic link"),
        ("160000", "evil", "commit", "submodule"),
        ("100644", "..", "blob", "'..'"),
        ("100644", "Main.py", "blob", "upper and lower case"),
        ("100644", "a\\\\b", "blob", "backslash"),
    ):
        with desk.refuses(rule, "entry '"):
            desk.submit(clone, entry(mode, name, kind))


def test_a_tree_of_trees_without_end(desk, clone):
    tree = git(clone, "rev-parse", "HEAD^{tree}")
    for _ in range(9):
        lines = "".join(f"040000 tree {tree}\t{name}\n" for name in "abcdefghij")
        tree = git(clone, "mktree", stdin=lines.encode())
    top = git(clone, "ls-tree", "HEAD") + f"\n040000 tree {tree}\tbomb\n"
    tree = git(clone, "mktree", stdin=top.encode())
    with desk.refuses("more than 300 files and folders"):
        desk.submit(
            clone, git(clone, "commit-tree", "-m", "bomb", tree), limits=UnpackLimits(entries=300)
        )


def test_a_large_file_is_not_read(desk, clone):
    (clone / "big").write_bytes(bytes(100_000))
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "big")
    with desk.refuses("entry 'big'", "a file may have"):
        desk.submit(clone, "HEAD", limits=UnpackLimits(file_bytes=50_000))


def test_a_damaged_object_and_a_missing_one(desk, clone):
    id_ = git(clone, "rev-parse", "HEAD:main.py")
    path = clone / f".git/objects/{id_[:2]}/{id_[2:]}"
    other = git(clone, "hash-object", "-w", "--stdin", stdin=b"print('evil!')\n")
    shutil.copyfile(clone / f".git/objects/{other[:2]}/{other[2:]}", _writable(path))
    with desk.refuses("damaged"):
        desk.submit(clone, "HEAD")
    path.write_bytes(b"nonsense")
    with desk.refuses("git fsck"):
        desk.submit(clone, "HEAD")
    path.unlink()
    with desk.refuses("entry 'main.py'", "missing"):
        desk.submit(clone, "HEAD")


def _writable(path):
    path.chmod(0o644)
    return path


def test_a_hostile_clone_runs_nothing(desk, clone):
    """Whatever git would run for its configuration, attributes, hooks or remotes."""
    trap = desk.folder / "trap"
    script = desk.folder / "script"
    script.write_text(f"#!/bin/sh\necho run >> '{trap}'\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    (clone / ".gitattributes").write_text("* filter=evil diff=evil ident\n", encoding="utf-8")
    git(clone, "add", ".")
    git(clone, "commit", "-qm", "attributes")
    commit = git(clone, "rev-parse", "HEAD")
    lost = git(clone, "rev-parse", "HEAD:main.py")
    config = f"""
[core]
\tfsmonitor = {script}
\tpager = {script}
\tsshCommand = {script}
\tgitProxy = {script}
\thooksPath = {desk.folder}
\talternateRefsCommand = {script}
\tattributesFile = {script}
\trepositoryformatversion = 1
[extensions]
\tpartialClone = evil
[remote "evil"]
\turl = ext::{script}
\tpromisor = true
\tvcs = evil
\tuploadpack = {script}
[protocol]
\tallow = always
[protocol "ext"]
\tallow = always
[filter "evil"]
\tsmudge = {script}
\tclean = {script}
\trequired = true
[diff "evil"]
\ttextconv = {script}
\tcommand = {script}
[include]
\tpath = {script}
[alias]
\tcat-file = !{script}
"""
    (clone / ".git/config").write_text(config, encoding="utf-8")
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"):
        shutil.copy(script, clone / ".git/hooks" / hook)
    stored = desk.submit(clone, commit).version
    assert desk.files(stored)["main.py"] == b"print('hello')\n"
    (clone / f".git/objects/{lost[:2]}/{lost[2:]}").unlink()
    change_name = desk.results / "bots" / stored.digest
    assert change_name.is_dir()
    with desk.refuses("missing"):
        desk.submit(clone, commit)
    assert not trap.exists()


def test_objects_borrowed_from_elsewhere(desk, clone):
    git(desk.folder, "clone", "-q", "--shared", str(clone), "shared")
    with desk.refuses("borrows objects", kind=ConfigError):
        desk.submit(desk.folder / "shared", "HEAD")
    git(clone, "worktree", "add", "-q", "../tree")
    with desk.refuses("worktree", kind=ConfigError):
        desk.submit(desk.folder / "tree", "HEAD")


def test_references_that_are_no_references(desk, clone):
    heads = clone / ".git/refs/heads"
    os.mkfifo(heads / "pipe")
    (heads / "link").symlink_to("/etc/passwd")
    (heads / "text").write_text("secret words\n", encoding="utf-8")
    (heads / "out").write_text("ref: refs/../../../../etc/passwd\n", encoding="utf-8")
    (heads / "round").write_text("ref: refs/heads/round\n", encoding="utf-8")
    for name in ("pipe", "link", "text", "out", "round"):
        with desk.refuses("commit", kind=ConfigError):
            desk.submit(clone, name)


def test_an_object_that_never_ends_is_given_up(desk, clone):
    id_ = git(clone, "rev-parse", "HEAD:main.py")
    path = clone / f".git/objects/{id_[:2]}/{id_[2:]}"
    path.unlink()
    os.mkfifo(path)
    with desk.refuses("within its limits of time and memory"):
        desk.submit(clone, "HEAD", limits=UnpackLimits(seconds=1))


def test_the_clone_above_a_path(desk, clone):
    assert find_clone(clone, "x").below == ""
    assert find_clone(clone / "a/b", "x").below == "a/b"
    assert find_clone(clone / "a/b", "x").git == clone / ".git"
