"""Hypothesis is deterministic and patient in the tests of playing."""

import pytest
from hypothesis import settings

settings.register_profile("play", deadline=None, derandomize=True, max_examples=60)


@pytest.fixture(autouse=True, scope="package")
def _play_profile():
    before = settings.get_current_profile_name()
    settings.load_profile("play")
    yield
    settings.load_profile(before)
