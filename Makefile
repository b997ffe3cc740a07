# Everything runs from the virtual environment; `make venv` makes it from the pinned list.
PY := .venv/bin/python
BIN := .venv/bin

.PHONY: compiled check format lint types layers proto-lint test gen demo bench bench-peers bench-compare bench-page soak venv pins

check: lint types layers proto-lint test

venv:
	python3 -m venv .venv
	$(BIN)/pip install -q --use-pep517 --require-hashes -r requirements-dev.txt
	$(BIN)/pip install -q --no-deps -e .

format:
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

layers:
	$(BIN)/lint-imports

proto-lint:
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

test:
	$(BIN)/python -m pytest

gen:
	$(PY) protos/generate.py
	$(PY) protos/document.py

# The engine and what is run for every decision, compiled by mypyc from the same sources; needs a
# C compiler. PYTHONPATH=.compiled puts it before the checkout's own modules.
compiled:
	rm -rf .compiled build/compiled
	TONGITS_COMPILE=1 $(BIN)/pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w build/compiled .
	$(PY) -m zipfile -e build/compiled/*.whl .compiled
	rm -rf build/compiled

demo:
	$(BIN)/tongits demo

# make bench; make bench SECTIONS="engine link"; the table is printed, results/bench/ keeps it.
SECTIONS ?=
bench:
	$(PY) -m tests.bench.run $(SECTIONS)

# Other projects' libraries, which `bench` measures beside ours, in a venv of their own.
bench-peers:
	python3 -m venv .venv-peers
	.venv-peers/bin/pip install -q --require-hashes --no-deps -r tests/bench/peers.txt

# make bench-compare A=main B=HEAD [SECTIONS="engine link"]
bench-compare:
	$(PY) -m tests.bench.commits $(A) $(B) $(SECTIONS)

# The tables of harness/CAPACITY.md from a file of results: make bench-page FROM=results/bench/X.json
bench-page:
	$(PY) -m tests.bench.page $(FROM)

# How long the disturbed run lasts; the other long tests take what they take.
SOAK_MINUTES ?= 10
export SOAK_MINUTES

soak:
	$(BIN)/python -m pytest -m soak -o faulthandler_timeout=0

pins:
	$(PY) -m uv pip compile pyproject.toml --group dev --generate-hashes --no-header --no-annotate --universal --python-version 3.11 -o requirements-dev.txt
	$(PY) -m uv pip compile tests/bench/peers.in --generate-hashes --no-header --no-annotate --universal --python-version 3.11 -o tests/bench/peers.txt
