"""A check as lines of text: the cause first, then what is known of it, then the cure."""

from collections.abc import Iterator

from tongits_harness.check.report import Report, Step, Verdict

_TITLE_WIDTH = 15
_INDENT = " " * 4


def step_lines(step: Step) -> Iterator[str]:
    """A step; nothing for one that waits for another (see `verdict_lines`)."""
    if "waits_for" in step.facts:
        return
    word = step.verdict.upper() if step.verdict is Verdict.FAIL else step.verdict
    yield f"{step.number:2} {step.title:{_TITLE_WIDTH}} {word:4}  {step.summary}"
    if step.cure:
        yield f"{_INDENT}-> {step.cure}"
    for line in step.evidence:
        yield f"{_INDENT}{line}"
    if step.again and step.verdict is not Verdict.OK:
        yield f"{_INDENT}again: {step.again}"


def verdict_lines(report: Report) -> Iterator[str]:
    """The last lines: what was left out, and the verdict with its cause."""
    waiting = [step for step in report.steps if "waits_for" in step.facts]
    if waiting:
        numbers = ", ".join(str(step.number) for step in waiting)
        blockers = sorted({str(step.facts["waits_for"]) for step in waiting})
        yield f"left out: {numbers} (first {' and '.join(blockers)} must pass)"
    name = report.bot.name if report.bot else report.path
    yield f"{name}: {report.verdict} in {report.seconds:.1f} s"
    for step in report.steps:
        if step.verdict is Verdict.FAIL:
            yield f"{_INDENT}{step.number} {step.title}: {step.summary}"
