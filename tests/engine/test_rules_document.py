"""RULES.md and the engine speak of the same rules, parameters and presets."""

import re
from pathlib import Path

import pytest
from tongits_engine import PARAMETERS, cards_text, deck, rules_named

ENGINE = Path(__file__).parents[2] / "engine"
DOCUMENT = (ENGINE / "RULES.md").read_text(encoding="utf-8")
RULE_ID = re.compile(r"R-[A-Z]+-\d+")


def rows(heading):
    """The rows of the first table after a heading, as lists of cells."""
    lines = DOCUMENT.split(f"## {heading}", 1)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|---"))
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


def defined_ids():
    return re.findall(r"^\| (R-[A-Z]+-\d+) \|", DOCUMENT, flags=re.MULTILINE)


def cited_ids():
    """Ids in the engine's code; `R-PAY-1 to R-PAY-9` stands for all between."""
    found = set()
    for file in sorted((ENGINE / "tongits_engine").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        found |= set(RULE_ID.findall(text))
        for kind, first, last in re.findall(r"R-([A-Z]+)-(\d+) to R-\1-(\d+)", text):
            found |= {f"R-{kind}-{number}" for number in range(int(first), int(last) + 1)}
    return found


def test_no_rule_is_written_down_twice():
    assert len(defined_ids()) == len(set(defined_ids()))


def test_every_rule_the_code_cites_is_written_down():
    assert cited_ids() - set(defined_ids()) == set()


def test_every_rule_written_down_is_cited_by_the_code():
    assert set(defined_ids()) - cited_ids() == set()


def test_every_rule_the_document_mentions_is_defined_in_it():
    assert set(RULE_ID.findall(DOCUMENT)) == set(defined_ids())


def test_every_ambiguity_is_resolved_once():
    assert [row[0] for row in rows("3.")] == [f"A{number}" for number in range(1, 26)]


def as_written(value):
    if isinstance(value, tuple):
        return str(list(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize(("column", "preset"), [(2, "tongits-lite"), (3, "sa-tong")])
def test_the_parameter_table_shows_the_values_of_the_presets(column, preset):
    shown = {row[0].strip("`"): row[column] for row in rows("4.")}
    parameters = rules_named(preset).parameters()
    assert shown == {name: as_written(value) for name, value in parameters.items()}


def test_the_parameter_table_names_every_value_and_rule():
    table = {row[0].strip("`"): row for row in rows("4.")}
    for parameter in PARAMETERS:
        words = table[parameter.name][1]
        assert all(as_written(value) in words for value in parameter.values)
        assert parameter.rule in table[parameter.name][4]


def test_the_preset_table_says_what_each_preset_changes():
    for name, base, told, _ in rows("5."):
        before, after = rules_named(base).parameters(), rules_named(name.strip("`")).parameters()
        changed = {key: as_written(value) for key, value in after.items() if value != before[key]}
        written = dict(re.findall(r"`([a-z0-9_.]+)` (\w+)", told))
        assert changed.items() <= written.items()
        assert {key: as_written(after[key]) for key in written} == written


def test_the_literal_lite_preset_is_marked_as_not_in_the_seeds():
    row = next(row for row in rows("5.") if row[0] == "`tongits-lite-literal`")
    assert "not in the seeds" in row[3]


def test_the_deck_shown_is_the_deck_that_is_dealt():
    dealt = cards_text(deck(bytes(range(32)), "tournament/a+b+c/1", 0))
    assert dealt in " ".join(DOCUMENT.split())
