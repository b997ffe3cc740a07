"""A fault for the author of a bot: what was asked, what came, why it is wrong, what to do."""

import textwrap
from collections.abc import Iterator, Mapping

from tongits_engine import (
    EngineError,
    State,
    cards_of,
    legal_actions,
    parse_action,
    why_illegal,
)

from tongits_harness.cli.table_view import WIDTH, hand_text
from tongits_harness.faults import FaultKind
from tongits_harness.play.tournament import fault_lines
from tongits_harness.results.records import FaultRecord
from tongits_harness.text import safe_text

_LONGEST = 200
"""Characters shown of one line that a bot has printed."""
CURES: Mapping[FaultKind, str] = {
    FaultKind.TIMEOUT: "answer sooner; --no-timeout or --attach shows what takes so long",
    FaultKind.CRASH: "mend what its stderr tells; --attach runs it in a debugger",
    FaultKind.ILLEGAL_ACTION: "choose one of the legal actions above, by its number from 0",
    FaultKind.BAD_MESSAGE: "send what protos/tongits/v1/table.proto says, nothing else",
    FaultKind.NO_HANDSHAKE: "say Hello with TONGITS_TOKEN within the start limit",
    FaultKind.RESOURCE_LIMIT: "use less, or ask for memory in its bot.toml",
    FaultKind.HARNESS: "none: this machine was at fault, nothing is charged",
}


def fault_line(record: FaultRecord) -> str:
    """Who did what where, and what follows; begins with an exclamation mark."""
    forfeit = "forfeits: the fallback player plays on" if record.forfeit else "charged"
    fault = record.fault
    return (
        f"! {fault.kind} of seat {record.seat} {record.entrant}, game {record.game} step"
        f" {record.step} ({forfeit}): {safe_text(fault.message)}"
    )


def evidence_lines(record: FaultRecord, state: State | None) -> Iterator[str]:
    """All that is known of it; `state` is the game at that moment."""
    evidence = record.fault.evidence
    if state is not None:
        hand = hand_text(state.rules, cards_of(state.hands[state.to_act]))
        yield f"    asked: turn {state.turn}, phase {state.phase.text}, hand {hand}"
        yield from _indented(f"legal: {_legal(state)}")
    if answer := evidence.get("answer"):
        yield from _indented(f"answer: {' '.join(safe_text(str(answer), lines=True).split())}")
    if state is not None and (reason := _why(state, evidence.get("action"))):
        yield from _indented(f"why: {reason}")
    if "argv" in evidence:
        for line in fault_lines(record.entrant, record.fault)[1:]:
            yield f"  {line[:_LONGEST]}"
    yield f"    cure: {CURES[record.fault.kind]}"


def _legal(state: State) -> str:
    return " | ".join(f"{n} {action.text}" for n, action in enumerate(legal_actions(state)))


def _why(state: State, action: object) -> str:
    if not isinstance(action, str):
        return ""
    try:
        illegal = why_illegal(state, parse_action(action))
    except EngineError as error:
        return str(error)
    return f"{illegal.reason} ({illegal.rule})" if illegal else ""


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 1, initial_indent="    ", subsequent_indent="      ")
