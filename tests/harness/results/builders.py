"""Small builders of session records: chips are what matters, the games behind them are made up."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tongits_harness.faults import Blame, Fault, FaultKind, Phase
from tongits_harness.play.plan import MatchPlan, SessionPlan, sessions_of
from tongits_harness.results.records import (
    EntrantRecord,
    FaultRecord,
    GameRecord,
    SeatRecord,
    SessionRecord,
    TournamentRecord,
)
from tongits_harness.results.secret import commitment

SECRET = bytes(range(32))


def entrant(name: str) -> EntrantRecord:
    return EntrantRecord(
        name=name,
        version=name.encode().hex().ljust(64, "0"),
        declared_version="1.0",
        language="python",
        source=f"bots/{name}",
        manifest={"name": name},
    )


def tournament(
    name: str = "cup",
    entrants: Iterable[str] = ("ana", "ben", "cy"),
    *,
    seatings: int = 3,
    matches: int = 2,
) -> TournamentRecord:
    return TournamentRecord(
        name=name,
        rules="tongits-lite",
        parameters={"layoff.enabled": True},
        settings={"seatings": seatings, "games": 2, "rounds": matches},
        entrants=tuple(entrant(e) for e in sorted(entrants)),
        commitment=commitment(SECRET),
        matches_planned=matches,
        created_at=1_000_000.0,
    )


def match_plan(index: int = 0, entrants: Iterable[str] = ("ana", "ben", "cy")) -> MatchPlan:
    a, b, c = sorted(entrants)
    return MatchPlan(index, f"{index:08x}{'e' * 8}", index, (a, b, c))


def game(chips: Sequence[int]) -> GameRecord:
    a, b, c = chips
    return GameRecord(
        dealer=0,
        deck_digest="d" * 64,
        actions=("draw", "discard 9C"),
        sources="dx",
        elapsed_us=(1500, 0),
        notes={0: "a note"},
        termination="stock_out",
        winner=0,
        deadwood=(1, 2, 3),
        burned=(False, True, False),
        payments=(a, b, c),
        chips=(a, b, c),
        view_digests=("0" * 32, "1" * 32, "2" * 32),
    )


def session(
    plan: SessionPlan,
    chips: Mapping[str, int],
    *,
    forfeits: Iterable[str] = (),
    faults: Iterable[FaultRecord] = (),
    games: int = 1,
    sandbox: str = "full",
) -> SessionRecord:
    """A session in which each entrant won these chips, all in the first of its games."""
    seats = [chips[name] for name in plan.seats]
    a, b, c = (
        SeatRecord(
            entrant=name,
            chips=chips[name],
            forfeited=name in set(forfeits),
            decisions=10,
            latency={40: 9, 52: 1},
            bank_used_us=12_000,
            incarnations=(f"{name}-{plan.seating}",),
        )
        for name in plan.seats
    )
    return SessionRecord(
        plan=plan,
        games=(game(seats), *(game((0, 0, 0)) for _ in range(games - 1))),
        seats=(a, b, c),
        faults=tuple(faults),
        voids=0,
        sandbox=sandbox,
        started_at=1_000_000.0,
        finished_at=1_000_001.0,
    )


def match_sessions(
    plan: MatchPlan,
    chips: Sequence[int],
    *,
    seatings: int = 3,
    forfeits: Iterable[str] = (),
    lost: Iterable[str] = (),
    sandbox: str = "full",
) -> tuple[SessionRecord, ...]:
    """All sessions of a match whose entrants won these chips together; faults lie in the first."""
    first, *rest = sessions_of(plan, seatings)
    won = dict(zip(plan.entrants, chips, strict=True))
    faults = [fault(first, name, process_lost=True) for name in lost]
    none = dict.fromkeys(plan.entrants, 0)
    return (
        session(first, won, forfeits=forfeits, faults=faults, sandbox=sandbox),
        *(session(plan, none, sandbox=sandbox) for plan in rest),
    )


def fault(
    plan: SessionPlan,
    name: str,
    *,
    kind: FaultKind = FaultKind.CRASH,
    charged: bool = True,
    process_lost: bool = False,
) -> FaultRecord:
    return FaultRecord(
        seat=plan.seats.index(name),
        entrant=name,
        game=0,
        step=1,
        charged=charged,
        forfeit=False,
        process_lost=process_lost,
        fault=Fault(
            kind=kind,
            blame=Blame.BOT if charged else Blame.HARNESS,
            phase=Phase.DECISION,
            message="exit status 1 while a decision was owed",
            evidence={
                "exit": 1,
                "stderr": "Traceback\nKeyError: 'x'",
                "argv": ["python", "bot.py"],
            },
        ),
        observation=b"\x01\x02",
    )


def voided(record: SessionRecord, times: int) -> SessionRecord:
    return replace(record, voids=times)
