"""A results folder shared by the tests of this folder, and the command as a function."""

import pytest
from click.testing import CliRunner
from tongits_harness.cli import main

from tests.harness.cli.arena import make_arena, make_suspension


@pytest.fixture(scope="session")
def arena(tmp_path_factory):
    results = tmp_path_factory.mktemp("arena")
    make_suspension(results)
    make_arena(results, matches=6)
    return results


@pytest.fixture
def tongits(arena):
    """Call the command; the results folder is given unless the words name one."""

    def call(*words, code=0, results=arena, stdin=None, width=None):
        place = [] if results is None else ["--results", str(results)]
        environment = {"COLUMNS": str(width or 200), "NO_COLOR": "1"}
        done = CliRunner().invoke(main, [*words, *place], input=stdin, env=environment)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == code, done.output
        return done

    return call
