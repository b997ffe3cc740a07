"""The garbage collector of a process that plays: it looks seldom, and not at what stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_YOUNG = 50_000
"""Objects made, less those that went by themselves, between two looks at the young ones."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Within the block objects are counted for longer before cycles among them are looked for.

    A run holds some hundred thousand objects for its whole life, and what it makes for a decision
    has no cycles: at Python's own thresholds a sixth of the harness's time goes into looking.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
