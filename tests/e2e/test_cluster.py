"""A Dask cluster plays what one process would have played, whatever happens to its workers."""

import pytest

from tests.e2e.arena import EXIT_CONFIG, SAMPLES
from tests.e2e.cup import cup, same
from tests.e2e.dask import open_cluster
from tests.e2e.traces import processes_of, wait_until

pytest.importorskip("distributed", reason="pip install 'tongits-arena[cluster]'")
pytestmark = pytest.mark.process
PATIENCE_S = 150.0


def test_a_cluster_that_loses_two_workers_comes_to_the_same(arena, uninterrupted, tmp_path_factory):
    with open_cluster(tmp_path_factory.mktemp("dask"), arena.tmp, workers=2) as cluster:
        running = arena.start("run", cup(arena), "--cluster", cluster.address, "--progress", "none")
        for number in range(2):
            wait_until(lambda: processes_of(arena.tmp), patience_s=PATIENCE_S)
            cluster.add_worker()
            cluster.kill_worker(number)

        done = running.wait(PATIENCE_S)

        assert done.rc == 0, f"{done.err}\n{cluster.log()}"
        same(arena, uninterrupted)
        arena.run("verify", timeout=PATIENCE_S)
    arena.was_killed = True


@pytest.mark.parametrize(
    ("address", "cure"),
    [
        ("tcp://10.1.2.3:8786", "with TLS only"),
        ("127.0.0.1:8786", "is no scheduler's address"),
        ("tcp://127.0.0.1", "is no scheduler's address"),
        ("tcp://127.0.0.1:port", "is no scheduler's address"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(arena, address, cure):
    bots = {name: SAMPLES / name for name in ("random", "greedy", "caller")}
    done = arena.run("run", arena.file(bots), "--cluster", address, code=EXIT_CONFIG)
    assert cure in done.err
    assert address in done.err
    assert not (arena.results / "arena.db").exists()
