"""`tongits publish`: the pages as a static site, or one page as a report."""

from pathlib import Path

import click

from tongits_harness.cli.options import results_option, tournament_option
from tongits_harness.cli.talk import say


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--replays", type=click.IntRange(0), default=200, show_default=True,
    help="How many matches can be watched: the most interesting ones.",
)  # fmt: skip
@click.option("--single-file", is_flag=True, help="Write one HTML report to DIR, a file's name.")
@results_option
@tournament_option
def publish(
    target: Path, replays: int, single_file: bool, results: Path, tournament: str | None
) -> None:
    """Write the pages into a folder, as a static site.

    Any web server can show it, and no server at all is needed.

    \b
    tongits publish site
    tongits publish report.html --single-file
    """  # noqa: D301  # click wants the escape itself
    from tongits_harness.web.publish import publish as write_site
    from tongits_harness.web.publish import publish_single

    if single_file:
        size = publish_single(results, target, tournament)
        say(f"{target}: {size / 1024:.0f} KiB")
        return
    written = write_site(results, target, tournament, replays)
    say(
        f"{target}/index.html: {written.pages} pages, {written.replays} matches to watch,"
        f" {written.bytes / 1024 / 1024:.1f} MiB"
    )
