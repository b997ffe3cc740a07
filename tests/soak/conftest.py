"""The command with a results folder, as the end-to-end tests have it."""

from tests.e2e.conftest import _session_tmp, arena  # noqa: F401  # fixtures
