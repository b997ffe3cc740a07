"""A stored session found by the words of a command."""

from dataclasses import dataclass
from pathlib import Path

from tongits_harness.errors import ConfigError
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.session import SessionSetup
from tongits_harness.results.game_view import rules_of
from tongits_harness.results.queries import open_reader
from tongits_harness.results.records import SessionRecord, TournamentRecord
from tongits_harness.results.seed import seed_of


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session, its tournament and what its shuffles are made of."""

    record: TournamentRecord
    session: SessionRecord
    seed: bytes

    @property
    def setup(self) -> SessionSetup:
        """How it was played."""
        limits = self.record.settings["limits"]
        return SessionSetup(
            plan=self.session.plan,
            rules=rules_of(self.record),
            seed=self.seed,
            games=len(self.session.games),
            limits=PlayLimits(**limits),  # type: ignore[arg-type]  # as stored by asdict
        )

    def check_game(self, game: int) -> None:
        """Nothing, if the session has that game.

        Raises:
            ConfigError: It has not; names those that it has.
        """
        if not 0 <= game < len(self.session.games):
            raise ConfigError(
                f"there is no game {game}: the session has games 0 to {len(self.session.games) - 1}"
            )


def find_session(
    results: Path, tournament: str | None, match: str, seating: int | None
) -> StoredSession:
    """A session of a match: that of the seating, or the first stored.

    Raises:
        ConfigError: There is none such; names what there is.
    """
    with open_reader(results) as reader:
        record = reader.tournament(tournament)
        sessions = reader.sessions(record.name, reader.find_match(record.name, match))
        by_seating = {session.plan.seating: session for session in sessions}
        if seating is not None and seating not in by_seating:
            stored = ", ".join(map(str, by_seating))
            raise ConfigError(f"seating {seating} of this match is not stored; stored: {stored}")
        session = by_seating[min(by_seating) if seating is None else seating]
        return StoredSession(record, session, seed_of(reader, record, results))
