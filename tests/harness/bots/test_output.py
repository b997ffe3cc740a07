import os

import pytest
import trio
from tongits_harness.bots.output import HEAD_BYTES, TAIL_BYTES, Output
from tongits_harness.text import safe_text


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    return Output(reading), writing


async def pour(writing, data):
    async with trio.lowlevel.FdStream(writing) as stream:
        await stream.send_all(data)


async def test_a_flood_is_read_to_its_end_at_one_mebibyte_a_second(autojump_clock, pipe):
    output, writing = pipe
    data = bytes(range(32, 96)) * (3 << 14)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pour, writing, data)
        nursery.start_soon(output.drain)
    output.finish()
    assert output.head == data[:HEAD_BYTES]
    assert output.last == data[-TAIL_BYTES:]
    assert output.total == len(data) == 3 << 20
    assert output.dropped == len(data) - HEAD_BYTES - TAIL_BYTES
    assert 2.9 < trio.current_time() < 3.1
    assert f"[... {output.dropped} bytes left out ...]" in output.text()


async def test_a_little_output_is_kept_whole(pipe):
    output, writing = pipe
    await pour(writing, b"one\ntwo\nthree\n")
    await output.drain()
    output.finish()
    output.finish()
    assert (output.text(), output.tail(2)) == ("one\ntwo\nthree\n", "two\nthree")
    assert (output.dropped, output.last) == (0, b"")


async def test_the_tail_spans_the_end_of_the_head(pipe):
    output, writing = pipe
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pour, writing, b"a\n" * (HEAD_BYTES // 2) + b"b\n")
        nursery.start_soon(output.drain)
    output.finish()
    assert output.tail(2) == "a\nb"


def test_finishing_takes_what_still_lies_in_the_pipe(pipe):
    output, writing = pipe
    os.write(writing, b"last words")
    output.finish()
    os.close(writing)
    assert output.text() == "last words"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain text, Zürich 7♥", "plain text, Zürich 7♥"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("a\u202eb\u200bc", r"a\u202eb\u200bc"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        (b"\xff\x9b31m", r"\xff\x9b31m"),
        ("\x9b31m", r"\x9b31m"),
        ("a\r\nb\tc", r"a\x0d\x0ab\x09c"),
    ],
)
def test_safe_text_shows_what_hides_or_acts(given, shown):
    assert safe_text(given) == shown


def test_safe_text_keeps_line_feeds_and_tabs_on_request():
    assert safe_text("a\r\n\tb", lines=True) == "a\\x0d\n\tb"
