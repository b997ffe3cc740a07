"""Tournaments decided in stages: `verify` decides them again, and finds what was changed."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tongits_engine import rules_named
from tongits_harness.cli import main
from tongits_harness.play.formats import Format, Stages, format_settings
from tongits_harness.play.plan import sessions_of
from tongits_harness.play.session import SessionSetup
from tongits_harness.results.secret import commit_secret
from tongits_harness.results.store import open_store
from tongits_harness.verify.stages import schedule_of
from tongits_harness.web.arena import Arena
from tongits_harness.web.run_page import run_page

from tests.durability.played import LIMITS, cup, good, played_session, seed_of
from tests.durability.tampering import broken, execute
from tests.harness.results.builders import SECRET

FORMATS = {
    "informative": Format("informative", stage=8),
    "round-robin": Format(stage=8, until="sigma < 4.5"),
    "gauntlet": Format("gauntlet", ("ana",), 8, "sigma < 5"),
}
MATCHES = 24
PLAYERS = dict.fromkeys(("ana", "ben", "cy", "dee"), good)


def record_of(played):
    made = cup(seatings=1, games=1)
    settings = {**made.settings, **format_settings(played)}
    return replace(made, settings=settings, matches_planned=MATCHES)


def play(results, played):
    """Plays the tournament to its end, as a run does, without processes."""
    record = record_of(played)
    schedule, stages, chance = schedule_of(record), Stages(), random.Random(7)
    rules, name = rules_named(record.rules, dict(record.parameters)), record.name
    commit_secret(results, name, SECRET)
    with open_store(results, create=True) as store:
        store.create_tournament(record)
        while not stages.ended:
            stored = list(store.read.stages(name))
            standing = store.settle(name, lambda first: schedule.plans_from(first, stored))  # noqa: B023
            stage = schedule.next_stage(stages, standing)
            store.add_stage(name, stage)
            stages.add(stage)
            plans = list(schedule.plans_of(stage))
            chance.shuffle(plans)
            for plan in plans:
                (session,) = sessions_of(plan, 1)
                setup = SessionSetup(session, rules, seed_of(record), 1, LIMITS)
                own = random.Random(plan.key)
                store.add_session(name, played_session(setup, PLAYERS, own))
        store.finish_tournament(name, SECRET.hex())
    return stages


@pytest.mark.parametrize("name", FORMATS)
def test_stages_that_were_played_hold(tmp_path, verify, name):
    stages = play(tmp_path, FORMATS[name])

    code, document = verify(tmp_path)

    assert broken(document) == {}
    assert code == 0
    assert 2 <= stages.count <= 4
    assert stages.next_match == execute(tmp_path, "SELECT count(*) FROM matches")[0][0]


@pytest.fixture(scope="module")
def informative(tmp_path_factory):
    results = tmp_path_factory.mktemp("informative")
    play(results, FORMATS["informative"])
    return results


def copy_of(results, tmp_path):
    return Path(shutil.copytree(results, tmp_path / "results"))


TAMPERINGS = {
    "a choice": (
        (
            "UPDATE stages SET chosen = '[[0,1,2,9]' || substr(chosen, instr(chosen, ']') + 1)"
            " WHERE number = 1"
        ),
        (8, "stage 1: stored "),
    ),
    "the reason for the end": (
        "UPDATE stages SET ended = 'enough' WHERE matches = 0",
        (24, "stage 3: stored 'enough', the standing gives 'every planned match was played'"),
    ),
    "the length of a stage": (
        "UPDATE stages SET matches = 7 WHERE number = 1",
        (8, "stage 1: stored 7 matches, the standing gives 8"),
    ),
    "the end taken away": (
        "DELETE FROM stages WHERE matches = 0",
        (None, "it is finished, but no end is stored after stage 2"),
    ),
    "a stage taken away": (
        "DELETE FROM stages WHERE number = 1",
        (16, "stage 2: stored "),
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_changed_stage_is_found_and_named(informative, tmp_path, verify, name):
    statement, (match, what) = TAMPERINGS[name]
    results = copy_of(informative, tmp_path)
    execute(results, statement)

    code, document = verify(results)

    claims = {claim["claim"]: claim for claim in document["claims"]}
    found = [(f["match"], f["what"]) for f in claims["schedule"]["failures"]]
    assert code != 0
    assert [one for one in found if one[0] == match and one[1].startswith(what)], found


def test_a_changed_result_leads_to_other_stages(informative, tmp_path, verify):
    results = copy_of(informative, tmp_path)
    execute(results, "UPDATE match_seats SET place = 4 - place WHERE match_index < 8")

    _, document = verify(results)

    assert "schedule" in broken(document)


@pytest.mark.parametrize("chosen", ["[[0,1]]", "nonsense", "[[0,1,7,0]]", "7"])
def test_a_stage_that_cannot_be_read_is_told(informative, tmp_path, chosen):
    results = copy_of(informative, tmp_path)
    execute(results, "UPDATE stages SET chosen = ? WHERE number = 1", chosen)

    done = CliRunner().invoke(main, ["verify", "--results", str(results)])

    assert done.exit_code != 0
    assert "is damaged (tournament cup: " in done.stderr


def test_status_and_the_page_of_the_run_tell_why_it_ended(tmp_path):
    play(tmp_path, FORMATS["gauntlet"])

    status = CliRunner().invoke(main, ["status", "--results", str(tmp_path)]).stdout
    page = run_page(Arena(tmp_path).show_now("cup"), (), (), None).document

    assert "format gauntlet of ana, until sigma < 5" in status
    assert "ended: sigma < 5 holds" in status
    assert page["format"] == "gauntlet of ana, until sigma < 5"
    assert page["ended"] == "sigma < 5 holds"
