"""New bots made of kits: names, what is copied, what is left."""

import os
import stat

import pytest
from tongits_harness import kits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.toolchains import LANGUAGES
from tongits_harness.errors import ConfigError, TongitsError, UsageError
from tongits_harness.samples import sample_bots

KITS = kits.kit_languages()
IDS = [language.id for language in KITS]


def test_python_has_a_kit():
    assert IDS[0] == "python"
    assert set(IDS) <= {language.id for language in LANGUAGES if language.has_kit}


@pytest.mark.parametrize("language", KITS, ids=IDS)
def test_a_new_bot_is_a_bot_of_its_name_with_the_observations(language, tmp_path):
    made = kits.make_bot(language, "my-bot.1", tmp_path / "new" / "place")
    bot = load_bot(made.folder)
    assert (bot.name, made.folder) == ("my-bot.1", tmp_path / "new" / "place" / "my-bot.1")
    assert "decide" in made.edit.read_text()
    assert (made.folder / "README.md").is_file()
    corpus = (made.folder / kits.CORPUS_NAME).read_text().splitlines()
    assert len(corpus) >= 500
    assert made.needs_fetch == (bot.manifest.fetch is not None)
    assert sorted(path.name for path in made.folder.parent.iterdir()) == ["my-bot.1"]


@pytest.mark.parametrize("language", KITS, ids=IDS)
def test_nothing_that_was_built_or_fetched_is_copied(language, tmp_path):
    made = kits.make_bot(language, "mybot", tmp_path)
    names = {path.name for path in made.folder.rglob("*")}
    assert not names & {"node_modules", "target", "build", "dist", "bin", "__pycache__", ".git"}
    assert not [path for path in made.folder.rglob("*") if path.is_symlink()]


def test_the_bots_beside_the_starter_that_an_author_has_no_need_of_are_not_copied(tmp_path):
    made = kits.make_bot(kits.find_language("rust"), "mybot", tmp_path)
    names = [path.name for path in made.folder.rglob("*")]
    assert "greedy.rs" in names
    assert not [name for name in names if name.startswith("montecarlo")]


@pytest.mark.parametrize("language", KITS, ids=IDS)
def test_its_author_may_write_every_file(language, tmp_path):
    made = kits.make_bot(language, "mybot", tmp_path)
    for path in made.folder.rglob("*"):
        assert path.stat().st_mode & stat.S_IWUSR


@pytest.mark.parametrize(
    ("word", "language"),
    [("Python", "python"), ("py", "python"), ("js", "node"), ("TypeScript", "node"),
     ("golang", "go"), ("c++", "cpp")],
)  # fmt: skip
def test_a_language_goes_by_what_people_call_it(word, language):
    if language in IDS:
        assert kits.find_language(word).id == language


@pytest.mark.parametrize(
    ("word", "told"),
    [("pyton", "did you mean python?"), ("perl", "tongits-stdio"), ("cobol", "choose one of")],
)
def test_a_language_without_a_kit_is_answered_with_a_way_on(word, told):
    with pytest.raises(UsageError) as refused:
        kits.find_language(word)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "name", ["", "..", "../x", "a/b", "-x", "my bot", "ä", "x" * 33, "a\n", 'a"b', "greedy"]
)
def test_a_name_that_cannot_be_a_bots_is_refused(name, tmp_path):
    with pytest.raises(UsageError):
        kits.make_bot(KITS[0], name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("occupy", [os.mkdir, lambda path: path.write_text("mine")])
def test_what_is_there_already_is_left_alone(occupy, tmp_path):
    occupy(tmp_path / "mybot")
    with pytest.raises(ConfigError, match="exists already"):
        kits.make_bot(KITS[0], "mybot", tmp_path)


def test_a_dangling_link_counts_as_being_there(tmp_path):
    (tmp_path / "mybot").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="exists already"):
        kits.make_bot(KITS[0], "mybot", tmp_path)


def test_a_place_that_is_no_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TongitsError, match="file"):
        kits.make_bot(KITS[0], "mybot", tmp_path / "file")


def test_every_kit_is_named_for_its_language():
    for language in KITS:
        bot = load_bot(kits.kit_of(language))
        assert bot.name == f"starter-{language.id}"
        assert bot.manifest.language == language.id
        assert bot.path.is_relative_to(sample_bots())


def test_the_copy_is_its_authors_own(tmp_path):
    made = kits.make_bot(kits.find_language("python"), "mine", tmp_path)
    manifest = load_bot(made.folder).manifest
    assert (manifest.name, manifest.author, manifest.licence) == ("mine", None, None)
