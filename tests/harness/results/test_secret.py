"""The committed secret: written once, for its owner only, and bound to the bots."""

import hashlib
import stat

import pytest
from tongits_harness.errors import CannotContinueError, ConfigError
from tongits_harness.results.secret import (
    commit_secret,
    commitment,
    is_committed,
    load_secret,
    remove_secret,
    tournament_seed,
)


def test_a_secret_is_kept_for_its_owner_only(tmp_path):
    secret = commit_secret(tmp_path, "cup")
    assert len(secret) == 32
    assert load_secret(tmp_path, "cup") == secret
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "secret" / "cup").stat().st_mode) == 0o600
    assert commit_secret(tmp_path, "pot") != secret


def test_a_given_secret_is_used_and_never_replaced(tmp_path):
    commit_secret(tmp_path, "cup", bytes(32))
    with pytest.raises(ConfigError, match="choose another name"):
        commit_secret(tmp_path, "cup")
    assert load_secret(tmp_path, "cup") == bytes(32)
    remove_secret(tmp_path, "cup")
    remove_secret(tmp_path, "cup")
    with pytest.raises(ConfigError, match="is missing"):
        load_secret(tmp_path, "cup")


@pytest.mark.parametrize("content", ["", "00", "zz" * 32, "ä"])
def test_a_damaged_secret_is_named(tmp_path, content):
    commit_secret(tmp_path, "cup")
    (tmp_path / "secret" / "cup").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match="damaged"):
        load_secret(tmp_path, "cup")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../up", ".hidden", "a b", "x" * 65, "a\n"])
def test_a_name_that_is_no_file_name_is_refused(tmp_path, name):
    with pytest.raises(ConfigError, match="cannot be used"):
        commit_secret(tmp_path, name)


def test_a_seed_of_another_length_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="64 hex digits"):
        commit_secret(tmp_path, "cup", b"short")


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "secret").write_text("a file")
    with pytest.raises((CannotContinueError, ConfigError), match="secret"):
        commit_secret(tmp_path, "cup")


def test_the_commitment_is_the_plain_hash_of_the_secret():
    assert commitment(b"\0" * 32) == hashlib.sha256(bytes(32)).hexdigest()
    assert is_committed(bytes(32), commitment(bytes(32)))
    assert not is_committed(bytes(32), commitment(b"\1" * 32))


def test_the_seed_is_the_documented_function_of_secret_and_bots():
    text = b"tongits-arena/tournament-seed/v1\0" + bytes(32)
    text += b"\0\0\0\x02aa" + b"\0\0\0\x03abc" + b"\0\0\0\x03abc"
    expected = hashlib.sha256(text).digest()
    assert tournament_seed(bytes(32), ["abc", "aa", "abc"]) == expected
    assert tournament_seed(bytes(32), ["abc", "aa"]) != expected
