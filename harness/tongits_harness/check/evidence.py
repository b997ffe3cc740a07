"""A fault in an author's words: what happened, where, what is known of the process, the cure."""

import re
import shlex
from collections.abc import Iterator, Mapping

from tongits_harness.faults import Fault, FaultKind, Phase
from tongits_harness.text import safe_text

_STDERR_LINES = 20
_LINE_LENGTH = 240
_MISSING_MODULE = re.compile(r"No module named '([\w.]+)'")
_MISSING_FILE = re.compile(r"can't open file '([^']+)'|Cannot find module '([^']+)'")
_NO_PROGRAM = re.compile(r"execvp ?:? ?(\S+): No such file|^(\S+): No such file", re.MULTILINE)
_NO_EXECUTE = re.compile(r"(\S+): Permission denied", re.MULTILINE)
_GLIBC = re.compile(r"version `(GLIBC\w*_[\d.]+)' not found|error while loading shared libraries")


def fault_summary(fault: Fault) -> str:
    """One line: the kind, what happened, and the bot's own last word where it died of it."""
    last = _last_words(fault)
    words = f"{fault.kind} in phase {fault.phase}: {fault.message}"
    died = fault.kind in {FaultKind.CRASH, FaultKind.NO_HANDSHAKE, FaultKind.RESOURCE_LIMIT}
    return f"{words}; its last words: {last}" if last and died else words


def fault_lines(fault: Fault, *, where: str = "", asked: str = "") -> tuple[str, ...]:
    """All that is known of it, a line each."""
    return tuple(_lines(fault, where, asked))


def _lines(fault: Fault, where: str, asked: str) -> Iterator[str]:
    if where:
        yield f"where: {where}"
    yield from process_lines(fault.evidence)
    if asked:
        yield f"asked: {asked}"
    if answer := str(fault.evidence.get("answer") or ""):
        yield f"answered: {' '.join(answer.split())[:200]}"


def process_lines(evidence: Mapping[str, object]) -> tuple[str, ...]:
    """What is known of a process: argv, exit, limits, the end of what it printed."""
    return tuple(_process_lines(evidence))


def _process_lines(evidence: Mapping[str, object]) -> Iterator[str]:
    argv = evidence.get("argv")
    if isinstance(argv, list):
        yield f"argv: {shlex.join(map(str, argv))}; exit: {evidence.get('exit')}"
    if limits := _limits(evidence):
        yield f"limits: {limits}"
    stderr = str(evidence.get("stderr") or "").strip()
    for line in stderr.splitlines()[-_STDERR_LINES:]:
        yield f"stderr: {_cut(line)}"
    if not stderr and argv:
        yield "stderr: (nothing was written)"
        for line in str(evidence.get("stdout") or "").strip().splitlines()[-5:]:
            yield f"stdout: {_cut(line)}"


def _cut(line: str) -> str:
    more = len(line) - _LINE_LENGTH
    return f"{line[:_LINE_LENGTH]} [... {more} more characters]" if more > 0 else line


def _limits(evidence: Mapping[str, object]) -> str:
    words = []
    if limit := evidence.get("limit_hit"):
        words.append(f"{limit} limit was reached")
    if isinstance(limit_ms := evidence.get("limit_ms"), int | float):
        words.append(f"{limit_ms:.0f} ms allowed")
    if isinstance(peak := evidence.get("memory_peak_kib"), int):
        words.append(f"memory peak {peak / 1024:.0f} MiB")
    if isinstance(cpu := evidence.get("cpu_ms"), int):
        words.append(f"{cpu / 1000:.1f} s of CPU used")
    return ", ".join(words)


def _last_words(fault: Fault) -> str:
    """The last line of stderr that says something: of a traceback, the exception."""
    lines = [line for line in str(fault.evidence.get("stderr") or "").splitlines() if line.strip()]
    return safe_text(lines[-1].strip())[:160] if lines else ""


def fault_cure(fault: Fault) -> str:
    """What its author can do about it."""
    stderr = str(fault.evidence.get("stderr") or "")
    if fault.kind in {FaultKind.NO_HANDSHAKE, FaultKind.CRASH} and (known := _known(stderr)):
        return known
    match fault.kind:
        case FaultKind.NO_HANDSHAKE:
            return _start_cure(fault)
        case FaultKind.CRASH:
            return _crash_cure(fault, stderr)
        case FaultKind.TIMEOUT:
            return (
                "think less, or look at `time_left` and answer in time; a bot that hangs for ever "
                "is stopped after ten limits"
            )
        case FaultKind.ILLEGAL_ACTION:
            return (
                "answer with one of the request's legal actions: its number in `legal` (from 0), "
                "or the action as it stands there"
            )
        case FaultKind.BAD_MESSAGE:
            return (
                "use the SDK, or read protos/tongits/v1/table.proto: one Hello, then one Decision "
                "for each request, with its decision_id, in messages of at most 64 KiB"
            )
        case FaultKind.RESOURCE_LIMIT:
            return _limit_cure(str(fault.evidence.get("limit_hit")))
        case _:
            return "not the bot's doing: run the check again while the machine is less busy"


def _known(stderr: str) -> str:
    """The cure for a message that interpreters and loaders are known for."""
    if found := _MISSING_MODULE.search(stderr):
        return (
            f"the Python package {found[1].partition('.')[0]} is not in the sandbox: only the "
            "standard library, grpc, google.protobuf and tongits_bot are; copy what else it needs "
            "(pure Python) into the bot's folder"
        )
    if found := _MISSING_FILE.search(stderr):
        name = safe_text(found[1] or found[2])
        return f"{name} is not in the bot's folder: correct `run` in bot.toml, or add the file"
    if found := _NO_PROGRAM.search(stderr):
        name = safe_text(found[1] or found[2])
        return (
            f"the program {name} is neither in the bot's folder nor on the sandbox's PATH: correct "
            "`run` in bot.toml (a program of the folder is written ./name), or build it"
        )
    if found := _NO_EXECUTE.search(stderr):
        return f"make it executable: chmod +x {safe_text(found[1])}"
    if _GLIBC.search(stderr):
        return "it was compiled on another system: let `build` in bot.toml compile it here"
    return ""


def _start_cure(fault: Fault) -> str:
    if "protocol version" in fault.message:
        return "the bot was made for another version of the protocol: build it with this SDK"
    if "token" in fault.message:
        return "put the value of the environment variable TONGITS_TOKEN into Hello.token"
    if "start limit" in fault.message:
        if fault.phase is Phase.WARM_UP:
            return "answer each request; do long preparations before Hello or bit by bit in games"
        return (
            "it ran and never sent its Hello: dial TONGITS_ADDRESS, call tongits.v1.Table/Play, "
            "send Hello first (the SDK does it in `serve`); prepare less before that"
        )
    if _is_error(str(fault.evidence.get("stderr") or "")):
        return _MEND
    return "it ended before its Hello: let it dial TONGITS_ADDRESS and stay until the stream ends"


_MEND = "mend the error that its last lines on stderr tell of"


def _is_error(stderr: str) -> bool:
    """Whether it holds what a runtime prints when a program dies of an error."""
    return any(word in stderr for word in ("Traceback", "panic", "Exception", "Error"))


def _crash_cure(fault: Fault, stderr: str) -> str:
    if _is_error(stderr):
        return _MEND
    if "SIG" in fault.message:
        return "a native crash: build with debugging symbols or a sanitizer and play it locally"
    return "let it play until its stream ends: it left while it was still needed"


def _limit_cure(limit: str) -> str:
    match limit:
        case "memory":
            return "use less memory, or ask for more with `memory` in bot.toml (MiB)"
        case "processes":
            return "start fewer processes and threads: 64 together are allowed"
        case "cpu":
            return "compute less: its CPU seconds are used up"
        case _:
            return "stay within the limits that sample_bots/README.md states"
