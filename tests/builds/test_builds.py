"""What a build makes, how it is kept, and what is told of it."""

import json
import os
import shutil
import stat

import pytest
from tongits_harness.bots.build import build_key, needs_build
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.staging import open_run_folder, stage
from tongits_harness.errors import ConfigError, SandboxUnavailableError

pytestmark = pytest.mark.process


def files_of(tree):
    return {
        str(path.relative_to(tree)): path.read_text() for path in tree.rglob("*") if path.is_file()
    }


async def test_a_bot_without_build_is_given_back_as_it_is(yard, make_bot):
    bot = make_bot()
    built = await yard.build(bot)
    assert (built.bot, built.report, built.tell()) == (bot, None, "")
    assert not yard.services.builds.exists()


async def test_what_a_build_leaves_is_what_runs(yard, make_bot):
    bot = make_bot("echo making; printf '#!/bin/sh\\n' >bot; chmod +x bot; echo more >source.txt")
    built = await yard.build(bot)

    assert yard.said == ["making"]
    assert (built.was_cached, built.report.steps[0].status) == (False, 0)
    assert built.report.steps[0].last_lines == ("making",)
    assert built.tell().startswith("bot: built in ")
    assert (built.bot.digest, built.bot.path) == (bot.digest, bot.path)
    assert (bot.path / "source.txt").read_text() == "source\n"
    with open_run_folder() as run:
        staged = stage(built.bot, run)
        assert files_of(staged.path).keys() == {"bot", "bot.toml", "source.txt"}
        assert files_of(staged.path)["source.txt"] == "more\n"
        assert staged.path.joinpath("bot").stat().st_mode & 0o777 == 0o555
    told = json.loads((built.bot.tree.path.parent / "report.json").read_text())
    assert (told["key"], told["sandbox"]) == (build_key(bot), "contained")


async def test_the_same_sources_are_built_once_also_under_two_manifests(yard, make_bot):
    first = make_bot("date +%s%N >stamp")
    text = (first.path / "bot.toml").read_text().replace('name = "bot"', 'name = "other"')
    (first.path / "other.toml").write_text(text)
    bots = [load_bot(first.path), load_bot(first.path / "other.toml"), load_bot(first.path)]
    made = [await yard.build(bot) for bot in bots]

    assert [built.was_cached for built in made] == [False, True, True]
    assert len({built.bot.tree for built in made}) == 1
    assert len({built.bot.digest for built in made}) == 2
    assert "built before" in made[1].tell()


async def test_another_source_or_command_is_another_build(make_bot):
    keys = {
        build_key(make_bot("true")),
        build_key(make_bot("false")),
        build_key(make_bot("true", fetch=["true"])),
        build_key(make_bot("true", exclude=["source.txt"])),
    }
    assert len(keys) == 4


async def test_a_kept_tree_that_was_changed_is_built_anew(yard, make_bot):
    bot = make_bot("echo built >out")
    tree = (await yard.build(bot)).bot.tree.path
    (tree / "out").chmod(0o644)
    (tree / "out").write_text("changed\n")

    built = await yard.build(bot)
    assert (built.was_cached, files_of(tree)["out"]) == (False, "built\n")


async def test_a_tree_that_is_changed_before_it_is_staged_does_not_run(yard, make_bot):
    built = await yard.build(make_bot("echo built >out"))
    (built.bot.tree.path / "new").write_text("x")
    with open_run_folder() as run, pytest.raises(ConfigError, match="its files changed"):
        stage(built.bot, run)


async def test_excluded_files_reach_neither_build_nor_version(yard, make_bot):
    bot = make_bot("ls >seen; mkdir target; echo new >target/out", exclude=["target", "*.o"])
    (bot.path / "target").mkdir()
    (bot.path / "target" / "link").symlink_to("/etc/passwd")
    (bot.path / "main.o").write_text("old")

    again = load_bot(bot.path)
    assert again.digest == bot.digest
    tree = (await yard.build(again)).bot.tree.path
    assert files_of(tree)["seen"] == "bot.toml\nseen\nsource.txt\n"
    assert files_of(tree)["target/out"] == "new\n"


async def test_links_are_resolved_inside_and_dropped_outside(yard, make_bot):
    made = await yard.build(
        make_bot(
            "mkdir -p lib/deep; echo x >lib/deep/file; ln -s lib/deep near; ln -s near/file hop;"
            "ln -s /bot/source.txt absolute; ln -s /etc/hostname out; ln -s ../../../etc up;"
            "ln -s .. lib/loop; ln -s circle circle; ln -s nowhere dangling; mkfifo pipe;"
            "ln source.txt hard; ln -sf /etc/passwd bot.toml"
        )
    )
    found = files_of(made.bot.tree.path)
    assert {name for name, text in found.items() if text == "x\n"} == {
        "lib/deep/file", "near/file", "hop",
    }  # fmt: skip
    assert found["absolute"] == found["hard"] == "source\n"
    assert found.keys() <= {"lib/deep/file", "near/file", "hop", "absolute", "hard", "source.txt"}
    assert set(made.report.dropped) == {
        "out", "up", "lib/loop", "circle", "dangling", "pipe", "bot.toml",
    }  # fmt: skip
    assert not [path for path in made.bot.tree.path.rglob("*") if path.is_symlink()]


async def test_times_of_files_stay_as_the_build_left_them(yard, make_bot):
    made = await yard.build(make_bot("touch -d @1000000000 bot"))
    with open_run_folder() as run:
        staged = stage(made.bot, run)
        assert staged.path.joinpath("bot").stat().st_mtime == 1_000_000_000


async def test_setuid_bits_do_not_survive(yard, make_bot):
    made = await yard.build(make_bot("printf x >bot; chmod 6755 bot"))
    assert stat.S_IMODE((made.bot.tree.path / "bot").stat().st_mode) == 0o555


async def test_results_may_lie_in_the_folder_of_the_bot(make_yard, contained, make_bot, tmp_path):
    bot = make_bot("ls >seen")
    yard = make_yard(contained, builds=bot.path / "results" / "builds")
    assert files_of((await yard.build(bot)).bot.tree.path)["seen"] == "bot.toml\nseen\nsource.txt\n"
    again = load_bot(bot.path)
    assert again == bot
    assert (await yard.build(again)).was_cached
    with pytest.raises(ConfigError, match="the results folder cup lies in the bot's folder"):
        await make_yard(contained, builds=bot.path / "cup" / "builds").build(bot)


async def test_odd_names_of_folders_are_no_trouble(make_yard, contained, make_bot, tmp_path):
    place = "ünï cödé 'quoted' \"twice\" $HOME; -x"
    yard = make_yard(contained, builds=tmp_path / f"{place} results" / "builds")
    made = await yard.build(make_bot("cat source.txt >'out put'", place=place))
    assert files_of(made.bot.tree.path)["out put"] == "source\n"


@pytest.mark.parametrize("level", ["contained", "partial", "plain"])
async def test_a_build_has_a_home_and_is_never_root(make_yard, make_bot, request, level):
    yard = make_yard(request.getfixturevalue(level), allow_unsandboxed=True)
    made = await yard.build(
        make_bot(
            "id -u >uid; echo x >$HOME/x; echo x >$TMPDIR/x; test $HOME = $TONGITS_SCRATCH;"
            "env | cut -d= -f1 >names"
        )
    )
    found = files_of(made.bot.tree.path)
    assert int(found["uid"]) != 0
    assert "x" not in found
    assert not {"TONGITS_TOKEN", "TONGITS_ADDRESS", "SSH_AUTH_SOCK"} & set(found["names"].split())


async def test_no_build_runs_without_a_sandbox_unasked(make_yard, plain, make_bot, tmp_path):
    bot = make_bot(f"touch {tmp_path}/ran")
    with pytest.raises(SandboxUnavailableError, match="would run without a sandbox"):
        await make_yard(plain).build(bot)
    assert not (tmp_path / "ran").exists()


async def test_a_fetch_needs_leave_and_a_network_of_its_own(
    make_yard, contained, partial, make_bot
):
    bot = make_bot(fetch=["true"])
    assert needs_build(bot)
    with pytest.raises(ConfigError, match="allow that with --allow-fetch"):
        await make_yard(contained).build(bot)
    with pytest.raises(SandboxUnavailableError, match="level partial has not"):
        await make_yard(partial, allow_fetch=True).build(bot)


async def test_what_was_fetched_once_needs_no_leave_again(make_yard, contained, make_bot):
    bot = make_bot("cat got >out", fetch=["sh", "-c", "echo x >got; echo y >$HOME/cache"])
    await make_yard(contained, allow_fetch=True).build(bot)
    built = await make_yard(contained).build(bot)
    assert built.was_cached
    assert files_of(built.bot.tree.path)["out"] == "x\n"


async def test_a_build_sees_what_the_fetch_put_into_its_home(make_yard, contained, make_bot):
    bot = make_bot(
        "cat $HOME/cache/it >out", fetch=["sh", "-c", "mkdir $HOME/cache; echo y >$HOME/cache/it"]
    )
    built = await make_yard(contained, allow_fetch=True).build(bot)
    assert files_of(built.bot.tree.path)["out"] == "y\n"
    assert [step.step for step in built.report.steps] == ["fetch", "build"]


async def test_a_missing_program_is_told_with_its_cure_before_anything_runs(yard, make_bot):
    refused = await yard.refusal(make_bot(language="go", build=["gopher-not-there", "build"]))
    assert "needs gopher-not-there" in str(refused)
    assert refused.report is None


async def test_a_missing_toolchain_names_the_packages(yard, make_bot, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    refused = await yard.refusal(make_bot(language="go", build=["go", "build"]))
    assert "cannot be built here: needs go >= 1.25: apt-get install golang" in str(refused)


@pytest.mark.skipif(
    not shutil.which("cc") and not os.environ.get("TONGITS_CI_ALL_LANGUAGES"),
    reason="no C compiler: apt-get install gcc make",
)
async def test_a_c_program_is_built_and_kept_executable(yard, make_bot):
    bot = make_bot(language="c", build=["cc", "-o", "bot", "bot.c"])
    (bot.path / "bot.c").write_text("int main(void){return 0;}\n")
    made = await yard.build(load_bot(bot.path))
    assert os.access(made.bot.tree.path / "bot", os.X_OK)
