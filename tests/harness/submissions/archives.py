"""Archives written byte by byte, so that they can lie wherever an archive can."""

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

FILE, FOLDER, LINK = 0o100644, 0o040755, 0o120777


@dataclass(frozen=True)
class Item:
    """One entry; what stands in `local` or `central` is written there in place of the truth."""

    name: str | bytes
    content: bytes = b""
    mode: int = FILE
    method: int = 8
    flags: int = 0x800
    packed: bytes | None = None
    extra: bytes = b""
    descriptor: bytes = b""
    system: int = 3
    local: Mapping[str, object] = field(default_factory=dict)
    central: Mapping[str, object] = field(default_factory=dict)

    @property
    def raw(self) -> bytes:
        return self.name if isinstance(self.name, bytes) else self.name.encode()

    @property
    def body(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return deflate(self.content) if self.method == 8 else self.content

    def fields(self, over: Mapping[str, object]) -> dict:
        truth = {
            "name": self.raw,
            "flags": self.flags,
            "method": self.method,
            "crc": zlib.crc32(self.content),
            "packed": len(self.body),
            "size": len(self.content),
            "extra": self.extra,
        }
        return {**truth, **over}


def deflate(content: bytes) -> bytes:
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return engine.compress(content) + engine.flush()


def make_zip(
    *items: Item, before: bytes = b"", gap: bytes = b"", comment: bytes = b"", shift: int = 0,
    **end: int,
) -> bytes:  # fmt: skip
    """An archive: `before` stands first, `gap` before its list, `end` is written into its end."""
    data, records = bytearray(before), []
    for item in items:
        here = item.fields(item.local)
        records.append((item, len(data) - shift))
        data += struct.pack(
            "<4s5H3L2H", b"PK\3\4", 20, here["flags"], here["method"], 0, 0x21, here["crc"],
            here["packed"], here["size"], len(here["name"]), len(here["extra"]),
        )  # fmt: skip
        data += here["name"] + here["extra"] + item.body + item.descriptor
    data += gap
    start = len(data)
    for item, true_offset in records:
        there = item.fields(item.central)
        offset = there.get("offset", true_offset)
        data += struct.pack(
            "<4s6H3L5H2L", b"PK\1\2", item.system << 8 | 20, 20, there["flags"], there["method"], 0,
            0x21, there["crc"], there["packed"], there["size"], len(there["name"]),
            len(there["extra"]), 0, 0, 0,
            there.get("attributes", item.mode << 16 | (0x10 if item.mode == FOLDER else 0)), offset,
        )  # fmt: skip
        data += there["name"] + there["extra"]
    truth = {"disk": 0, "count": len(items), "size": len(data) - start, "offset": start - shift}
    truth |= end
    data += struct.pack(
        "<4s4H2LH", b"PK\5\6", truth["disk"], 0, truth["count"], truth["count"], truth["size"],
        truth["offset"], len(comment),
    )  # fmt: skip
    return bytes(data) + comment


MANIFEST = Item(
    "bot.toml",
    b'name = "mybot"\nversion = "1.0"\nlanguage = "python"\nrun = ["python3", "main.py"]\n',
)
PROGRAM = Item("main.py", b"print('hello')\n")
