"""The command `tongits`. Each command has a module of its own and is imported only when used."""

import click

from tongits_harness.cli.lazy import LazyCommand, LazyGroup

_HERE = "tongits_harness.cli"

COMMANDS: dict[str, LazyCommand] = {
    "demo": LazyCommand(f"{_HERE}.run:demo", "Watch the sample bots play a tournament."),
    "new-bot": LazyCommand(
        f"{_HERE}.new_bot:new_bot", "Make a folder with a bot that plays at once."
    ),
    "check": LazyCommand(f"{_HERE}.check:check", "Examine a bot step by step."),
    "play": LazyCommand(f"{_HERE}.play:play", "Play a quick game, between bots or against them."),
    "run": LazyCommand(f"{_HERE}.run:run", "Play a tournament."),
    "resume": LazyCommand(
        f"{_HERE}.run:resume", "Go on with a tournament that was stopped or killed."
    ),
    "leaderboard": LazyCommand(f"{_HERE}.leaderboard:leaderboard", "Show who is best."),
    "vs": LazyCommand(f"{_HERE}.versus:versus", "Compare two bots over the matches they shared."),
    "compare": LazyCommand(
        f"{_HERE}.compare:compare", "Find out whether one bot is better than another."
    ),
    "matches": LazyCommand(f"{_HERE}.matches:matches", "List the matches played."),
    "replay": LazyCommand(f"{_HERE}.replay:replay", "Show a game, decision by decision."),
    "explain": LazyCommand(
        f"{_HERE}.explain:explain", "Show what several bots would do at a decision."
    ),
    "submit": LazyCommand(f"{_HERE}.submit:submit", "Hand in a bot, to be seated as name@version."),
    "bots": LazyCommand(f"{_HERE}.bots:bots", "List the bots that were submitted."),
    "status": LazyCommand(f"{_HERE}.status:status", "Show how far a tournament is."),
    "export": LazyCommand(f"{_HERE}.export:export", "Write the results as files for other tools."),
    "publish": LazyCommand(
        f"{_HERE}.publish:publish", "Write the pages into a folder, as a static site."
    ),
    "serve": LazyCommand(f"{_HERE}.serve:serve", "Show the results in a browser."),
    "verify": LazyCommand(f"{_HERE}.verify:verify", "Make everything stored again and compare."),
    "fairplay": LazyCommand(
        f"{_HERE}.fairplay:fairplay", "Look for collusion, seat bias, odd timing and trouble."
    ),
    "rules": LazyCommand(f"{_HERE}.rules:rules", "Explain the rules and their parameters."),
    "referee": LazyCommand(f"{_HERE}.referee:referee", "Judge games read from standard input."),
    "doctor": LazyCommand(
        f"{_HERE}.doctor:doctor", "Tell what runs depend on and how it is on this machine."
    ),
}
"""To add a command, add a line."""


class _Tongits(LazyGroup):
    lazy = COMMANDS


@click.group(cls=_Tongits, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tongits-arena", prog_name="tongits")
def main() -> None:
    """The place where programs play Tong-its.

    stdout is data, stderr is talk. Exit status: 0 done, 1 a bot or a check failed, 2 wrong use, 3
    wrong configuration, 69 no sandbox, 75 cannot go on now, 130 interrupted and saved.
    """
