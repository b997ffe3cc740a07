"""Whether a bot's name could be taken for another's."""

from collections.abc import Iterable

_LOOK_ALIKES = str.maketrans("0123456789i", "olzeasgtbql", "-_.")
"""A digit or letter -> the letter it is read as; no two digits become one, so bot1 is not bot2."""
_PAIRS = {"rn": "m", "vv": "w"}


def likeness(name: str) -> str:
    """What names must differ in that nobody should confuse."""
    text = name.casefold().translate(_LOOK_ALIKES)
    for pair, letter in _PAIRS.items():
        text = text.replace(pair, letter)
    return text


def resembled(name: str, others: Iterable[str]) -> str | None:
    """The first of the other names that this one could be taken for; None if there is none."""
    mine = likeness(name)
    return next((other for other in others if other != name and likeness(other) == mine), None)
