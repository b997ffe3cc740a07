"""What `tongits explain` prints: one decision at length, or all of a game in a table."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tongits_engine import deck, replay

from tongits_harness.cli.stored import StoredSession
from tongits_harness.cli.table_view import draw_table
from tongits_harness.errors import BotError
from tongits_harness.text import safe_text
from tongits_harness.verify.opinions import Opinions, Said, agreements
from tongits_harness.verify.situation import Answer, Situation

_SAME = "="


def one_lines(found: StoredSession, opinions: Opinions) -> Iterator[str]:
    """The table as the seat saw it, what was played, what each bot says, where they disagree."""
    at, seats = opinions.at, found.session.plan.seats
    yield _heading(found, at.game) + f" · decision {at.step}"
    yield ""
    yield from _table(found, at)
    yield ""
    yield f"{len(at.legal)} choices: {' | '.join(at.legal)}"
    yield f"{seats[at.seat]} played: {at.stored}"
    yield ""
    width = max(map(len, opinions.said), default=0)
    for bot, said in opinions.said.items():
        yield from _said_lines(f"{bot:{width}}", said, at.stored)
    if len(opinions.said) > 1:
        yield ""
        yield _verdict(opinions.leading)


def all_lines(found: StoredSession, game: int, opinions: Sequence[Opinions]) -> Iterator[str]:
    """Decisions where the bots do not all say the same, and how often each two agree."""
    yield _heading(found, game)
    yield ""
    differing = [one for one in opinions if not one.is_unanimous]
    rows = [_row(found, one) for one in differing]
    if rows:
        header = ("step", "seat", "phase", "played", *differing[0].leading)
        yield from _columns([header, *rows])
        yield f"{_SAME} as played"
        yield ""
    yield f"{len(differing)} of {len(opinions)} decisions differ"
    for pair in agreements(opinions):
        share = f" ({pair.same / pair.decisions:.0%})" if pair.decisions else ""
        yield f"{pair.first} and {pair.second} agree in {pair.same} of {pair.decisions}{share}"


def failure_lines(failed: Mapping[str, BotError]) -> Iterator[str]:
    """Bots that could not be asked, with the reason."""
    for error in failed.values():
        yield f"not asked: {error}"
        yield from (f"  {safe_text(line)}" for line in error.details)


def document(
    found: StoredSession, game: int, opinions: Sequence[Opinions], failed: Mapping[str, BotError]
) -> dict[str, object]:
    """The document of `--json`; keys may be added, only at the end."""
    plan = found.session.plan
    return {
        "tournament": found.record.name,
        "match": plan.match.key,
        "index": plan.match.index,
        "seating": plan.seating,
        "game": game,
        "rules": found.record.rules,
        "seats": list(plan.seats),
        "decisions": [_decision(found, one) for one in opinions],
        "agreement": [
            {"a": pair.first, "b": pair.second, "same": pair.same, "decisions": pair.decisions}
            for pair in agreements(opinions)
        ],
        "not_asked": {name: [str(error), *error.details] for name, error in failed.items()},
    }


def _decision(found: StoredSession, one: Opinions) -> dict[str, object]:
    at = one.at
    return {
        "step": at.step,
        "seat": at.seat,
        "entrant": found.session.plan.seats[at.seat],
        "turn": at.turn,
        "phase": at.phase,
        "hand": at.hand,
        "top": at.top,
        "legal": list(at.legal),
        "played": at.stored,
        "unanimous": one.is_unanimous,
        "answers": {bot: [_answer(answer) for answer in said] for bot, said in one.said.items()},
    }


def _answer(answer: Answer) -> dict[str, object]:
    fault = answer.fault
    return {
        "answer": answer.text,
        "fault": None if fault is None else fault.kind.value,
        "think_ms": answer.elapsed_us / 1000,
        "note": answer.note,
        "evidence": None if fault is None else dict(fault.evidence),
    }


def _heading(found: StoredSession, game: int) -> str:
    plan = found.session.plan
    return (
        f"{found.record.name} · match #{plan.match.index} {plan.match.key} · seating {plan.seating}"
        f" · game {game} of {len(found.session.games)} · {found.record.rules}"
    )


def _table(found: StoredSession, at: Situation) -> list[str]:
    """The table before the decision, as its seat saw it."""
    played, plan = found.session.games[at.game], found.session.plan
    cards = deck(found.seed, plan.match.key, at.game)
    steps = replay(found.setup.rules, cards, played.dealer, played.actions[: at.step + 1])
    *_, last = steps
    return draw_table(last.before, plan.seats, viewer=at.seat)


def _said_lines(label: str, said: Said, stored: str) -> Iterator[str]:
    counted = Counter(answer.text for answer in said)
    for text, count in counted.most_common():
        answer = next(answer for answer in said if answer.text == text)
        times = f"{count} of {len(said)}" if len(said) > 1 else f"{answer.elapsed_us / 1000:.1f} ms"
        as_played = "  as played" if text == stored else ""
        yield f"{label}  {text:28} {times:>12}{as_played}".rstrip()
        if answer.note:
            yield f"{'':{len(label)}}  note: {safe_text(answer.note)}"
        label = " " * len(label)


def _verdict(leading: Mapping[str, str]) -> str:
    by_answer: dict[str, list[str]] = {}
    for bot, text in leading.items():
        by_answer.setdefault(text, []).append(bot)
    if len(by_answer) == 1:
        return f"all agree: {next(iter(by_answer))}"
    parts = [f"{text} ({', '.join(bots)})" for text, bots in by_answer.items()]
    return f"they disagree: {'; '.join(parts)}"


def _row(found: StoredSession, one: Opinions) -> tuple[str, ...]:
    at = one.at
    seat = f"{at.seat} {found.session.plan.seats[at.seat]}"
    answers = (_SAME if text == at.stored else text for text in one.leading.values())
    return (str(at.step), seat, at.phase, at.stored, *answers)


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
