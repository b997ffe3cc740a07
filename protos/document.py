"""Writes PROTOCOL.md, the page for authors, from the comments of the .proto files.

Usage: python protos/document.py [OUTPUT_FILE]   (default: PROTOCOL.md in this folder)

The text around the tables is in protocol_intro.md; a line `<!-- reference -->` in it is replaced by
the tables. Nothing about a message is written by hand.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    ServiceDescriptorProto,
)
from grpc_tools import protoc

PROTOS = Path(__file__).resolve().parent
SOURCE = "tongits/v1/table.proto"
INTRO = PROTOS / "protocol_intro.md"
MARK = "<!-- reference -->"

_MESSAGE, _ENUM, _SERVICE = 4, 5, 6
"""Field numbers of FileDescriptorProto, of which the paths of comments are made."""
_FIELD, _METHOD, _ONEOF, _VALUE, _SYNTAX = 2, 2, 8, 2, 12


@dataclass(frozen=True)
class Source:
    """A file's descriptor with the comments of its parts."""

    file: FileDescriptorProto
    comments: dict[tuple[int, ...], str]
    head: str
    """The comment that stands before everything."""

    def of(self, *path: int) -> str:
        """The comment on a part as one paragraph."""
        return " ".join(self.comments.get(path, "").split())


def read_source() -> Source:
    """The protocol as protoc sees it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "set.pb"
        arguments = [
            "protoc",
            f"--proto_path={PROTOS}",
            f"--proto_path={files('grpc_tools') / '_proto'}",
            "--include_source_info",
            f"--descriptor_set_out={out}",
            SOURCE,
        ]
        if protoc.main(arguments) != 0:
            raise SystemExit("protoc failed; its messages are above")
        (file,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    places = file.source_code_info.location
    comments = {
        tuple(place.path): (place.leading_comments or place.trailing_comments) for place in places
    }
    (syntax,) = [place for place in places if tuple(place.path) == (_SYNTAX,)]
    head = "".join([*syntax.leading_detached_comments, syntax.leading_comments])
    return Source(file, comments, head)


def page(source: Source) -> str:
    """The whole page."""
    before, mark, after = INTRO.read_text().partition(MARK)
    if not mark:
        raise SystemExit(f"{INTRO}: lacks the line {MARK}, where the tables belong")
    lines = [
        f"<!-- Made by protos/document.py from {SOURCE} and {INTRO.name}: change those. -->",
        "",
        before.rstrip(),
        "",
        "## Reference",
        "",
        f"Package `{source.file.package}`, file [`{SOURCE}`]({SOURCE}).",
        "",
        *_head(source),
        *_reference(source),
        after.lstrip("\n").rstrip(),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _head(source: Source) -> Iterator[str]:
    """The comment at the top of the file; indented lines stay as they are."""
    for paragraph in source.head.strip("\n").split("\n\n"):
        is_code = False
        for raw in paragraph.splitlines():
            line = raw.removeprefix(" ")
            if line.startswith("  ") != is_code:
                is_code = not is_code
                yield from ("", "```text") if is_code else ("```", "")
            yield line.removeprefix("  ") if is_code else line
        if is_code:
            yield "```"
        yield ""


def _reference(source: Source) -> Iterator[str]:
    for number, service in enumerate(source.file.service):
        yield from _service(source, number, service)
    used_by = _users(source.file)
    for number, message in enumerate(source.file.message_type):
        yield from _message(source, number, message, used_by.get(message.name, []))
    for number, enum in enumerate(source.file.enum_type):
        yield from _enum(source, number, enum, used_by.get(enum.name, []))


def _service(source: Source, number: int, service: ServiceDescriptorProto) -> Iterator[str]:
    yield from (f"### {service.name}", "", source.of(_SERVICE, number), "")
    for place, method in enumerate(service.method):
        given, back = (
            f"{'stream ' if is_stream else ''}{_linked_type(name)}"
            for is_stream, name in (
                (method.client_streaming, method.input_type),
                (method.server_streaming, method.output_type),
            )
        )
        path = f"/{source.file.package}.{service.name}/{method.name}"
        yield f"`{method.name}` ({given}) returns ({back}), as a path `{path}`."
        yield source.of(_SERVICE, number, _METHOD, place)
        yield ""


def _message(
    source: Source, number: int, message: DescriptorProto, users: list[str]
) -> Iterator[str]:
    yield from (f"### {message.name}", "", source.of(_MESSAGE, number), "")
    if users:
        yield from (f"Part of {', '.join(_link(name) for name in users)}.", "")
    oneofs = {
        place: f"{one.name}: {source.of(_MESSAGE, number, _ONEOF, place)}"
        for place, one in enumerate(message.oneof_decl)
        if not one.name.startswith("_")  # the compiler's own, of an optional field
    }
    for told in oneofs.values():
        yield from (f"One of `{told.partition(': ')[0]}`: {told.partition(': ')[2]}", "")
    yield from ("| # | field | type | |", "| ---: | --- | --- | --- |")
    for place, field in enumerate(message.field):
        meaning = source.of(_MESSAGE, number, _FIELD, place)
        choice = oneofs.get(field.oneof_index) if field.HasField("oneof_index") else None
        if choice is not None:
            meaning = f"*(one of {choice.partition(': ')[0]})* {meaning}"
        yield f"| {field.number} | `{field.name}` | {_type(message, field)} | {_cell(meaning)} |"
    yield ""


def _enum(
    source: Source, number: int, enum: EnumDescriptorProto, users: list[str]
) -> Iterator[str]:
    yield from (f"### {enum.name}", "", source.of(_ENUM, number), "")
    if users:
        yield from (f"Used in {', '.join(_link(name) for name in users)}.", "")
    yield from ("| # | name | |", "| ---: | --- | --- |")
    for place, value in enumerate(enum.value):
        meaning = source.of(_ENUM, number, _VALUE, place)
        if not meaning and value.number == 0:
            meaning = "Never sent."
        yield f"| {value.number} | `{value.name}` | {_cell(meaning)} |"
    yield ""


def _users(file: FileDescriptorProto) -> dict[str, list[str]]:
    """Type -> the messages that have a field of it."""
    users: dict[str, list[str]] = {}
    for message in file.message_type:
        for name in dict.fromkeys(_bare(field.type_name) for field in message.field):
            users.setdefault(name, []).append(message.name)
    return users


_SCALARS = {
    FieldDescriptorProto.TYPE_BOOL: "bool",
    FieldDescriptorProto.TYPE_BYTES: "bytes",
    FieldDescriptorProto.TYPE_STRING: "string",
    FieldDescriptorProto.TYPE_UINT32: "uint32",
    FieldDescriptorProto.TYPE_UINT64: "uint64",
    FieldDescriptorProto.TYPE_SINT32: "sint32",
}


def _type(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    maps = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
    name = _bare(field.type_name)
    if name in maps:
        key, value = (_SCALARS[one.type] for one in maps[name].field)
        return f"map of {key} to {value}"
    shown = _SCALARS.get(field.type) or _linked_type(field.type_name)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {shown}"
    return f"optional {shown}" if field.proto3_optional else shown


def _bare(type_name: str) -> str:
    return type_name.rpartition(".")[2]


def _linked_type(type_name: str) -> str:
    return _link(_bare(type_name))


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PROTOS / "PROTOCOL.md"
    target.write_text(page(read_source()))
