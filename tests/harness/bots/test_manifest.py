import pytest
from tongits_harness.bots.manifest import load_bot
from tongits_harness.errors import ConfigError

GOOD = """
name = "sample"
version = "1.0"
language = "python"
run = ["python3", "main.py"]
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "sample"
    folder.mkdir()
    return folder


def refusal_of(folder, manifest=None):
    if manifest is not None:
        (folder / "bot.toml").write_text(manifest)
    with pytest.raises(ConfigError) as refused:
        load_bot(folder)
    return str(refused.value)


def test_a_manifest_with_the_needed_keys_gets_the_documented_defaults(folder):
    (folder / "bot.toml").write_text(GOOD)
    bot = load_bot(folder)
    assert (bot.name, bot.path) == ("sample", folder)
    manifest = bot.manifest
    assert manifest.run == ("python3", "main.py")
    assert (manifest.build, manifest.concurrent_games) == (None, 1)
    assert (manifest.transport, manifest.memory) == ("unix", None)


def test_all_keys_are_read(folder):
    (folder / "bot.toml").write_text(
        GOOD + 'build = ["make"]\nauthor = "Ana"\nlicence = "MIT"\nconcurrent_games = 64\n'
        'transport = "tcp"\nmemory = 512\n'
    )
    manifest = load_bot(folder).manifest
    assert manifest.build == ("make",)
    assert (manifest.author, manifest.licence) == ("Ana", "MIT")
    assert (manifest.concurrent_games, manifest.transport, manifest.memory) == (64, "tcp", 512)


def test_five_errors_are_told_at_once_with_place_and_cure(folder):
    text = refusal_of(
        folder,
        'name = "../evil"\nlanguage = "python"\nrun = []\nmemory = "much"\nconcurent_games = 4\n',
    )
    assert text.startswith(f"{folder / 'bot.toml'}: ")
    assert "\n" not in text
    for told in (
        "name: '../evil' cannot be used",
        'version: is missing; write a short text such as version = "1.0"',
        "run: [] cannot be used (too short); write the command as a list such as run =",
        "memory: 'much' cannot be used (not a whole number)",
        "concurent_games: is unknown; did you mean concurrent_games?",
    ):
        assert told in text


@pytest.mark.parametrize(
    "line",
    [
        'run = "python3 main.py"',
        'run = ["python3", ""]',
        'run = ["python3", 3]',
        "concurrent_games = 0",
        "concurrent_games = true",
        "concurrent_games = 1025",
        'transport = "udp"',
        "memory = 1",
        'author = "a\\u202eb"',
        'version = ""',
        'language = "C + +"',
        'name = "a\\nb"',
        'name = "%s"' % ("a" * 33),
    ],
)
def test_a_value_out_of_range_is_refused_by_its_key(folder, line):
    key = line.partition(" ")[0]
    others = [good for good in GOOD.splitlines() if not good.startswith(key)]
    text = refusal_of(folder, "\n".join([*others, line]))
    assert f": {key}" in text
    assert text.isprintable()


def test_a_folder_that_does_not_exist_is_named_with_the_nearest_one(folder):
    text = refusal_of(folder.parent / "sampel")
    assert text == f"{folder.parent / 'sampel'}: does not exist; did you mean {folder}?"


def test_a_file_is_no_bot(folder):
    (folder / "x").write_text("")
    assert refusal_of(folder / "x").startswith(f"{folder / 'x'}: is no folder")


def test_a_folder_without_a_manifest_is_told_so(folder):
    assert "holds no bot.toml" in refusal_of(folder)


def test_what_is_no_toml_is_refused_with_the_line(folder):
    assert "is not TOML" in (text := refusal_of(folder, 'name = "a"\nversion =\n'))
    assert "line 2" in text


def test_what_is_no_utf8_is_refused(folder):
    (folder / "bot.toml").write_bytes(b'name = "\xff"')
    assert "not UTF-8 at byte 8" in refusal_of(folder)


def test_a_manifest_behind_a_link_is_refused(folder):
    (folder / "real.toml").write_text(GOOD)
    (folder / "bot.toml").symlink_to("real.toml")
    assert "is no regular file" in refusal_of(folder)


def test_fetch_build_and_exclude_are_lists_of_texts(folder):
    (folder / "bot.toml").write_text(
        GOOD + 'fetch = ["npm", "ci"]\nbuild = ["make", "all"]\nexclude = ["target", "*.o"]\n'
    )
    manifest = load_bot(folder).manifest
    assert (manifest.fetch, manifest.build) == (("npm", "ci"), ("make", "all"))
    assert manifest.exclude == ("target", "*.o")
    for line in ('exclude = ["a/b"]', 'exclude = "target"', "fetch = []", 'exclude = [""]'):
        assert f": {line.partition(' ')[0]}" in refusal_of(folder, f"{GOOD}{line}\n")


def test_a_manifest_cannot_exclude_itself(folder):
    text = refusal_of(folder, GOOD + 'exclude = ["*.toml"]\n')
    assert "exclude: leaves out bot.toml itself" in text


def test_a_folder_may_hold_several_bots_each_a_version_of_its_own(folder):
    (folder / "bot.toml").write_text(GOOD)
    (folder / "other.toml").write_text(GOOD.replace("sample", "other"))
    first, second = load_bot(folder), load_bot(folder / "other.toml")
    assert (first.name, second.name) == ("sample", "other")
    assert (first.reference, second.reference) == (folder, folder / "other.toml")
    assert first.digest == first.files_digest == second.files_digest
    assert second.digest != first.digest
    assert load_bot(second.reference) == second


def test_excluded_files_and_results_do_not_change_a_version(folder):
    (folder / "bot.toml").write_text(GOOD + 'exclude = ["target", "*.o"]\n')
    before = load_bot(folder)
    (folder / "deep" / "target").mkdir(parents=True)
    (folder / "deep" / "target" / "link").symlink_to("/etc/passwd")
    (folder / "main.o").write_text("x")
    (folder / "results").mkdir()
    (folder / "results" / "arena.db").write_text("x")
    assert load_bot(folder) == before
    (folder / "main.c").write_text("x")
    assert load_bot(folder).digest != before.digest
