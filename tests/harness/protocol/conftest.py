"""Hypothesis is deterministic and patient in the protocol's tests."""

import pytest
from hypothesis import settings

from tests.harness.protocol.bench import Bench

settings.register_profile("protocol", deadline=None, derandomize=True, max_examples=60)


@pytest.fixture(autouse=True, scope="package")
def _protocol_profile():
    before = settings.get_current_profile_name()
    settings.load_profile("protocol")
    yield
    settings.load_profile(before)


@pytest.fixture
def open_bench(nursery):
    """A conversation past its handshake, its clock watched; the test takes `autojump_clock`."""

    def make(*, games=4, **terms):
        bench = Bench(games=games, **terms)
        bench.greet(games=games)
        nursery.start_soon(bench.talk.watch)
        return bench

    return make
