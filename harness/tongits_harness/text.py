"""Foreign text made safe to show: the one function every sink of bots' words goes through."""

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that control, reorder or hide text instead of being seen."""


def safe_text(text: str | bytes, *, lines: bool = False) -> str:
    r"""The text with everything invisible or active written out, such as `\x1b` or `\u202e`.

    Control and escape characters, bidirectional controls, zero-width characters, lone surrogates
    and unassigned code points are replaced by their escape; bytes are read as UTF-8, and what is
    not UTF-8 is shown as `\xff`.

    Args:
        text: What a bot or its author wrote.
        lines: Keep line feeds and tabs, for a sink that shows several lines.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", errors="backslashreplace")
    kept = "\n\t" if lines else ""
    return "".join(
        _escape(mark) if mark not in kept and unicodedata.category(mark) in _HIDDEN else mark
        for mark in text
    )


def _escape(mark: str) -> str:
    code = ord(mark)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
