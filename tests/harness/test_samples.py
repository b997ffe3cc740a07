"""Words for bots: paths, manifests, names of sample bots."""

from pathlib import Path

import pytest
from tongits_harness.bots.manifest import load_bot
from tongits_harness.errors import ConfigError
from tongits_harness.samples import DEMO_BOTS, find_bot, sample_names


def test_every_sample_bot_goes_by_the_name_in_its_manifest():
    names = sample_names()
    assert set(DEMO_BOTS) <= set(names)
    for name, path in names.items():
        assert load_bot(path).name == name
        assert find_bot(name, Path("/nonexistent")) == path


def test_a_path_goes_before_a_name(tmp_path):
    (tmp_path / "greedy").mkdir()
    (tmp_path / "greedy" / "bot.toml").write_text("")
    (tmp_path / "greedy" / "other.toml").write_text("")
    assert find_bot("greedy", tmp_path) == tmp_path / "greedy"
    assert find_bot("greedy/other.toml", tmp_path) == tmp_path / "greedy" / "other.toml"


def test_a_folder_that_is_no_bot_does_not_hide_a_sample_of_that_name(tmp_path):
    (tmp_path / "greedy").mkdir()
    assert find_bot("greedy", tmp_path) == sample_names()["greedy"]


def test_a_name_that_nobody_has_is_told_with_the_nearest_one(tmp_path):
    with pytest.raises(ConfigError, match="did you mean greedy"):
        find_bot("gredy", tmp_path)
