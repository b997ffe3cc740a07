"""A click group that imports a command only when it is used, and turns errors into exit codes."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass

import click

from tongits_harness.errors import EXIT_INTERRUPTED, TongitsError


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command is, and what `tongits --help` says of it without importing it."""

    path: str
    """`package.module:attribute`."""
    summary: str
    """First line of the command's own help; a test compares them."""

    def load(self) -> click.Command:
        """Import the command."""
        module, _, attribute = self.path.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.path} is no click command")
        return command


class LazyGroup(click.Group):
    """The top-level command."""

    lazy: Mapping[str, LazyCommand]

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Names in the order of the table, which goes from first use to rare use."""
        return list(self.lazy)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        """The command of that name, imported now."""
        command = self.lazy.get(cmd_name)
        return command.load() if command else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the near names of commands that are not imported yet."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(
                error.command_name, possibilities=self.list_commands(ctx), ctx=ctx
            ) from None

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in self.lazy.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; what a person can cure is one line on stderr and an exit code."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except TongitsError as error:
            _report(ctx, error)
        except BaseExceptionGroup as group:
            # A nursery wraps what its tasks raise.
            if group.subgroup(KeyboardInterrupt):
                click.echo("interrupted", err=True)
                ctx.exit(EXIT_INTERRUPTED)
            ours, others = group.split(TongitsError)
            if ours is None or others is not None:
                raise
            _report(ctx, _first(ours))
        return None


def _report(ctx: click.Context, error: TongitsError) -> None:
    from tongits_harness.text import safe_text

    click.echo(f"error: {safe_text(' '.join(str(error).split()))}", err=True)
    for line in error.details:
        click.echo(f"  {safe_text(line)}", err=True)
    ctx.exit(error.exit_code)


def _first(group: BaseExceptionGroup[TongitsError]) -> TongitsError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
