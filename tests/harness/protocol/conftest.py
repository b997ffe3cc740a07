"""A conversation of its own for every test."""

import pytest

from tests.harness.protocol.bench import Bench


@pytest.fixture
def open_bench(nursery):
    """A conversation past its handshake, its clock watched; the test takes `autojump_clock`."""

    def make(*, games=4, **terms):
        bench = Bench(games=games, **terms)
        bench.greet(games=games)
        nursery.start_soon(bench.talk.watch)
        return bench

    return make
