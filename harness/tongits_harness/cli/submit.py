"""`tongits submit`: hands in a bot, so that tournaments can seat it as name@version."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tongits_harness.cli.options import json_option, results_option
from tongits_harness.cli.talk import say

if TYPE_CHECKING:
    from tongits_harness.bots.sandbox import Sandbox
    from tongits_harness.check import Report, Step
    from tongits_harness.submissions.submit import Gate, Outcome

_WARNINGS = {
    "none": "the bot is built and run WITHOUT a sandbox: it can read and harm this account.",
    "partial": "the bot has no namespaces of its own; sockets of this account can be reached.",
}


@click.command()
@click.argument("bot", type=click.Path(path_type=Path))
@click.option("--commit", metavar="REV", help="A commit, branch or tag of the git clone BOT.")
@click.option(
    "--manifest", default="bot.toml", show_default=True, help="Which file of it is the manifest."
)
@click.option(
    "--allow-fetch", is_flag=True, help="Let it get dependencies by the fetch of its manifest."
)
@click.option(
    "--change-author", is_flag=True, help="Let another author go on with the bot of that name."
)
@click.option(
    "--sandbox",
    "level",
    type=click.Choice(["auto", "full", "contained", "partial", "none"]),
    default="auto",
    show_default=True,
    help="Isolation while it is built and checked; auto is never none.",
)
@json_option
@results_option
def submit(
    bot: Path,
    commit: str | None,
    manifest: str,
    allow_fetch: bool,
    change_author: bool,
    level: str,
    as_json: bool,
    results: Path,
) -> None:
    """Hand in a bot, to be seated as name@version.

    It is unpacked by rules, built, checked, and kept as a version of its name.

    BOT is a folder, a .zip, a manifest in a folder, or a local git clone with --commit (a folder in
    the clone works too). Nothing of a bot that breaks a rule is kept. One that fails the check is
    kept with its report and never seated. Exit status: 0 accepted, 1 refused or rejected.

    \b
    tongits submit ./mybot
    tongits submit mybot.zip
    tongits submit ~/src/mybot --commit v1.2
    tongits run mybot@2 greedy cautious
    """  # noqa: D301  # click wants the escape itself
    from tongits_harness.bots.sandbox import open_sandbox
    from tongits_harness.logs import silence
    from tongits_harness.submissions.submit import Request
    from tongits_harness.submissions.submit import submit as hand_in

    if level in _WARNINGS:
        say(f"WARNING: --sandbox={level}: {_WARNINGS[level]}")
    sandbox = open_sandbox(level)
    silence()
    gate = _gate(sandbox, results, allow_fetch=allow_fetch, is_quiet=as_json)
    outcome = hand_in(Request(bot, commit, manifest, change_author), results, gate)
    _tell(outcome, as_json=as_json)
    if not outcome.version.is_accepted:
        sys.exit(1)


def _gate(sandbox: "Sandbox", results: Path, *, allow_fetch: bool, is_quiet: bool) -> "Gate":
    """The check as `tongits check` makes it, whose steps are told as they end."""
    import trio

    from tongits_harness.check import CheckOptions, check_bot
    from tongits_harness.submissions.submit import Judgement

    options = CheckOptions(allow_fetch=allow_fetch, builds=results / "builds")

    async def check(path: Path) -> Judgement:
        report = await check_bot(
            path, sandbox=sandbox, options=options, tell=_ignore if is_quiet else _tell_step
        )
        if not is_quiet:
            _tell_verdict(report)
        verdict = report.verdict if report.is_accepted else "rejected"
        return Judgement(verdict, report.is_accepted, report.as_json())

    return lambda path: trio.run(check, path)


def _ignore(_step: "Step") -> None:
    pass


def _tell_step(step: "Step") -> None:
    from tongits_harness.check.text import step_lines
    from tongits_harness.cli.render import printable

    for line in step_lines(step):
        click.echo(printable(line))


def _tell_verdict(report: "Report") -> None:
    from tongits_harness.check.text import verdict_lines
    from tongits_harness.cli.render import printable

    for line in verdict_lines(report):
        click.echo(printable(line))


def _tell(outcome: "Outcome", *, as_json: bool) -> None:
    from tongits_harness.cli import render
    from tongits_harness.cli.bots import version_document

    version = outcome.version
    if as_json:
        render.print_json({"is_new": outcome.is_new, **version_document(version)})
    elif not outcome.is_new:
        click.echo(f"already there as {version.title} ({version.verdict})")
    elif version.is_accepted:
        click.echo(f"{version.verdict}: {version.title}, files {version.digest[:12]}")
        click.echo(f"seat it by that name: tongits run {version.title} greedy cautious")
    else:
        click.echo(f"REJECTED: {version.title} is kept with this report and cannot be seated")
