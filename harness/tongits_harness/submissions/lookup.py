"""Submitted bots by the words of an organiser: `name@2`, or `name` for the latest enabled."""

import re
from pathlib import Path

from tongits_harness.bots.manifest import MANIFEST_NAME
from tongits_harness.errors import ConfigError
from tongits_harness.results.submitted import BotVersion, submitted_versions
from tongits_harness.samples import sample_names
from tongits_harness.submissions.storage import bots_folder, is_intact

_WORD = re.compile(r"^([A-Za-z0-9][A-Za-z0-9_.-]{0,31})(?:@([1-9][0-9]{0,8}))?$")


def seated_version(word: str, base: Path, results: Path) -> BotVersion | None:
    """The submitted version that a word means; None if it means something else (a path, a sample).

    Raises:
        ConfigError: It means a path as well, there is no such version, it was rejected or disabled,
            or its files are not what they were.
    """
    match = _WORD.match(word)
    if match is None:
        return None
    name, number = match.group(1), match.group(2)
    versions = submitted_versions(results, name)
    if not versions:
        return None
    _refuse_other_meanings(word, base, versions[-1])
    version = _of_number(versions, int(number)) if number else _latest(versions)
    _check_seatable(version)
    folder = bots_folder(results) / version.digest
    if not is_intact(folder, version.manifest_name, version.digest):
        raise ConfigError(
            f"bot {version.title}: its files in {folder} are not what was submitted; submit the"
            f" same files again ({version.source})"
        )
    return version


def _refuse_other_meanings(word: str, base: Path, latest: BotVersion) -> None:
    """The wrong bot is never seated in silence: who means one of two says which."""
    if (base / word).exists():
        raise ConfigError(
            f"bot {word}: is a path and the name of a submitted bot; write ./{word} for the path,"
            f" or {latest.title} for the submitted one"
        )
    if word in (samples := sample_names()):
        raise ConfigError(
            f"bot {word}: is a sample bot and a submitted one; write {samples[word]} for the"
            f" sample, or {latest.title} for the submitted one"
        )


def _check_seatable(version: BotVersion) -> None:
    if not version.is_accepted:
        raise ConfigError(
            f"bot {version.title}: was rejected; `tongits bots show {version.title}` says why,"
            " submit a version that passes"
        )
    if version.disabled_at is not None:
        raise ConfigError(
            f"bot {version.title}: is disabled ({version.reason}); `tongits bots enable"
            f" {version.title}` lets it be seated, or name another version"
        )


def reference(version: BotVersion, results: Path) -> Path:
    """What `load_bot` finds a submitted version by."""
    folder = (bots_folder(results) / version.digest).resolve()
    return folder if version.manifest_name == MANIFEST_NAME else folder / version.manifest_name


def find_versions(word: str, results: Path) -> tuple[BotVersion, ...]:
    """All versions of a name, or the one of name@number.

    Raises:
        ConfigError: There is none.
    """
    match = _WORD.match(word)
    versions = submitted_versions(results, match.group(1)) if match else ()
    if match is None or not versions:
        raise ConfigError(f"bot {word}: no such bot was submitted; `tongits bots` lists them")
    return (_of_number(versions, int(match.group(2))),) if match.group(2) else versions


def _of_number(versions: tuple[BotVersion, ...], number: int) -> BotVersion:
    name = versions[0].name
    for version in versions:
        if version.number == number:
            return version
    raise ConfigError(
        f"bot {name}@{number}: there is no such version; {name} has"
        f" {', '.join(version.title for version in versions[-5:])}"
    )


def _latest(versions: tuple[BotVersion, ...]) -> BotVersion:
    return next((one for one in reversed(versions) if one.may_be_seated), versions[-1])
