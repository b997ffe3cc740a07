"""What a command says beside its data, on stderr: it goes on where nobody can hear it any more."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def say(*lines: str) -> None:
    """Lines on stderr; a closed terminal or a full disk behind it stops nothing."""
    with suppress(OSError, ValueError):
        for line in lines:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()


@contextmanager
def heard_or_not() -> Iterator[None]:
    """For data on stdout that is stored anyway: a closed terminal is no failure."""
    try:
        yield
        sys.stdout.flush()
    except OSError:
        # What is still buffered would fail again when the interpreter ends.
        with suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)
