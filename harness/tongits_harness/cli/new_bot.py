"""`tongits new-bot`: a folder to write a bot in, in a language of one's choice."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tongits_harness.kits import NewBot


@click.command("new-bot")
@click.argument("language", required=False)
@click.argument("name", required=False)
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Folder in which the bot's folder is made.  [default: here]",
)
def new_bot(language: str | None, name: str | None, into: Path) -> None:
    """Make a folder with a bot that plays at once.

    Without arguments the languages are listed, with what this machine has of each.

    \b
    tongits new-bot python mybot
    tongits new-bot rust mybot --into ~/bots
    """  # noqa: D301  # click wants the escape itself
    from tongits_harness.bots.toolchains import find_toolchain
    from tongits_harness.cli import render
    from tongits_harness.cli.talk import say
    from tongits_harness.errors import UsageError
    from tongits_harness.kits import find_language, make_bot

    if language is None:
        _list_languages()
        return
    kit = find_language(language)
    if name is None:
        raise UsageError(f"give the bot a name too: tongits new-bot {language} NAME")
    made = make_bot(kit, name, into)
    for line in _next_steps(made):
        click.echo(render.printable(line))
    if lack := find_toolchain(kit).lack:
        say(f"WARNING: this machine cannot build it yet: {kit.title} {lack}")


def _list_languages() -> None:
    from tongits_harness.bots.toolchains import find_toolchains
    from tongits_harness.cli import render
    from tongits_harness.kits import kit_languages

    columns = (render.Column("language"), render.Column("of"), render.Column("here"))
    rows = [
        (found.language.id, found.language.title, found.lack or found.text)
        for found in find_toolchains(kit_languages())
    ]
    render.print_table(render.Table(columns, rows))
    click.echo("tongits new-bot LANGUAGE NAME")
    click.echo("Any other language: a program that reads and writes lines, see sample_bots/stdio.")


def _next_steps(made: "NewBot") -> list[str]:
    folder = str(made.folder) if made.folder.is_absolute() else f"./{made.folder}"
    bot, fetch = shlex.quote(folder), " --allow-fetch" if made.needs_fetch else ""
    return [
        f"{made.name} is in {folder}: write `decide` in {made.edit.relative_to(made.folder)}, then",
        f"  (cd {bot} && {made.test})",
        f"  tongits check {bot}{fetch}",
        f"  tongits play {bot}{fetch}",
        f"  tongits run random greedy {bot} --rounds 10{fetch}",
    ]
