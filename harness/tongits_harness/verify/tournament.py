"""Verifies one stored tournament: walks its schedule once and looks at everything on the way."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby
from pathlib import Path
from typing import Generic, TypeVar

from tongits_harness.errors import CannotContinueError, ConfigError, TongitsError
from tongits_harness.play.limits import FAULT_POLICY, PlayLimits
from tongits_harness.play.plan import MatchPlan
from tongits_harness.results.connection import DamagedRecordError
from tongits_harness.results.figures import MatchRows
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.leaderboard import read_leaderboard
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import SessionRecord, TournamentRecord
from tongits_harness.results.secret import is_committed, load_secret, tournament_seed
from tongits_harness.verify.claims import Claim, Place, Verification
from tongits_harness.verify.replayer import ReplayClaims, Replayer, Terms, open_replayer
from tongits_harness.verify.stages import check_stages, schedule_of
from tongits_harness.verify.standings import check_standings
from tongits_harness.verify.stored import Matches, Processes, Schedule

T = TypeVar("T")
WORTH_PROCESSES = 400
"""Sessions from which starting processes pays."""


def verify_tournament(
    reader: ResultsReader, results: Path, name: str | None, *, workers: int
) -> Verification:
    """Everything that is stored of a tournament, made again and compared.

    Args:
        reader: The open results.
        results: Their folder; the secret of an unfinished tournament lies there.
        name: Which tournament; None for the latest.
        workers: Processes that may replay games at the same time.

    Raises:
        ConfigError: No such tournament, or one of a version that played by other policies.
        CannotContinueError: The database is damaged so that it cannot be read.
    """
    record = reader.tournament(name)
    return _Verifier(reader, results, record).verify(workers)


class _Verifier:
    def __init__(self, reader: ResultsReader, results: Path, record: TournamentRecord) -> None:
        self._reader, self._results, self._record = reader, results, record
        self._is_finished = reader.progress(record.name).is_finished
        self._seatings = int(str(record.settings["seatings"]))
        self._database = Claim("database", "the file is sound")
        self._secret = Claim("secret", "the secret is the one committed to before play")
        self._replays = ReplayClaims(
            decks=Claim("decks", "every deck is the shuffle of the seed", "games"),
            games=Claim(
                "games", "every game replays to what is stored, to the byte each seat saw", "games"
            ),
            information=Claim(
                "information", "no seat was told of a card that it cannot see", "observations"
            ),
        )
        self._chips = Claim("chips", "chips, places and matches add up", "matches")
        self._standings = Claim(
            "standings", "suspensions, ratings and leaderboard follow from the matches", "entrants"
        )
        self._processes = Claim(
            "processes", "no process met a deck twice, each had one bot and seating", "processes"
        )
        self._schedule = Claim("schedule", "what is stored is what was planned", "matches")

    def verify(self, workers: int) -> Verification:
        claims = (
            self._database, self._secret, *self._replayed(), self._chips, self._standings,
            self._processes, self._schedule,
        )  # fmt: skip
        for problem in self._reader.integrity_problems():
            self._database.fail(problem)
        damage = self._database.failures[0].what if self._database.failed else None
        if damage is not None:
            for claim in claims[1:]:
                claim.skipped = "the database is damaged"
        else:
            self._walk(workers)
        return Verification(self._record.name, self._is_finished, claims, damage)

    def _replayed(self) -> tuple[Claim, Claim, Claim]:
        return self._replays.decks, self._replays.games, self._replays.information

    def _walk(self, workers: int) -> None:
        if self._reader.progress(self._record.name).sessions < WORTH_PROCESSES:
            workers = 1
        seed = self._seed()
        if seed is None:
            for claim in self._replayed():
                claim.skipped = "there is no secret"
            self._follow(None)
            return
        terms = Terms(
            rules=rules_of(self._record),
            seed=seed,
            games=int(str(self._record.settings["games"])),
            limits=_limits(self._record),
        )
        with open_replayer(terms, self._replays, workers=workers) as replayer:
            self._follow(replayer)

    def _seed(self) -> bytes | None:
        """The seed that the secret gives, even if it is not the one committed to."""
        published = self._reader.progress(self._record.name).secret
        self._secret.checked = 1
        try:
            secret = (
                load_secret(self._results, self._record.name)
                if published is None
                else bytes.fromhex(published)
            )
        except (TongitsError, ValueError) as error:
            self._secret.fail(str(error))
            return None
        if not is_committed(secret, self._record.commitment):
            self._secret.fail("the secret is not the one committed to")
        return tournament_seed(secret, (entrant.version for entrant in self._record.entrants))

    def _follow(self, replayer: Replayer | None) -> None:
        """Walks the schedule and the stored matches side by side."""
        names = [entrant.name for entrant in self._record.entrants]
        schedule = Schedule(self._schedule, self._seatings, is_finished=self._is_finished)
        processes = Processes(self._processes)
        matches = Matches(self._chips, names, self._seatings)
        rows = _InOrder(self._reader.match_rows(self._record.name), lambda row: row.result.index)
        stored = _InOrder(_by_match(self._records()), lambda group: group[0].plan.match.index)
        for plan in self._plans():
            schedule.unplanned(chain.from_iterable(stored.before(plan.index)))
            for row in rows.before(plan.index):
                self._unplanned(row)
            sessions = stored.of(plan.index) or []
            schedule.check(plan, sessions, is_barred=matches.is_barred(plan))
            processes.check(sessions)
            matches.check(plan.index, sessions, rows.of(plan.index))
            if replayer is not None:
                for record in sessions:
                    replayer.add(record)
        schedule.unplanned(chain.from_iterable(stored.before(None)))
        for row in rows.before(None):
            self._unplanned(row)
        check_stages(self._schedule, self._reader, self._record)
        check_standings(self._standings, read_leaderboard(self._reader, self._record.name), matches)
        if not self._reader.is_checkpoint_true(self._record):
            self._standings.fail("the stored checkpoint is not what the stored matches give")

    def _unplanned(self, row: MatchRows) -> None:
        self._chips.fail("it is stored, but not planned", Place(row.result.index))

    def _plans(self) -> Iterator[MatchPlan]:
        return schedule_of(self._record).plans_from(0, self._reader.stages(self._record.name))

    def _records(self) -> Iterator[SessionRecord]:
        """Stored sessions in schedule order; what cannot be read is told and left out."""
        sessions = self._reader.sessions(self._record.name)
        while True:
            try:
                yield next(sessions)
            except StopIteration:
                return
            except DamagedRecordError as error:
                self._database.fail(error.what, Place(error.match, error.seating))


class _InOrder(Generic[T]):
    """Things in schedule order, taken by the match they belong to."""

    def __init__(self, things: Iterable[T], index_of: Callable[[T], int]) -> None:
        self._things = iter(things)
        self._index_of = index_of
        self._next = next(self._things, None)

    def before(self, index: int | None) -> Iterator[T]:
        """Takes what comes before this match; all that is left for None."""
        while self._next is not None and (index is None or self._index_of(self._next) < index):
            yield self._take(self._next)

    def of(self, index: int) -> T | None:
        """Takes what belongs to this match, if it is the next."""
        if self._next is None or self._index_of(self._next) != index:
            return None
        return self._take(self._next)

    def _take(self, taken: T) -> T:
        self._next = next(self._things, None)
        return taken


def _by_match(records: Iterable[SessionRecord]) -> Iterator[list[SessionRecord]]:
    for _, group in groupby(records, key=lambda record: record.plan.match.index):
        yield list(group)


def _limits(record: TournamentRecord) -> PlayLimits:
    policy = record.settings.get("fault_policy", FAULT_POLICY)
    if policy != FAULT_POLICY:
        raise ConfigError(
            f"tournament {record.name!r} was played by fault policy {policy!r}, this version knows"
            f" {FAULT_POLICY!r}: verify it with the version that played it"
        )
    limits = record.settings.get("limits", {})
    if not isinstance(limits, Mapping):
        raise CannotContinueError(f"the settings of tournament {record.name!r} are damaged")
    return PlayLimits(**limits)
