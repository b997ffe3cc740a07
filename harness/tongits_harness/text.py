"""Foreign text made safe to show: the one function every sink of bots' words goes through."""

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that control, reorder or hide text instead of being seen."""
_BLANK = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800))
) | {"\u3164", "\uffa0"}
"""Letters and marks that are not to be seen (Default_Ignorable_Code_Point and a blank pattern)."""
_MOST_MARKS = 3
"""Accents on one letter; more of them grow over the lines above and below."""


def safe_text(text: str | bytes, *, lines: bool = False) -> str:
    r"""The text with everything invisible or active written out, such as `\x1b` or `\u202e`.

    Control and escape characters, bidirectional controls, zero-width and blank characters, lone
    surrogates, unassigned code points and piles of accents are replaced by their escape; bytes are
    read as UTF-8, and what is not UTF-8 is shown as `\xff`.

    Args:
        text: What a bot or its author wrote.
        lines: Keep line feeds and tabs, for a sink that shows several lines.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", errors="backslashreplace")
    kept = "\n\t" if lines else ""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    accents = 0
    for mark in text:
        category = unicodedata.category(mark)
        accents = accents + 1 if category in {"Mn", "Me"} else 0
        hides = category in _HIDDEN or mark in _BLANK or _is_selector(mark)
        is_shown = mark in kept or not (hides or accents > _MOST_MARKS)
        shown.append(mark if is_shown else _escape(mark))
    return "".join(shown)


def _is_selector(mark: str) -> bool:
    return "\ufe00" <= mark <= "\ufe0f" or "\U000e0100" <= mark <= "\U000e01ef"


def _escape(mark: str) -> str:
    code = ord(mark)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
