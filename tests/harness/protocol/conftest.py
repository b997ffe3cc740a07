"""Hypothesis is deterministic and patient in the protocol's tests."""

import pytest
from hypothesis import settings

settings.register_profile("protocol", deadline=None, derandomize=True, max_examples=60)


@pytest.fixture(autouse=True, scope="package")
def _protocol_profile():
    before = settings.get_current_profile_name()
    settings.load_profile("protocol")
    yield
    settings.load_profile(before)
