"""Replays sessions as they come, in this process or in several, and tells what differs in order."""

import hashlib
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from tongits_engine import Rules, deck

from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import SessionSetup
from tongits_harness.results.records import SessionRecord
from tongits_harness.verify.claims import Claim, Failure, Place
from tongits_harness.verify.information import InformationAudit
from tongits_harness.verify.replay import replay_session

BATCH = 32
"""Sessions handed to another process at once."""
AHEAD = 4
"""Batches that may wait for each process: bounds the memory."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What every session of a tournament was played by."""

    rules: Rules
    seed: bytes
    games: int
    limits: PlayLimits


@dataclass(frozen=True, slots=True)
class ReplayClaims:
    """What a replay of every session is to show."""

    decks: Claim
    games: Claim
    information: Claim


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with one session."""

    decks: tuple[Failure, ...] = ()
    play: tuple[Failure, ...] = ()
    information: tuple[Failure, ...] = ()
    observations: int = 0
    """How many of them were looked at."""


def check(terms: Terms, record: SessionRecord) -> Findings:
    """Recomputes the decks and, if they are what was played with, the games."""
    if decks := tuple(_wrong_decks(terms, record)):
        return Findings(decks)
    setup = SessionSetup(record.plan, terms.rules, terms.seed, terms.games, terms.limits)
    audit = InformationAudit()
    play = tuple(replay_session(setup, record, audit))
    return Findings((), play, tuple(audit.failures), audit.observations)


def _wrong_decks(terms: Terms, record: SessionRecord) -> Iterator[Failure]:
    match = record.plan.match
    for number, game in enumerate(record.games):
        cards = deck(terms.seed, match.key, number)
        if hashlib.sha256(cards).hexdigest() != game.deck_digest:
            place = Place(match.index, record.plan.seating, number)
            yield Failure(place, "the deck played with is not the shuffle of the seed")


class Replayer:
    """Takes sessions; the claims get what is found, in the same order."""

    def __init__(self, terms: Terms, claims: ReplayClaims, workers: int) -> None:
        self._terms = terms
        self._claims = claims
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._batch: list[SessionRecord] = []
        self._running: deque[Future[list[Findings]]] = deque()

    def add(self, record: SessionRecord) -> None:
        """Replays the session now or soon."""
        self._claims.decks.checked += len(record.games)
        self._claims.games.checked += len(record.games)
        if self._workers < 2:
            self._tell(check(self._terms, record))
            return
        self._batch.append(record)
        if len(self._batch) == BATCH:
            self._send()

    def finish(self) -> None:
        """Waits for what is still being replayed."""
        self._send()
        while self._running:
            self._take()

    def close(self) -> None:
        """Ends the processes, at once if they are not done."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _send(self) -> None:
        if not self._batch:
            return
        if self._pool is None:
            # Started afresh, not forked: a fork would share the open database.
            self._pool = ProcessPoolExecutor(
                self._workers,
                mp_context=get_context("spawn"),
                initializer=_ignore_interrupt,
            )
        self._running.append(self._pool.submit(_check_all, self._terms, self._batch))
        self._batch = []
        if len(self._running) > AHEAD * self._workers:
            self._take()

    def _take(self) -> None:
        for findings in self._running.popleft().result():
            self._tell(findings)

    def _tell(self, findings: Findings) -> None:
        claims = self._claims
        claims.information.checked += findings.observations
        for claim, failures in (
            (claims.decks, findings.decks),
            (claims.games, findings.play),
            (claims.information, findings.information),
        ):
            for failure in failures:
                claim.fail(failure.what, failure.place)


@contextmanager
def open_replayer(terms: Terms, claims: ReplayClaims, *, workers: int) -> Iterator[Replayer]:
    """A replayer with up to so many processes; leaving the block waits for all of them."""
    replayer = Replayer(terms, claims, workers)
    try:
        yield replayer
        replayer.finish()
    finally:
        replayer.close()


def _check_all(terms: Terms, records: Sequence[SessionRecord]) -> list[Findings]:
    return [check(terms, record) for record in records]


def _ignore_interrupt() -> None:
    """Ctrl-C reaches the whole group: who started us deals with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
