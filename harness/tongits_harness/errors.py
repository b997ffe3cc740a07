"""What a person did wrong or the machine cannot do: one line that names the thing and the cure.

Misbehaviour of a bot is not here: that is a value (`faults.Fault`). A bug of ours is any other
exception.
"""

from collections.abc import Sequence

EXIT_BOT = 1
EXIT_USAGE = 2
EXIT_CONFIG = 3
EXIT_NO_SANDBOX = 69
EXIT_TEMPORARY = 75
EXIT_INTERRUPTED = 130


class TongitsError(Exception):
    """A user-facing error; the command line prints its text and exits with `exit_code`.

    The text is one line that names the thing and the cure; `details` are evidence below it.
    """

    exit_code = EXIT_CONFIG

    def __init__(self, message: str, *, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.details = tuple(details)


class UsageError(TongitsError):
    """The command was called with words that do not fit."""

    exit_code = EXIT_USAGE


class ConfigError(TongitsError):
    """A tournament file, a manifest or a stored run has a value that cannot be used."""

    exit_code = EXIT_CONFIG


class BotError(TongitsError):
    """A bot or a check failed before any match was played."""

    exit_code = EXIT_BOT


class SandboxUnavailableError(TongitsError):
    """No sandbox of the wanted level can be made on this machine."""

    exit_code = EXIT_NO_SANDBOX


class CannotContinueError(TongitsError):
    """Something outside must change first: disk full, another run, a newer database."""

    exit_code = EXIT_TEMPORARY
