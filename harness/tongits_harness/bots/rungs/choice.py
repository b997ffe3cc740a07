"""The highest rung that works here, found by starting a program in a group of each."""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tongits_harness.bots.limits import Limits
from tongits_harness.bots.rungs.base import Rung, RungUnavailableError
from tongits_harness.bots.rungs.places import Places, find_places
from tongits_harness.bots.rungs.rlimits import RlimitsRung
from tongits_harness.bots.rungs.scope import open_scopes
from tongits_harness.bots.rungs.version1 import open_version1
from tongits_harness.bots.rungs.version2 import open_bare, open_delegated

_LIMIT_S = 10.0
_JOINED = b"/tongits-bot-"
Opening = tuple[str, Callable[[Places], Rung]]

ENFORCING: tuple[Opening, ...] = (
    ("cgroup v2, delegated", open_delegated),
    ("systemd user scopes", open_scopes),
    ("cgroup v1", open_version1),
)
"""Rungs that hold memory and processes, best first."""
OTHERS: tuple[Opening, ...] = (("cgroup v2 without controllers", open_bare),)


@dataclass(frozen=True, slots=True)
class Choice:
    """The rung to use, and why it is none above it."""

    rung: Rung
    passed_over: tuple[tuple[str, str], ...]
    """Name and reason of each higher rung."""


def choose_rung(
    *, enforcing: bool = True, ladder: Sequence[Opening] | None = None, places: Places | None = None
) -> Choice:
    """Goes down the ladder until a rung works; rlimits always do.

    Args:
        enforcing: False leaves out the rungs that hold memory.
        ladder: What to try in place of all that are known.
        places: Where our groups are; found by default.
    """
    if ladder is None:
        ladder = (*ENFORCING, *OTHERS) if enforcing else OTHERS
    places = places or find_places()
    passed_over = []
    for name, opening in ladder:
        try:
            rung = opening(places)
            _try(rung)
        except (RungUnavailableError, OSError) as error:
            passed_over.append((name, str(error)))
        else:
            return Choice(rung, tuple(passed_over))
    return Choice(RlimitsRung(), tuple(passed_over))


def _try(rung: Rung) -> None:
    """Starts a program in a group and looks whether it is there."""
    group = rung.open(Limits())
    try:
        argv, env = group.join.command(("/bin/cat", "/proc/self/cgroup"), {})
        done = subprocess.run(
            argv, env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=_LIMIT_S,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RungUnavailableError(f"no answer within {_LIMIT_S:.0f} s") from None
    finally:
        group.close()
    if _JOINED not in done.stdout:
        told = done.stderr.decode(errors="replace").strip().splitlines() or ["it did not join"]
        raise RungUnavailableError(f"a program could not join its group: {told[0]}")
