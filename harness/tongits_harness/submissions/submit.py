"""One submission from its arrival to a stored version, or to a refusal that leaves nothing."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tongits_harness.bots.manifest import MANIFEST_NAME, Bot, load_bot, read_manifest
from tongits_harness.errors import ConfigError
from tongits_harness.results.submitted import BotVersion, open_submitted, submitted_versions
from tongits_harness.samples import sample_names
from tongits_harness.submissions.entries import (
    DEFAULT_LIMITS,
    SubmissionRefusedError,
    UnpackLimits,
)
from tongits_harness.submissions.folders import FolderSource
from tongits_harness.submissions.git_clone import GitSource, open_clone
from tongits_harness.submissions.resemblance import resembled
from tongits_harness.submissions.storage import FILES, open_incoming, remove, settle
from tongits_harness.submissions.unpack import exclusions, unpack
from tongits_harness.submissions.zip_archive import ZipSource, open_zip
from tongits_harness.text import safe_text


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the check of a bot came to."""

    verdict: str
    is_accepted: bool
    report: Mapping[str, object]


Gate = Callable[[Path], Judgement]
"""Checks the bot that `load_bot` finds at a path."""


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody submits."""

    path: Path
    """A folder, a .zip, a manifest in a folder, or a place in a git clone."""
    revision: str | None = None
    """The commit of the clone."""
    manifest_name: str = MANIFEST_NAME
    may_change_author: bool = False
    """The organiser says that another author may go on with the name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A stored version."""

    version: BotVersion
    is_new: bool
    """False if the very same files had been submitted and accepted before."""


def submit(
    request: Request, results: Path, gate: Gate, *, limits: UnpackLimits = DEFAULT_LIMITS
) -> Outcome:
    """Unpacks, checks and stores; what the gate rejects is stored with its report, never seated.

    Raises:
        ConfigError: There is nothing to submit at that path.
        SubmissionRefusedError: It breaks a rule of unpacking, its manifest is wrong, or its name is
            another's; nothing of it is left.
        CannotContinueError: Another submission is going on, or results cannot be written.
    """
    with open_incoming(results) as incoming:
        bot, source = _unpack(request, incoming, limits)
        known = submitted_versions(results)
        same = next((version for version in known if version.digest == bot.digest), None)
        if same is None:
            _check_name(bot, known, may_change_author=request.may_change_author)
        place, is_new = settle(bot, results)
        if same is not None and same.is_accepted:
            return Outcome(same, is_new=False)
        try:
            judgement = gate(replace(bot, path=place).reference)
            version = _version(bot, source, judgement, known, same)
            with open_submitted(results, create=True) as bots:
                bots.put(version)
        except BaseException:
            if is_new and same is None:
                remove(place)
            raise
        return Outcome(version, is_new=True)


def _unpack(request: Request, incoming: Path, limits: UnpackLimits) -> tuple[Bot, str]:
    """The bot as unpacked, and in words what it came from."""
    with _open_source(request, limits) as (source, manifest_name):
        title = source.title
        draft = incoming / manifest_name
        draft.write_bytes(source.manifest())
        with _titled(title, incoming):
            manifest = read_manifest(draft)
            load_bot(draft)  # says whether its exclude leaves out the manifest itself
        files = incoming / FILES
        unpack(source, files, leave_out=exclusions(manifest.exclude), limits=limits)
        with _titled(title, files):
            bot = load_bot(files / manifest_name)
        words = f"{title} at commit {source.commit}" if isinstance(source, GitSource) else title
        return bot, words


@contextmanager
def _open_source(
    request: Request, limits: UnpackLimits
) -> Iterator[tuple[FolderSource | ZipSource | GitSource, str]]:
    path, manifest_name = request.path, request.manifest_name
    title = safe_text(str(path))
    if path.suffix == ".toml" and (request.revision or path.is_file()):
        path, manifest_name = path.parent, path.name
    if not _is_plain_name(manifest_name):
        raise ConfigError(f"--manifest {manifest_name!r}: name a file such as bot.toml")
    with ExitStack() as stack:
        source: FolderSource | ZipSource | GitSource
        if request.revision is not None:
            source = stack.enter_context(
                open_clone(
                    path, request.revision, title=title, manifest_name=manifest_name, limits=limits
                )
            )
        elif path.is_dir():
            source = FolderSource(path, title=title, manifest_name=manifest_name)
        else:
            source = stack.enter_context(
                open_zip(path, title=title, manifest_name=manifest_name, limits=limits)
            )
        yield source, manifest_name


def _is_plain_name(name: str) -> bool:
    return name.endswith(".toml") and "/" not in name and name.isprintable()


@contextmanager
def _titled(title: str, folder: Path) -> Iterator[None]:
    """Errors about our copy are errors of the submission: they name it instead."""
    try:
        yield
    except ConfigError as error:
        text = str(error).replace(f"{folder}/", f"{title}: ").replace(str(folder), title)
        raise SubmissionRefusedError(text) from error


def _check_name(bot: Bot, known: Sequence[BotVersion], *, may_change_author: bool) -> None:
    samples = sample_names()
    if bot.name in samples:
        raise SubmissionRefusedError(
            f"bot {bot.name}: is the name of a sample bot, which needs no submission;"
            f" choose another name in {bot.manifest_name}"
        )
    other = resembled(bot.name, [*dict.fromkeys(version.name for version in known), *samples])
    if other is not None:
        raise SubmissionRefusedError(
            f"bot {bot.name}: the name could be taken for {other}; choose one that differs by more"
            " than case, '-', '_', '.', or digits for letters"
        )
    owner = next((version for version in reversed(known) if version.name == bot.name), None)
    author = bot.manifest.author or ""
    if owner is not None and owner.author != author and not may_change_author:
        raise SubmissionRefusedError(
            f"bot {bot.name}: {owner.title} is by {_author(owner.author)}, this one by"
            f" {_author(author)}; choose another name, or let the organiser add --change-author"
        )


def _author(name: str) -> str:
    return f"{safe_text(name)!r}" if name else "nobody named"


def _version(
    bot: Bot,
    source: str,
    judgement: Judgement,
    known: Sequence[BotVersion],
    same: BotVersion | None,
) -> BotVersion:
    judged = {
        "verdict": judgement.verdict,
        "is_accepted": judgement.is_accepted,
        "report": judgement.report,
        "submitted_at": time.time(),
        "source": source,
    }
    if same is not None:
        return replace(same, **judged)  # type: ignore[arg-type]  # fields of it
    manifest = bot.manifest
    return BotVersion(
        name=bot.name,
        number=1 + max((one.number for one in known if one.name == bot.name), default=0),
        digest=bot.digest,
        manifest_name=bot.manifest_name,
        declared_version=manifest.version,
        language=manifest.language,
        author=manifest.author or "",
        source=source,
        submitted_at=time.time(),
        verdict=judgement.verdict,
        is_accepted=judgement.is_accepted,
        disabled_at=None,
        reason="",
        manifest=manifest.model_dump(mode="json"),
        report=judgement.report,
    )
