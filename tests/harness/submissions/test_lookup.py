"""Which bot an organiser's word means: never the wrong one in silence."""

import pytest
from tongits_harness.config import make_config
from tongits_harness.errors import ConfigError
from tongits_harness.results.submitted import open_submitted
from tongits_harness.runs import prepare_run
from tongits_harness.samples import find_bot
from tongits_harness.submissions.lookup import find_versions, seated_version
from tongits_harness.submissions.submit import Judgement

from tests.harness.submissions.conftest import write_bot


@pytest.fixture
def three(desk):
    """mybot@1 and @3 accepted, @2 rejected."""
    for number in (1, 2, 3):
        bot = write_bot(desk.folder / f"v{number}", version=f'"{number}"')
        desk.judgement = Judgement("x", number != 2, {})
        desk.submit(bot)
    return desk


def seat(desk, word, base=None):
    version = seated_version(word, base or desk.folder, desk.results)
    return version and version.title


def test_a_version_by_its_number_and_the_latest(three):
    assert seat(three, "mybot@1") == "mybot@1"
    assert seat(three, "mybot@3") == "mybot@3"
    assert seat(three, "mybot") == "mybot@3"


def test_other_words_mean_no_submitted_bot(three):
    for word in ("greedy", "./mybot", "v1", "other", "other@1", "mybot@", "mybot@0", "mybot@x", ""):
        assert seat(three, word) is None


def test_the_latest_that_is_enabled(three):
    with open_submitted(three.results) as bots:
        bots.disable("mybot", 3, "too slow")
    assert seat(three, "mybot") == "mybot@1"
    with pytest.raises(ConfigError, match=r"mybot@3: is disabled \(too slow\); .*enable mybot@3"):
        seat(three, "mybot@3")
    with open_submitted(three.results) as bots:
        bots.enable("mybot", None)
    assert seat(three, "mybot") == "mybot@3"


def test_none_is_left(three):
    with open_submitted(three.results) as bots:
        bots.disable("mybot", None, "broken")
    with pytest.raises(ConfigError, match="is disabled"):
        seat(three, "mybot")


def test_a_rejected_version(three):
    with pytest.raises(ConfigError, match=r"mybot@2: was rejected; .*bots show mybot@2"):
        seat(three, "mybot@2")


def test_a_version_that_is_not_there(three):
    with pytest.raises(ConfigError, match=r"mybot@4: there is no such version; .*mybot@3"):
        seat(three, "mybot@4")
    for word in ("nobody", "nobody@1", "../x"):
        with pytest.raises(ConfigError, match="no such bot was submitted"):
            find_versions(word, three.results)


def test_a_path_of_the_same_name_is_ambiguous(three):
    write_bot(three.folder / "mybot")
    with pytest.raises(ConfigError, match=r"write \./mybot for the path, or mybot@3"):
        seat(three, "mybot")
    assert seat(three, "./mybot") is None
    assert seat(three, "mybot@3") == "mybot@3"


def test_files_that_were_tampered_with(three):
    (stored,) = find_versions("mybot@1", three.results)
    place = three.results / "bots" / stored.digest / "main.py"
    place.chmod(0o644)
    place.write_text("evil", encoding="utf-8")
    with pytest.raises(ConfigError, match="are not what was submitted"):
        seat(three, "mybot@1")


def test_find_bot_knows_submitted_bots(three):
    (stored,) = find_versions("mybot@3", three.results)
    found = find_bot("mybot", three.folder, three.results)
    assert found == (three.results / "bots" / stored.digest).resolve()
    assert find_bot("greedy", three.folder, three.results).name == "greedy"
    with pytest.raises(ConfigError, match="no such folder"):
        find_bot("mybot", three.folder)


def test_a_tournament_calls_them_by_version(three, monkeypatch):
    monkeypatch.chdir(three.folder)
    words = ["mybot@1", "mybot", "greedy", "./v2"]
    config = make_config({"entrants": [{"bot": word} for word in words]}, origin="x")
    run = prepare_run(config, base=three.folder, results=three.results)
    assert list(run.setup.bots) == ["greedy", "mybot", "mybot@1", "mybot@3"]
    versions = {entrant.name: entrant.version for entrant in run.record.entrants}
    assert versions["mybot@3"] == find_versions("mybot@3", three.results)[0].digest


def test_a_manifest_of_another_name(desk):
    bot = write_bot(desk.folder / "x")
    (bot / "bot.toml").rename(bot / "other.toml")
    desk.submit(bot / "other.toml")
    assert find_bot("mybot", desk.folder, desk.results).name == "other.toml"
