"""The seed of a stored tournament: from the published secret, or from the file that holds it."""

from pathlib import Path

from tongits_harness.errors import ConfigError
from tongits_harness.results.queries import ResultsReader
from tongits_harness.results.records import TournamentRecord
from tongits_harness.results.secret import is_committed, load_secret, tournament_seed


def seed_of(reader: ResultsReader, record: TournamentRecord, results: Path) -> bytes:
    """The 256-bit seed of all shuffles of a tournament.

    Raises:
        ConfigError: The secret is missing, or is not the one committed to.
    """
    published = reader.progress(record.name).secret
    secret = bytes.fromhex(published) if published else load_secret(results, record.name)
    if not is_committed(secret, record.commitment):
        raise ConfigError(
            f"the secret of tournament {record.name!r} is not the one committed to: restore"
            f" {results / 'secret' / record.name}"
        )
    return tournament_seed(secret, [entrant.version for entrant in record.entrants])
