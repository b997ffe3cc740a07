"""Generates the Python code of the protocol beside its .proto files.

Usage: python protos/generate.py [OUTPUT_FOLDER]   (default: this folder)
"""

import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

PROTOS = Path(__file__).resolve().parent
SOURCES = ("tongits/v1/table.proto",)


def generate(output: Path) -> None:
    """Writes messages (with .pyi) and typed service stubs below `output`."""
    scripts = Path(sys.executable).parent
    arguments = [
        "protoc",
        f"--proto_path={PROTOS}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
        f"--python_out={output}",
        f"--pyi_out={output}",
        f"--grpc_python_out={output}",
        f"--mypy_grpc_out=quiet:{output}",
        *SOURCES,
    ]
    if protoc.main(arguments) != 0:
        raise SystemExit("protoc failed; its messages are above")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else PROTOS)
