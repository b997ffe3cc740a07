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
from tongits_harness.play.cluster.bundle import cached, unpack
from tongits_harness.play.workers.channel import whole_messages
from tongits_harness.play.workers.messages import (
    SILENCE_S,
    Alive,
    Failed,
    Finished,
    FromWorker,
    Logged,
    MessageError,
    Open,
    Order,
    Play,
    Ready,
    ToWorker,
    Voided,
    to_bytes,
)
from tongits_harness.play.workers.process import WORKER_MODULE

MISSING = "MissingBots"
"""Error of a Failed message whose details name the entrants whose bots are not on the host."""
_SLACK_S = 120.0
_FAREWELL_S = 10.0


def play_batch(batch: bytes) -> bytes:
    """Plays the sessions of a batch; without any it only starts the bots.

    Args:
        batch: Messages to a worker: Open first, then Begin, Know and Play where there is something
            to play.

    Returns:
        The worker's messages: first one that names the host, then Ready, Finished and Voided; or
        in the end Failed, with MISSING and the names of bots that have to be sent here first.
    """
    host, cores, cache = _here()
    said: list[FromWorker] = [Logged("info", "batch", {"host": host})]
    try:
        orders = list(whole_messages(bytearray(batch)))
        opening = _opening(orders)
        bots = {name: cached(bot, cache) for name, bot in opening.order.bots.items()}
        there = {name: bot for name, bot in bots.items() if bot is not None}
        if missing := tuple(sorted(bots.keys() - there.keys())):
            said.append(Failed(MISSING, "bots have to be sent here first", missing))
        else:
            order = replace(opening.order, bots=there, compute_slots=max(1, cores - 1))
            said += _play([replace(opening, order=order), *orders[1:]])
    except TongitsError as error:
        said.append(Failed(type(error).__name__, str(error), error.details))
    return b"".join(map(to_bytes, said))


def keep_bots(order: bytes, names: Sequence[str], bundles: Sequence[bytes]) -> bytes:
    """Unpacks bots on this host, for the batches that come.

    Args:
        order: The Open message that says what they must be.
        names: Entrants whose bots are sent.
        bundles: As `bundle.pack` made them, one for each name.

    Returns:
        Nothing, or a Failed message.
    """
    _, _, cache = _here()
    try:
        opening = _opening(whole_messages(bytearray(order)))
        for name, bundle in zip(names, bundles, strict=True):
            unpack(bundle, opening.order.bots[name], cache)
    except TongitsError as error:
        return to_bytes(Failed(type(error).__name__, str(error), error.details))
    return b""


def _here() -> tuple[str, int, Path]:
    """Where this is: address, cores that this task may use, a folder for bots."""
    from distributed import get_worker

    worker = get_worker()
    cores = max(1, (os.cpu_count() or 1) // max(1, worker.state.nthreads))
    return worker.address, cores, Path(worker.local_directory) / "tongits-bots"


def _opening(messages: "Sequence[ToWorker | FromWorker]") -> Open:
    if not messages or not isinstance(messages[0], Open):
        raise MessageError("a batch begins with open")
    return messages[0]


def _play(messages: "Sequence[ToWorker | FromWorker]") -> list[FromWorker]:
    wanted = sum(len(message.sessions) for message in messages if isinstance(message, Play))
    said: list[FromWorker] = []
    with _program() as (program, stderr):
        for message in _talk(program, messages, _patience_s(_opening(messages).order)):
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
    program: "subprocess.Popen[bytes]",
    messages: "Sequence[ToWorker | FromWorker]",
    patience_s: float,
) -> Iterator[ToWorker | FromWorker]:
    """Gives the program its orders; what it says until it ends or is silent for too long.

    Args:
        program: Which.
        messages: The orders.
        patience_s: Longest time in which nothing but that it is alive need be heard.
    """
    if program.stdin is None or program.stdout is None:
        raise RuntimeError("pipes were asked for")
    with contextlib.suppress(BrokenPipeError):
        program.stdin.write(b"".join(map(to_bytes, messages)))
        program.stdin.flush()
    buffer = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(program.stdout, selectors.EVENT_READ)
        heard = told = time.monotonic()
        while (now := time.monotonic()) - heard < SILENCE_S and now - told < patience_s:
            if not selector.select(1.0):
                continue
            heard = time.monotonic()
            chunk = os.read(program.stdout.fileno(), 1 << 16)
            if not chunk:
                return
            buffer += chunk
            for message in whole_messages(buffer):
                if not isinstance(message, Alive):
                    told = heard
                    yield message


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
