"""New bots made of the kits that ship with the project. Builds and checks nothing."""

import difflib
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots.folder import read_folder
from tongits_harness.bots.manifest import MANIFEST_NAME, NAME_PATTERN, Manifest, read_manifest
from tongits_harness.bots.toolchains import LANGUAGES, Language
from tongits_harness.errors import ConfigError, UsageError
from tongits_harness.samples import sample_bots, sample_names

CORPUS_NAME = "corpus.jsonl"
_NAME_LINE = re.compile(r"^name\s*=.*$", re.MULTILINE)
_OUR_LINES = re.compile(r"^(?:author|licence)\s*=.*\n", re.MULTILINE)
"""A copy is the work of whoever goes on with it."""
_OTHER_WORDS: Mapping[str, str] = {
    "py": "python",
    "python3": "python",
    "js": "node",
    "javascript": "node",
    "ts": "node",
    "typescript": "node",
    "nodejs": "node",
    "golang": "go",
    "rs": "rust",
    "c++": "cpp",
    "cxx": "cpp",
}
"""What people call a language, besides its id."""
_EDIT: Mapping[str, str] = {
    "python": "bot.py",
    "node": "bot.js",
    "go": "cmd/starter/main.go",
    "rust": "src/bot.rs",
    "java": "src/main/java/StarterBot.java",
    "cpp": "starter.cpp",
}
"""The file in which `decide` is to be written."""
_TEST: Mapping[str, str] = {
    "python": "python3 -m unittest",
    "node": "npm ci && npm test",
    "go": "go test ./...",
    "rust": "cargo test",
    "java": "mvn -q test",
    "cpp": "cmake -S . -B build && cmake --build build -j2 && ctest --test-dir build",
}
"""How its unit tests are run, in its folder."""


@dataclass(frozen=True, slots=True)
class NewBot:
    """A folder that was just made."""

    name: str
    language: Language
    folder: Path
    edit: Path
    """The file in which `decide` is to be written."""
    test: str
    """The command for its unit tests, in its folder."""
    needs_fetch: bool


def kit_of(language: Language) -> Path:
    """The folder of a language's kit, there or not."""
    below = Path(language.id, "starter") if language.id == "python" else Path(language.id)
    return sample_bots() / below


def kit_languages() -> tuple[Language, ...]:
    """Languages whose kit is there."""
    return tuple(one for one in LANGUAGES if (kit_of(one) / MANIFEST_NAME).is_file())


def find_language(word: str) -> Language:
    """The language meant by a word, which has a kit.

    Raises:
        UsageError: There is none; says what comes near, or how to go on without a kit.
    """
    wanted = _OTHER_WORDS.get(word.lower(), word.lower())
    languages = {language.id: language for language in kit_languages()}
    if wanted in languages:
        return languages[wanted]
    if any(language.id == wanted for language in LANGUAGES):
        raise UsageError(
            f"there is no kit for {wanted}: any program that reads and writes lines plays through "
            "tongits-stdio; sample_bots/stdio/ has some"
        )
    near = difflib.get_close_matches(wanted, [*languages, *_OTHER_WORDS], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UsageError(f"there is no kit for {word}: {hint}choose one of {', '.join(languages)}")


def make_bot(language: Language, name: str, into: Path) -> NewBot:
    """Copies a kit to `into/name` and gives the bot in it that name.

    Raises:
        UsageError: The name cannot be used.
        ConfigError: The folder is there already, or cannot be written.
    """
    _check_name(name)
    kit, folder = kit_of(language), into / name
    if folder.exists() or folder.is_symlink():
        raise ConfigError(f"{folder} exists already: choose another name, or --into another folder")
    manifest = read_manifest(kit / MANIFEST_NAME)
    try:
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-bot-", dir=into) as scratch:
            copy = Path(scratch, "bot")
            _copy(kit, copy, manifest)
            _rename(copy / MANIFEST_NAME, name)
            _add_corpus(copy)
            copy.rename(folder)
    except OSError as error:
        raise ConfigError(
            f"{error.filename or folder}: {error.strerror}; make it writable, or --into another "
            "folder"
        ) from error
    edit = folder / _EDIT[language.id]
    return NewBot(name, language, folder, edit, _TEST[language.id], manifest.fetch is not None)


def _check_name(name: str) -> None:
    if not re.fullmatch(NAME_PATTERN.strip("^$"), name):
        raise UsageError(
            f"{name!r} cannot be a bot's name: use up to 32 letters, digits, '_', '.', '-', "
            "starting with a letter or digit"
        )
    if name in sample_names():
        raise UsageError(f"{name} is the name of a sample bot: choose another one")


def _copy(kit: Path, copy: Path, manifest: Manifest) -> None:
    """The files that count; what was built or fetched in the kit stays there."""
    for file in read_folder(kit, (*manifest.exclude, CORPUS_NAME)):
        path = copy / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(0o755 if file.executable else 0o644)


def _rename(manifest: Path, name: str) -> None:
    text = _OUR_LINES.sub("", manifest.read_text(encoding="utf-8"))
    manifest.write_text(_NAME_LINE.sub(f'name = "{name}"', text, count=1), encoding="utf-8")


def _add_corpus(folder: Path) -> None:
    corpus = sample_bots() / "corpus" / "observations.jsonl"
    if corpus.is_file():
        shutil.copyfile(corpus, folder / CORPUS_NAME)
