"""`tongits rules`: what a variant sets."""

import json

import click

from tongits_harness.cli.options import json_option
from tongits_harness.errors import ConfigError, UsageError


@click.command()
@click.argument("name", default="tongits-lite")
@click.option(
    "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Set one parameter otherwise."
)
@json_option
def rules(name: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Explain the rules and their parameters.

    NAME is a preset such as tongits-lite or sa-tong, or BASE+OVERLAY.
    """
    from tongits_engine import PARAMETERS, RulesError, describe, rules_named

    from tongits_harness.cli import render

    try:
        chosen = rules_named(name, dict(map(_setting, settings)))
    except RulesError as error:
        raise ConfigError(str(error)) from error
    if not as_json:
        click.echo(describe(chosen), nl=False)
        return
    values = chosen.parameters()
    render.print_json(
        {
            "rules": chosen.name,
            "parameters": values,
            "meaning": {
                parameter.name: {
                    "meaning": parameter.meaning,
                    "allowed": parameter.allowed,
                    "rule": parameter.rule,
                }
                for parameter in PARAMETERS
            },
        }
    )


def _setting(text: str) -> tuple[str, object]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--set {text!r}: write KEY=VALUE, for instance layoff.enabled=false")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value
