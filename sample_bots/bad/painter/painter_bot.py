"""Writes text that acts on whatever shows it (row 32): terminal, spreadsheet, page, log, reader.

Expected: no fault, or with the argument `die` CRASH with the text on stderr. Everywhere it is shown
as visible escapes.
"""

import os
import sys

from tongits_bot import Action, View, serve

FROM_TURN = 3
"""Behaves before this turn of a game, so that it gets past the warm-up decisions."""
PAINT = (
    "\x1b[2J\x1b[31mred\x1b[0m",  # clear the screen, colour
    "\x1b]0;owned\x07",  # window title
    "\x1b]52;c;cm0gLXJmIC8=\x07",  # clipboard
    "\x1b]8;;http://192.0.2.1/\x1b\\link\x1b]8;;\x1b\\",
    "\x9b31m\x9d0;c1\x9c",  # the same with one character
    "\u202egnp.exe\u202c \u2066isolated\u2069",  # written from right to left
    "zero\u200bwidth\u200d\ufeff\u00ad\u2060 \u3164\u115f\u034f\ufe0f",  # not to be seen
    "line\nerror: forged line\r\nseat 0 wins\u2028\u2029\x85\x0b\x0c",
    "\b\b\b\b\x7f\x00",
    "<img src=x onerror=alert(1)> [link](javascript:alert(1)) [red]markup[/red]",
    "=HYPERLINK(\"http://192.0.2.1\")",
    "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "\uff1d1+1",
    "{{7*7}} %s %n ${HOME} $(id) `id` '; DROP TABLE games; --",
    "e" + "\u0301" * 200,  # a pile of accents over the lines above
    "\U000e0041\U000e0042 tags, \ue000 private, \uffff nobody's",
)  # fmt: skip

count: list[int] = []


def decide(view: View) -> Action:
    """The first legal action, with one of the texts on every way out that there is."""
    text = PAINT[len(count) % len(PAINT)]
    count.append(1)
    view.note = text
    sys.stdout.write(text + "\n")
    sys.stderr.write(text + "\n")
    os.write(2, b"\xff\xfe not UTF-8 \xed\xa0\x80\n")
    if sys.argv[1:] == ["die"] and view.turn >= FROM_TURN:
        sys.stderr.write("\n".join(PAINT))
        raise RuntimeError("".join(PAINT))
    return view.legal[0]


if __name__ == "__main__":
    if sys.argv[1:] == ["die_at_start"]:
        sys.stdout.write("\n".join(PAINT))
        raise RuntimeError("\n".join(PAINT))
    serve(decide)
