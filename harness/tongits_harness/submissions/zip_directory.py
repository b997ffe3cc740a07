"""The list of a .zip's entries, read so strictly that no two programs can read it differently.

Nothing is unpacked here. What is refused: bytes that belong to no entry, entries that overlap,
headers that contradict each other, encryption, ZIP64, archives of several parts.
"""

import struct
from dataclasses import dataclass
from typing import BinaryIO

from tongits_harness.errors import BotError
from tongits_harness.submissions.entries import UnpackLimits, refused

_END = struct.Struct("<4s4H2LH")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_SIZES = struct.Struct("<3L")
_END_MARK, _CENTRAL_MARK, _LOCAL_MARK = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_DESCRIPTOR_MARK = b"PK\x07\x08"
_LONGEST_COMMENT = 0xFFFF
_LARGEST_ENTRY_RECORD = 4096
"""Bytes of one entry in the central directory: real ones have less than 300."""
_ENCRYPTED, _STREAMED, _PATCHED, _STRONG, _MASKED = 0x1, 0x8, 0x20, 0x40, 0x2000
_UNICODE_PATH = 0x7075
_ZIP64 = 0x0001
METHODS = {0: "stored", 8: "deflated"}
_OTHER_METHODS = {
    1: "shrink", 6: "implode", 9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz",
    98: "ppmd", 99: "AES",
}  # fmt: skip
_AGAIN = "pack it again with an ordinary program, for instance `zip -r mybot.zip mybot`"


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive, whose local header says the same as the central directory."""

    name: str
    method: int
    """0 stored, 8 deflated."""
    crc: int
    packed: int
    size: int
    mode: int
    """Unix mode, 0 if the archive has none."""
    is_folder: bool
    start: int
    """Where its packed bytes begin."""


@dataclass(frozen=True, slots=True)
class _Record:
    """An entry as the central directory has it."""

    raw: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    attributes: int
    offset: int


def read_directory(
    file: BinaryIO, length: int, title: str, limits: UnpackLimits
) -> tuple[Member, ...]:
    """Every entry of an archive of `length` bytes, in the order of its central directory.

    Raises:
        SubmissionRefusedError: It is no archive, or breaks a rule.
    """
    end, count, start = _find_end(file, length, title, limits)
    if count > limits.entries:
        raise refused(
            title,
            f"has {count} entries, {limits.entries} are allowed",
            "leave out what is made by building or fetching, or pack data into fewer files",
        )
    if end - start > count * _LARGEST_ENTRY_RECORD:
        raise _lies(title, "its list of entries is too long for their number")
    records = _records(_read(file, start, end - start), count, title)
    members = _with_local_headers(file, records, title, start)
    return tuple(members[record.offset] for record in records)


def _find_end(
    file: BinaryIO, length: int, title: str, limits: UnpackLimits
) -> tuple[int, int, int]:
    """Where the central directory ends, its number of entries, and where it begins."""
    first = max(0, length - _END.size - _LONGEST_COMMENT)
    tail = _read(file, first, length - first)
    ends = [
        place
        for place in range(len(tail) - _END.size + 1)
        if tail.startswith(_END_MARK, place)
        and place + _END.size + int.from_bytes(tail[place + 20 : place + 22], "little") == len(tail)
    ]
    if not ends:
        raise refused(title, "is no complete .zip archive (it has no end record)", _AGAIN)
    if len(ends) > 1:
        raise _lies(title, "it ends in two ways")
    _, disk, directory_disk, here, count, size, offset, _ = _END.unpack_from(tail, ends[0])
    end = first + ends[0]
    if disk or directory_disk or here != count:
        raise refused(title, "is one part of a divided archive", _AGAIN)
    if count == 0xFFFF or 0xFFFFFFFF in {size, offset}:
        raise refused(
            title,
            "is a ZIP64 archive, as those of more than 65534 entries or 4 GiB are",
            f"a bot may have {limits.entries} entries; {_AGAIN}",
        )
    if offset + size != end:
        raise refused(
            title,
            "has bytes before or between its entries that belong to none"
            if offset + size < end
            else "is cut off, or its end record points nowhere",
            _AGAIN,
        )
    return end, count, offset


def _records(data: bytes, count: int, title: str) -> list[_Record]:
    records: list[_Record] = []
    place = 0
    for _ in range(count):
        if place + _CENTRAL.size > len(data) or not data.startswith(_CENTRAL_MARK, place):
            raise _lies(title, "its list of entries is broken")
        (_, _, _, flags, method, _, _, crc, packed, size, name_length, extra_length,
         comment_length, disk, _, attributes, offset,
        ) = _CENTRAL.unpack_from(data, place)  # fmt: skip
        place += _CENTRAL.size
        raw = data[place : place + name_length]
        extra = data[place + name_length : place + name_length + extra_length]
        place += name_length + extra_length + comment_length
        if place > len(data) or disk:
            raise _lies(title, "its list of entries is broken")
        _check_features(title, raw, flags, method, extra)
        records.append(_Record(raw, flags, method, crc, packed, size, attributes, offset))
    if place != len(data):
        raise _lies(title, "it lists fewer entries than its directory holds")
    return records


def _check_features(title: str, raw: bytes, flags: int, method: int, extra: bytes) -> None:
    if flags & (_ENCRYPTED | _STRONG | _MASKED):
        raise refused(title, "is encrypted", "pack it without a password", entry=raw)
    if flags & _PATCHED or method not in METHODS:
        name = _OTHER_METHODS.get(method, f"number {method}")
        raise refused(
            title,
            f"is packed by the method {name}, only stored and deflated are taken",
            _AGAIN,
            entry=raw,
        )
    for kind, content in _extras(extra):
        if kind == _ZIP64:
            raise refused(title, "uses ZIP64", _AGAIN, entry=raw)
        if kind == _UNICODE_PATH and content[5:] != raw:
            raise refused(title, "has two different names", _AGAIN, entry=raw)


def _extras(extra: bytes) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        found.append((kind, extra[4 : 4 + length]))
        extra = extra[4 + length :]
    return found


def _with_local_headers(
    file: BinaryIO, records: list[_Record], title: str, end: int
) -> dict[int, Member]:
    """Members by the place of their local header; together they fill the file up to `end`."""
    members: dict[int, Member] = {}
    expected = 0
    for record in sorted(records, key=lambda one: one.offset):
        if record.offset != expected:
            what = "overlaps another entry" if record.offset < expected else "has a gap before it"
            raise refused(title, what, _AGAIN, entry=record.raw)
        start = _check_local(file, record, title, end)
        expected = _end_of(file, record, title, start, end)
        members[record.offset] = _member(record, title, start)
    if expected != end:
        raise _lies(title, "there are bytes between its entries and their list")
    return members


def _check_local(file: BinaryIO, record: _Record, title: str, end: int) -> int:
    """Where the packed bytes begin, if the local header says what the directory says."""
    header = _read(file, record.offset, min(_LOCAL.size, max(0, end - record.offset)))
    if len(header) < _LOCAL.size or not header.startswith(_LOCAL_MARK):
        raise refused(title, "is not where the list says it is", _AGAIN, entry=record.raw)
    _, _, flags, method, _, _, crc, packed, size, name_length, extra_length = _LOCAL.unpack(header)
    after = record.offset + _LOCAL.size
    variable = _read(file, after, name_length + extra_length)
    sizes = zip((crc, packed, size), (record.crc, record.packed, record.size), strict=True)
    is_streamed = bool(record.flags & _STREAMED)
    agrees = (
        variable[:name_length] == record.raw
        and method == record.method
        and bool(flags & _STREAMED) == is_streamed
        and all(here == there or (is_streamed and not here) for here, there in sizes)
    )
    if not agrees:
        raise refused(
            title,
            "has a header that says something else than the archive's list (name, size or method)",
            _AGAIN,
            entry=record.raw,
        )
    _check_features(title, record.raw, flags, record.method, variable[name_length:])
    start: int = after + name_length + extra_length
    return start


def _end_of(file: BinaryIO, record: _Record, title: str, start: int, end: int) -> int:
    """Where the entry ends, its data descriptor included."""
    place = start + record.packed
    if place > end:
        raise refused(title, "reaches beyond the archive", _AGAIN, entry=record.raw)
    if not record.flags & _STREAMED:
        return place
    rest = _read(file, place, min(16, end - place))
    length = 16 if rest.startswith(_DESCRIPTOR_MARK) else 12
    told: tuple[int, ...] | None = (
        _SIZES.unpack(rest[length - 12 : length]) if len(rest) >= length else None
    )
    if told != (record.crc, record.packed, record.size):
        raise refused(
            title, "says other sizes after its content than in the list", _AGAIN, entry=record.raw
        )
    return place + length


def _member(record: _Record, title: str, start: int) -> Member:
    try:
        name = record.raw.decode("utf-8")
    except UnicodeDecodeError:
        raise refused(
            title, "has a name that is no UTF-8", "rename it, or pack it as UTF-8", entry=record.raw
        ) from None
    mode = record.attributes >> 16
    is_folder = name.endswith("/")
    says_folder = bool(record.attributes & 0x10) or mode & 0o170000 == 0o040000
    says_file = mode & 0o170000 == 0o100000
    if (is_folder and (says_file or record.size)) or (says_folder and not is_folder):
        raise refused(title, "is a folder and a file at once", _AGAIN, entry=record.raw)
    return Member(
        name, record.method, record.crc, record.packed, record.size, mode, is_folder, start
    )


def _read(file: BinaryIO, place: int, length: int) -> bytes:
    file.seek(place)
    return file.read(length)


def _lies(title: str, what: str) -> BotError:
    return refused(title, f"is no sound .zip archive: {what}", _AGAIN)
