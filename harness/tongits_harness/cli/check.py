"""`tongits check`: is this bot fit to play? Numbered steps, each with its evidence and cure."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.isolation import open_own_sandbox, own_sandbox_option
from tongits_harness.cli.options import json_option, results_option
from tongits_harness.cli.talk import say

if TYPE_CHECKING:
    from tongits_harness.bots.sandbox import Sandbox
    from tongits_harness.check import CheckOptions, Report, Step
    from tongits_harness.check.questions import Question


@click.command()
@click.argument("bot")
@click.option(
    "--games", type=click.IntRange(1), help="Games under each of the rules.  [default: 40]"
)
@click.option("--rules", multiple=True, metavar="NAME", help="Check under these rules only.")
@click.option("--quick", is_flag=True, help="Fewer games and less time for each step.")
@click.option(
    "--only", multiple=True, type=click.IntRange(1, 13), help="Of steps 6 to 13 take this one only."
)
@click.option("--allow-fetch", is_flag=True, help="Let its fetch command use the network.")
@own_sandbox_option
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what the bot answered wrongly to this file, as lines of a corpus.",
)
@click.option(
    "--ask",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="In step 7 ask what this file holds (of --save, or a corpus.jsonl).",
)
@json_option
@results_option
def check(
    bot: str,
    games: int | None,
    rules: tuple[str, ...],
    quick: bool,
    only: tuple[int, ...],
    allow_fetch: bool,
    level: str,
    save: Path | None,
    ask: Path | None,
    as_json: bool,
    results: Path,
) -> None:
    """Examine a bot step by step.

    BOT is a folder with a bot.toml, another manifest in a folder, the name of a sample bot or of a
    submitted one. The
    exit status is 0 if it may play and 1 if a step failed. `tongits submit` checks the same.

    \b
    tongits check ./mybot
    tongits check ./mybot --only 7
    tongits check ./mybot --save wrong.jsonl
    tongits check ./mybot --ask wrong.jsonl --only 7
    """  # noqa: D301  # click wants the escape itself
    from tongits_engine import RulesError, rules_named

    from tongits_harness.check import CheckOptions
    from tongits_harness.check.options import GAMES, VARIANTS
    from tongits_harness.errors import EXIT_BOT, UsageError
    from tongits_harness.logs import silence
    from tongits_harness.samples import find_bot

    for name in rules:
        try:
            rules_named(name)
        except RulesError as error:
            raise UsageError(f"--rules {name}: {error}") from None
    path = find_bot(bot, Path(), results)
    sandbox = open_own_sandbox(level)
    options = CheckOptions(
        rules=rules or VARIANTS,
        games=games or GAMES,
        quick=quick,
        only=frozenset(only),
        allow_fetch=allow_fetch,
        allow_bare=True,
        builds=results / "builds",
        word=bot,
    )
    silence()
    report = _examine(path, sandbox, options, _questions(ask), as_json=as_json)
    if save is not None:
        _save(save, report, as_json=as_json)
    if not report.is_accepted:
        raise SystemExit(EXIT_BOT)


def _examine(
    path: Path,
    sandbox: "Sandbox",
    options: "CheckOptions",
    questions: "list[Question]",
    *,
    as_json: bool,
) -> "Report":
    from functools import partial

    import trio

    from tongits_harness.check import check_bot
    from tongits_harness.check.text import step_lines, verdict_lines
    from tongits_harness.cli import render

    def show(step: "Step") -> None:
        for line in step_lines(step):
            click.echo(render.printable(line))

    if as_json:
        report = trio.run(
            partial(check_bot, path, sandbox=sandbox, options=options, questions=questions)
        )
        render.print_json(report.as_json())
        return report
    click.echo(render.printable(f"checking {path} (sandbox: {sandbox.level})"))
    report = trio.run(
        partial(
            check_bot,
            path,
            sandbox=sandbox,
            options=options,
            tell=show,
            note=say,
            questions=questions,
        )
    )
    for line in verdict_lines(report):
        click.echo(render.printable(line))
    return report


def _questions(file: Path | None) -> "list[Question]":
    from tongits_harness.check.shown import read_questions

    if file is None:
        return []
    return read_questions(file.read_text(encoding="utf-8"), str(file))


def _save(file: Path, report: "Report", *, as_json: bool) -> None:
    from tongits_harness.errors import ConfigError

    try:
        file.write_text("".join(json.dumps(line) + "\n" for line in report.saved))
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}; choose another") from error
    if not as_json:
        say(f"{len(report.saved)} questions in {file}: ask them again with --ask {file} --only 7")
