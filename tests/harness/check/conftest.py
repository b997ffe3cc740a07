"""The best sandbox of this machine, and a check of a bot in it."""

import pytest
from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.check import CheckOptions, check_bot
from tongits_harness.errors import SandboxUnavailableError


@pytest.fixture(scope="session")
def sandbox():
    try:
        return open_sandbox("auto")
    except SandboxUnavailableError:
        return open_sandbox("none")


@pytest.fixture
def examine(sandbox):
    """Checks a folder; `only` names the steps that are wanted."""

    async def run(folder, *only, questions=(), level=None, **options):
        told = []
        report = await check_bot(
            folder,
            sandbox=sandbox if level is None else open_sandbox(level),
            options=CheckOptions(quick=True, only=frozenset(only), **options),
            tell=told.append,
            questions=questions,
        )
        assert sorted(told, key=lambda step: step.number) == list(report.steps)
        return report

    return run
