"""Verifies one stored tournament: walks its schedule once and looks at everything on the way."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from pathlib import Path

from tongits_harness.errors import CannotContinueError, ConfigError, TongitsError
from tongits_harness.play.limits import FAULT_POLICY, PlayLimits
from tongits_harness.play.plan import MatchPlan
from tongits_harness.play.schedule import round_robin
from tongits_harness.results.connection import DamagedRecordError
from tongits_harness.results.figures import SeatFigures
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.leaderboard import read_leaderboard
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import SessionRecord, TournamentRecord
from tongits_harness.results.secret import is_committed, load_secret, tournament_seed
from tongits_harness.verify.claims import Claim, Place, Verification
from tongits_harness.verify.replayer import Replayer, Terms, open_replayer
from tongits_harness.verify.standings import check_standings
from tongits_harness.verify.stored import Matches, MatchRows, Processes, Schedule

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
        self._decks = Claim("decks", "every deck is the shuffle of the seed", "games")
        self._games = Claim(
            "games", "every game replays to what is stored, to the byte each seat saw", "games"
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
            self._database, self._secret, self._decks, self._games, self._chips, self._standings,
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

    def _walk(self, workers: int) -> None:
        if len(self._reader.stored_sessions(self._record.name)) < WORTH_PROCESSES:
            workers = 1
        seed = self._seed()
        if seed is None:
            self._decks.skipped = self._games.skipped = "there is no secret"
            self._follow(None)
            return
        terms = Terms(
            rules=rules_of(self._record),
            seed=seed,
            games=int(str(self._record.settings["games"])),
            limits=_limits(self._record),
        )
        with open_replayer(terms, self._decks, self._games, workers=workers) as replayer:
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
        rows = _match_rows(self._reader, self._record.name)
        stored = _Stored(self._records())
        for plan in self._plans(names):
            schedule.unplanned(stored.before(plan.index))
            sessions = stored.of(plan.index)
            schedule.check(plan, sessions, is_barred=matches.is_barred(plan))
            processes.check(sessions)
            matches.check(plan.index, sessions, rows.pop(plan.index, None))
            if replayer is not None:
                for record in sessions:
                    replayer.add(record)
        schedule.unplanned(stored.before(None))
        for index in rows:
            self._chips.fail("it is stored, but not planned", Place(index))
        check_standings(self._standings, read_leaderboard(self._reader, self._record.name), matches)
        if not self._reader.is_checkpoint_true(self._record):
            self._standings.fail("the stored checkpoint is not what the stored matches give")

    def _plans(self, names: list[str]) -> Iterator[MatchPlan]:
        rounds = int(str(self._record.settings["rounds"]))
        plans = round_robin(self._record.name, names, rounds)
        return islice(plans, self._record.matches_planned)

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


class _Stored:
    """Sessions grouped by match, taken in schedule order."""

    def __init__(self, records: Iterable[SessionRecord]) -> None:
        self._groups = (
            (index, list(group))
            for index, group in groupby(records, key=lambda record: record.plan.match.index)
        )
        self._next = next(self._groups, None)

    def before(self, index: int | None) -> list[SessionRecord]:
        """Takes what comes before this match; all that is left for None."""
        passed: list[SessionRecord] = []
        while self._next is not None and (index is None or self._next[0] < index):
            passed += self._next[1]
            self._next = next(self._groups, None)
        return passed

    def of(self, index: int) -> list[SessionRecord]:
        """Takes the sessions of this match, if it is the next."""
        if self._next is None or self._next[0] != index:
            return []
        _, sessions = self._next
        self._next = next(self._groups, None)
        return sessions


def _match_rows(reader: ResultsReader, name: str) -> dict[int, MatchRows]:
    levels = reader.sandbox_levels(name)
    figures: dict[int, tuple[SeatFigures, ...]] = {
        index: tuple(group)
        for index, group in groupby(reader.seat_figures(name), key=lambda figure: figure.index)
    }
    return {
        match.index: MatchRows(match, levels[match.index], figures[match.index])
        for match in reader.matches(name)
    }


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
