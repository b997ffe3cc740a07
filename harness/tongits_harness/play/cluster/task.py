"""What runs on a worker of the cluster: bytes in, bytes out.

Every batch is played by a worker program of its own (`play.workers.worker`), which has a main
thread, a sandbox and bots that nobody else has; it ends with the batch, in whatever way.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from tongits_harness.errors import CannotContinueError, TongitsError
from tongits_harness.play.cluster.bundle import unpack
from tongits_harness.play.workers.channel import whole_messages
from tongits_harness.play.workers.messages import (
    Failed,
    Finished,
    FromWorker,
    Logged,
    Open,
    Order,
    Play,
    Ready,
    ToWorker,
    Voided,
    to_bytes,
)
from tongits_harness.play.workers.process import WORKER_MODULE

_SLACK_S = 120.0
_FAREWELL_S = 10.0


def play_batch(batch: bytes, *bundles: bytes) -> bytes:
    """Plays the sessions of a batch; without any it only starts the bots.

    Args:
        batch: Messages to a worker: Open first, then Begin, Know and Play where there is something
            to play.
        bundles: Of the bots, in the order of their names.

    Returns:
        The worker's messages: first one that names the host, then Ready, Finished and Voided, or
        Failed at the end.
    """
    host, cores, cache = _here()
    said: list[FromWorker] = [Logged("info", "batch", {"host": host})]
    try:
        messages = list(_at_home(batch, bundles, cache, cores))
        said += _play(messages)
    except TongitsError as error:
        said.append(Failed(type(error).__name__, str(error), error.details))
    return b"".join(map(to_bytes, said))


def _here() -> tuple[str, int, Path]:
    """Where this is: address, cores that this task may use, a folder for bots."""
    from distributed import get_worker

    worker = get_worker()
    cores = max(1, (os.cpu_count() or 1) // max(1, worker.state.nthreads))
    return worker.address, cores, Path(worker.local_directory) / "tongits-bots"


def _at_home(batch: bytes, bundles: Sequence[bytes], cache: Path, cores: int) -> Iterator[ToWorker]:
    """The messages with bots that lie here, and with the cores that are here."""
    for message in whole_messages(bytearray(batch)):
        if isinstance(message, Open):
            bots = {
                name: unpack(bundle, message.order.bots[name], cache)
                for name, bundle in zip(sorted(message.order.bots), bundles, strict=True)
            }
            slots = max(1, cores - 1)
            yield Open(replace(message.order, bots=bots, compute_slots=slots), message.start)
        else:
            yield message  # type: ignore[misc]  # validated by the worker program


def _play(messages: Sequence[ToWorker]) -> list[FromWorker]:
    wanted = sum(len(message.sessions) for message in messages if isinstance(message, Play))
    order = next(message.order for message in messages if isinstance(message, Open))
    said: list[FromWorker] = []
    with _program() as (program, stderr):
        for message in _talk(program, messages, _patience_s(order)):
            if isinstance(message, Ready | Finished | Voided | Failed | Logged):
                said.append(message)
            wanted -= isinstance(message, Finished)
            if isinstance(message, Failed) or (wanted <= 0 and _is_ready(said)):
                return said
        raise _died(program, stderr)


def _is_ready(said: Sequence[FromWorker]) -> bool:
    return any(isinstance(message, Ready) for message in said)


def _patience_s(order: Order) -> float:
    """Longest time in which nothing need be heard."""
    return _SLACK_S + 3 * order.limits.bank_s + order.limits.start_s * (1 + len(order.bots))


@contextlib.contextmanager
def _program() -> Iterator[tuple["subprocess.Popen[bytes]", IO[bytes]]]:
    with (
        tempfile.TemporaryFile() as stderr,
        subprocess.Popen(
            [sys.executable, "-m", WORKER_MODULE, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        ) as program,
    ):
        try:
            yield program, stderr
            if program.stdin is not None:
                program.stdin.close()
            program.wait(_FAREWELL_S)
        except subprocess.TimeoutExpired:
            pass
        finally:
            program.kill()


def _talk(
    program: "subprocess.Popen[bytes]", messages: Sequence[ToWorker], patience_s: float
) -> Iterator[ToWorker | FromWorker]:
    """Gives the program its orders; what it says until it ends or is silent for too long."""
    if program.stdin is None or program.stdout is None:
        raise RuntimeError("pipes were asked for")
    with contextlib.suppress(BrokenPipeError):
        program.stdin.write(b"".join(map(to_bytes, messages)))
        program.stdin.flush()
    buffer = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(program.stdout, selectors.EVENT_READ)
        heard = time.monotonic()
        while time.monotonic() - heard < patience_s:
            if not selector.select(1.0):
                continue
            heard = time.monotonic()
            chunk = os.read(program.stdout.fileno(), 1 << 16)
            if not chunk:
                return
            buffer += chunk
            yield from whole_messages(buffer)


def _died(program: "subprocess.Popen[bytes]", stderr: IO[bytes]) -> TongitsError:
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(1)
    status = program.poll()
    how = "was silent for too long" if status is None else f"exited with status {status}"
    if status is not None and status < 0:
        how = f"was ended by {signal.Signals(-status).name}"
    stderr.seek(0)
    lines = stderr.read()[-4000:].decode("utf-8", "replace").splitlines()[-20:]
    return CannotContinueError(
        f"the program that played a batch {how}", details=[f"  stderr: {line}" for line in lines]
    )
