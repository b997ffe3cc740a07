"""The protocol's page is made from the comments, and what it shows is what goes over the wire."""

import re
import runpy
from pathlib import Path

import pytest
from tongits.v1 import table_pb2 as pb
from tongits_engine import cards_text

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "protos" / "PROTOCOL.md"
HEX = re.compile(r"```hex\n([<>]) ([0-9a-f]+)\n```")


@pytest.fixture(scope="module")
def document():
    return runpy.run_path(str(ROOT / "protos" / "document.py"))


@pytest.fixture(scope="module")
def conversation():
    """The messages quoted in the page, in order."""
    kinds = {">": pb.BotMessage, "<": pb.TableMessage}
    return [
        kinds[who].FromString(bytes.fromhex(text)) for who, text in HEX.findall(PAGE.read_text())
    ]


def test_the_page_is_fresh(document):
    fresh = document["page"](document["read_source"]())
    assert fresh == PAGE.read_text(), "run `make gen`"


def test_every_message_field_and_value_is_on_the_page():
    page = PAGE.read_text()
    for name, message in pb.DESCRIPTOR.message_types_by_name.items():
        assert f"### {name}\n" in page
        assert [f.name for f in message.fields if f"| {f.number} | `{f.name}` |" not in page] == []
    for name, enum in pb.DESCRIPTOR.enum_types_by_name.items():
        assert f"### {name}\n" in page
        assert [v.name for v in enum.values if f"| {v.number} | `{v.name}` |" not in page] == []


def test_every_link_leads_somewhere():
    page = PAGE.read_text()
    titles = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    anchors = {title.lower().replace(" ", "-") for title in titles}
    for target in re.findall(r"\]\(([^)]+)\)", page):
        path, _, anchor = target.partition("#")
        if path:
            assert (PAGE.parent / path).exists(), target
            titles = re.findall(r"^#+ (.+)$", (PAGE.parent / path).read_text(), re.MULTILINE)
            there = {title.lower().replace(" ", "-") for title in titles}
            assert not anchor or anchor in there, target
        else:
            assert anchor in anchors, target


def test_the_conversation_says_what_the_page_says_of_it(conversation):
    hello, welcome, request, answer, over = conversation
    assert (hello.hello.protocol_version, hello.hello.sdk) == (1, "raw")
    assert welcome.welcome.decision_limit_us == 1_000_000
    assert welcome.welcome.session_bank_us == 60_000_000
    (asked,) = request.requests
    (decided,) = answer.decisions.decisions
    page = " ".join(PAGE.read_text().split())
    assert f"`{cards_text(asked.observation.hand)}`" in page
    assert asked.decision_id == decided.decision_id
    assert asked.observation.legal[0].kind == pb.ACTION_KIND_EXPOSE
    assert cards_text(asked.observation.legal[decided.index].cards) == "KS"
    assert [cards_text(event.cards) for event in asked.observation.events] == ["AD", "4C"]
    assert (over.over[0].winner, over.over[0].payments[0]) == (2, -4)


def test_an_index_of_zero_is_written():
    decision = pb.Decision(decision_id=1, index=0)
    assert decision.SerializeToString().endswith(bytes.fromhex("1000"))
