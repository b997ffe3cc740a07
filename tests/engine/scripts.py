"""Positions with a script of what is done in them, played by engine and oracle side by side.

A script is a list of steps: an action that is legal and played; ``can ACTION``, legal but not
played; ``no ACTION``, refused with a reason; ``takes: A | B``, all the takes there are;
``no takes``; ``asked 2``, the seat to act; ``opened 0`` and ``sealed 0``.
"""

from dataclasses import dataclass, field

from tests.engine.both import Both


@dataclass
class Case:
    name: str
    script: str
    ends: tuple | None
    rules: str
    overrides: dict
    where: dict = field(default_factory=dict)


def T(name, script, *, ends=None, rules="tongits-lite", overrides=None, **where):
    """A position, what is done in it, and how it ends: (termination, winner, payments)."""
    return Case(name, script, ends, rules, overrides or {}, where)


def follow(table, script):
    """Follow a script, checking what it says on the way."""
    for step in [step.strip() for step in script.split(";") if step.strip()]:
        word, _, rest = step.partition(" ")
        takes = sorted(action for action in table.legal() if action.startswith("take "))
        if step == "no takes":
            assert takes == []
        elif word == "takes:":
            assert takes == sorted("take " + meld.strip() for meld in rest.split("|"))
        elif word == "no":
            assert rest not in table.legal()
            assert table.reason(rest)
        elif word == "can":
            assert rest in table.legal()
            assert table.reason(rest) is None
        elif word == "asked":
            assert table.state.to_act == int(rest)
        elif word in ("opened", "sealed"):
            assert bool(table.state.opened >> int(rest) & 1) is (word == "opened")
        else:
            table.play(step)


def play_out(case):
    """Play a case and check how it ends."""
    table = Both(case.rules, case.overrides, **case.where)
    follow(table, case.script)
    result = table.result()
    ended = result and (result["termination"], result["winner"], result["payments"])
    assert ended == case.ends
