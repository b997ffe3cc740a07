"""A real Dask scheduler and real worker processes on loopback, for a test."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.traces import wait_until

DASK = Path(sys.executable).with_name("dask")
PATIENCE_S = 90.0
_QUIET = ("--no-dashboard",)


@dataclass(frozen=True)
class Host:
    """Where a process of the cluster runs: an address, and what puts a command there."""

    address: str = "127.0.0.1"
    wrap: tuple[str, ...] = ()


HERE = Host()


class Cluster:
    """Processes that were started; `stop` ends them."""

    def __init__(
        self, folder: Path, tmp: Path, *, host: Host = HERE, env: dict[str, str] | None = None
    ) -> None:
        self._folder, self._tmp, self.env = folder, tmp, env or {}
        self._file = folder / "scheduler.json"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        protocol = ("--protocol", "tls") if env else ()
        place = ("--host", host.address, "--port", "0", "--scheduler-file", self._file)
        self._start(host, "scheduler", *protocol, *place)
        wait_until(self._has_address, patience_s=PATIENCE_S)
        self.address = json.loads(self._file.read_text())["address"]

    def add_worker(self, host: Host = HERE) -> None:
        """One more worker; it joins when it is up."""
        place = ("--host", host.address, "--local-directory", self._tmp)
        self.workers.append(
            self._start(host, "worker", self.address, "--nthreads", "1", "--no-nanny", *place)
        )

    def kill_worker(self, number: int) -> None:
        """Ends a worker with SIGKILL."""
        self.workers[number].send_signal(signal.SIGKILL)
        self.workers[number].wait(10)

    def stop(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait(10)

    def log(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in self._folder.glob("*.log"))

    def _has_address(self) -> bool:
        try:
            return "address" in json.loads(self._file.read_text())
        except (OSError, ValueError):
            return False

    def _start(self, host: Host, *words: object) -> "subprocess.Popen[bytes]":
        with (self._folder / f"{len(self._processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [*host.wrap, str(DASK), *map(str, words), *_QUIET],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, "TMPDIR": str(self._tmp), **self.env},
                start_new_session=True,
            )
        self._processes.append(process)
        return process


@contextmanager
def open_cluster(folder: Path, tmp: Path, *, workers: int) -> Iterator[Cluster]:
    """A scheduler with workers that are on their way."""
    cluster = Cluster(folder, tmp)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()
