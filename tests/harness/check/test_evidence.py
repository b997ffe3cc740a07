"""What an author is told of a fault: the cause in the first line, and a cure that fits it."""

import pytest
from tongits_harness.check.evidence import fault_cure, fault_lines, fault_summary
from tongits_harness.faults import Blame, Fault, FaultKind, Phase


def fault(kind, message="the process exited with status 1", *, phase=Phase.DECISION, **evidence):
    return Fault(kind, Blame.BOT, phase, message, evidence)


@pytest.mark.parametrize(
    ("stderr", "cure"),
    [
        ("ModuleNotFoundError: No module named 'numpy.linalg'", "package numpy is not in"),
        ("python3: can't open file '/bot/mian.py': [Errno 2]", "/bot/mian.py is not in"),
        ("Error: Cannot find module '/bot/x.js'", "/bot/x.js is not in"),
        ("bwrap: execvp ./mybot: No such file or directory", "program ./mybot is neither"),
        ("bwrap: execvp ./mybot: Permission denied", "chmod +x ./mybot"),
        ("./b: /lib/libc.so.6: version `GLIBC_2.99' not found", "compiled on another system"),
        ("Traceback (most recent call last):\nZeroDivisionError: x", "mend the error"),
    ],
)
@pytest.mark.parametrize("kind", [FaultKind.NO_HANDSHAKE, FaultKind.CRASH])
def test_what_interpreters_are_known_for_has_a_cure_of_its_own(kind, stderr, cure):
    assert cure in fault_cure(fault(kind, stderr=stderr))


@pytest.mark.parametrize(
    ("one", "cure"),
    [
        (fault(FaultKind.NO_HANDSHAKE, "the bot speaks protocol version 9; ..."), "version"),
        (fault(FaultKind.NO_HANDSHAKE, "the bot sent a token in Hello ..."), "TONGITS_TOKEN"),
        (fault(FaultKind.NO_HANDSHAKE, "no Hello within the start limit"), "TONGITS_ADDRESS"),
        (fault(FaultKind.NO_HANDSHAKE, "it closed"), "before its Hello"),
        (
            fault(FaultKind.NO_HANDSHAKE, "not within the start limit", phase=Phase.WARM_UP),
            "answer each request",
        ),
        (fault(FaultKind.CRASH, "the process ended by SIGSEGV"), "sanitizer"),
        (fault(FaultKind.CRASH), "let it play until"),
        (fault(FaultKind.TIMEOUT, "no answer within 1000 ms"), "think less"),
        (fault(FaultKind.ILLEGAL_ACTION), "legal actions"),
        (fault(FaultKind.BAD_MESSAGE), "table.proto"),
        (fault(FaultKind.RESOURCE_LIMIT, limit_hit="memory"), "`memory` in bot.toml"),
        (fault(FaultKind.RESOURCE_LIMIT, limit_hit="processes"), "threads"),
        (fault(FaultKind.RESOURCE_LIMIT, limit_hit="cpu"), "CPU"),
        (fault(FaultKind.HARNESS), "less busy"),
    ],
)
def test_every_fault_has_a_cure(one, cure):
    assert cure in fault_cure(one)


def test_a_crash_is_told_with_the_last_words_of_its_program():
    one = fault(FaultKind.CRASH, stderr="Traceback\n  File x\nZeroDivisionError: by zero\n\n")
    assert fault_summary(one).endswith("its last words: ZeroDivisionError: by zero")


def test_a_wrong_answer_is_not_told_with_words_that_have_nothing_to_do_with_it():
    one = fault(FaultKind.ILLEGAL_ACTION, "index 9 is outside", stderr="a note")
    assert "last words" not in fault_summary(one)


def test_the_lines_hold_all_that_is_known():
    one = fault(
        FaultKind.TIMEOUT,
        "no answer",
        argv=["python3", "my bot.py"],
        exit="still running",
        limit_ms=1000.0,
        memory_peak_kib=2048,
        cpu_ms=1500,
        stderr="\n".join(f"line {n}" for n in range(30)),
        answer="index: 7\n",
    )
    lines = fault_lines(one, where="game 3", asked="{}")
    assert lines[:3] == (
        "where: game 3",
        "argv: python3 'my bot.py'; exit: still running",
        "limits: 1000 ms allowed, memory peak 2 MiB, 1.5 s of CPU used",
    )
    assert next(line for line in lines if line.startswith("stderr")) == "stderr: line 10"
    assert lines[-2:] == ("asked: {}", "answered: index: 7")


def test_no_output_is_said_to_be_none_and_a_line_without_end_is_cut():
    assert "stderr: (nothing was written)" in fault_lines(fault(FaultKind.CRASH, argv=["x"]))
    (line,) = fault_lines(fault(FaultKind.CRASH, stderr="x" * 10_000))
    assert line.endswith("[... 9760 more characters]")
