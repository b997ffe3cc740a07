"""Hypothesis is deterministic and patient in the engine's tests."""

import pytest
from hypothesis import settings

settings.register_profile("engine", deadline=None, derandomize=True, max_examples=60)


@pytest.fixture(autouse=True, scope="package")
def _engine_profile():
    before = settings.get_current_profile_name()
    settings.load_profile("engine")
    yield
    settings.load_profile(before)
