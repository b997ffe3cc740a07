"""Steps 1 to 3: what lies in the folder, and what is built of it. No process of the bot yet."""

import difflib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tongits_harness.bots.build import BuildError, BuildReport, BuildServices, build, needs_build
from tongits_harness.bots.folder import FolderFile, read_folder
from tongits_harness.bots.manifest import MANIFEST_NAME, Bot, load_bot, read_manifest
from tongits_harness.check.options import CheckOptions
from tongits_harness.check.patient import TITLES, left_out, passed
from tongits_harness.check.report import Step, Verdict
from tongits_harness.errors import ConfigError, SandboxUnavailableError

_MANY_FILES = 2000
_LARGE_BYTES = 64 * 1024 * 1024
_NEXT_PROBLEM = re.compile(r"; (?=[\w.-]+(?:\[\d+\])?: )")
"""Where one problem of a manifest ends and the next begins."""
_SCRIPTS = (".py", ".js", ".mjs", ".cjs", ".ts", ".pl", ".awk", ".sh", ".rb", ".jar")


def check_manifest(path: Path) -> Step:
    """Step 1: every error of the manifest at once."""
    file = path / MANIFEST_NAME if path.is_dir() else path
    try:
        manifest = read_manifest(file)
    except ConfigError as error:
        place, _, told = str(error).partition(": ")
        problems = tuple(_NEXT_PROBLEM.split(told))
        count = f"{len(problems)} problems" if len(problems) > 1 else problems[0]
        more = problems if len(problems) > 1 else ()
        summary = f"{place}: {count}"
        cure = "mend what each line says and check again; sample_bots/README.md shows a bot.toml"
        return Step(1, TITLES[1], Verdict.FAIL, summary, more, cure)
    words = " ".join(manifest.run)
    summary = f"{manifest.name} {manifest.version}, {manifest.language}, run: {words}"
    facts = manifest.model_dump(mode="json")
    return passed(1, summary, **facts)


def check_files(path: Path) -> tuple[Step, Bot | None]:
    """Step 2: what is copied, with what will go wrong later because of a name."""
    try:
        bot = load_bot(path)
        files = [_Sized.of(file) for file in read_folder(bot.path, bot.manifest.exclude or ())]
    except ConfigError as error:
        what, _, cure = str(error).rpartition(": ")
        if not what:
            what, _, cure = str(error).rpartition("; ")
        return Step(2, TITLES[2], Verdict.FAIL, what or str(error), (), cure), None
    total = sum(file.size for file in files)
    summary = f"{len(files)} files, {_size(total)}; version {bot.digest[:12]}"
    if excluded := bot.manifest.exclude:
        summary += f"; left out: {', '.join(excluded)}"
    facts = {"files": len(files), "bytes": total, "version": bot.digest}
    if missing := _missing_program(bot, files):
        cure = "correct `run` in bot.toml, add the file, or add a `build` that makes it"
        return Step(2, TITLES[2], Verdict.FAIL, missing, (), cure, "", facts), None
    if warnings := tuple(_warnings(bot, files, total)):
        cure = warnings[0].partition(": ")[2] if len(warnings) == 1 else "as each line says"
        first = warnings[0].partition(": ")[0]
        more = warnings if len(warnings) > 1 else ()
        summary = f"{summary}; {first}" if not more else summary
        return Step(2, TITLES[2], Verdict.WARN, summary, more, cure, "", facts), bot
    return passed(2, summary, **facts), bot


@dataclass(frozen=True, slots=True)
class _Sized:
    name: str
    size: int
    executable: bool

    @classmethod
    def of(cls, file: FolderFile) -> "_Sized":
        return cls(file.name, len(file.content), file.executable)


def _missing_program(bot: Bot, files: list[_Sized]) -> str:
    """A word of `run` that can only mean a file, and there is none; nothing if it may be built."""
    if needs_build(bot):
        return ""
    names = [file.name for file in files]
    first, *others = bot.manifest.run
    words = [first] if first.startswith("./") else []
    words += [word for word in others[:1] if word.endswith(_SCRIPTS) and not word.startswith("/")]
    for word in words:
        name = word.removeprefix("./")
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]}?" if near else f" ({', '.join(names[:6])})"
            return f"run names {word}, and there is no such file in the folder{hint}"
    return ""


def _warnings(bot: Bot, files: list[_Sized], total: int) -> Iterator[str]:
    """Each as "what: cure"."""
    if bot.manifest.language == "python":
        for file in files:
            module = file.name.removesuffix(".py")
            if file.name.endswith(".py") and module in sys.stdlib_module_names:
                yield (
                    f"{file.name} has the name of a module of the standard library"
                    f": rename it, or `import {module}` finds it instead"
                )
    by_name = {file.name: file for file in files}
    program = by_name.get(bot.manifest.run[0].removeprefix("./"))
    if program is not None and not program.executable and not needs_build(bot):
        yield f"{program.name} is not executable: chmod +x {program.name}"
    if len(files) > _MANY_FILES or total > _LARGE_BYTES:
        largest = max(files, key=lambda file: file.size)
        yield (
            f"that is much for a bot, the largest is {largest.name} with {_size(largest.size)}"
            ": name what is not needed in `exclude` of bot.toml"
        )


async def check_build(bot: Bot, services: BuildServices, options: CheckOptions) -> tuple[Step, Bot]:
    """Step 3: fetch and build; the bot with its tree."""
    if not needs_build(bot):
        return left_out(3, "nothing to build: bot.toml names neither fetch nor build"), bot
    try:
        built = await build(bot, services)
    except (BuildError, ConfigError, SandboxUnavailableError) as error:
        report = error.report if isinstance(error, BuildError) else None
        what, _, cure = str(error).partition("; ")
        lines = (*_build_lines(report), *(f"printed: {line}" for line in error.details))
        again = f"tongits check {options.word or bot.reference} --only 3"
        again += " --allow-fetch" if options.allow_fetch or bot.manifest.fetch else ""
        cure = cure or "see what it printed last"
        facts = {"build": report.as_json() if report else None}
        return Step(3, TITLES[3], Verdict.FAIL, what, lines, cure, again, facts), bot
    report = built.report
    made = report.as_json() if report else None
    line = built.tell().partition(": ")[2] or "built"
    return passed(3, line, build=made, cached=built.was_cached), built.bot


def _build_lines(report: BuildReport | None) -> Iterator[str]:
    for step in report.steps if report else ():
        argv = " ".join(step.argv)
        how = step.problem or "succeeded"
        yield f"{step.step}: {argv}: {how} (status {step.status}, {step.seconds:.1f} s)"


def _size(count: int) -> str:
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:.1f} KiB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MiB"
