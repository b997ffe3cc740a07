"""Errors of the engine: a mistake in what the caller gave, said in one line."""


class EngineError(ValueError):
    """Anything a caller can get wrong when using the engine."""


class RulesError(EngineError):
    """A variant or parameter that does not exist, or a value that has no meaning."""


class DeckError(EngineError):
    """A deck that is not 52 distinct cards, or a dealer who is not a seat."""


class InvalidCard(EngineError):  # noqa: N818 - named like the other thing a text can be
    """A text that is no card."""


class InvalidAction(EngineError):  # noqa: N818
    """A text that is no action, or not in its canonical form."""


class IllegalActionError(EngineError):
    """An action that the rules do not allow in this state."""


class PositionError(EngineError):
    """A test position that contradicts itself."""
