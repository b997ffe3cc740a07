"""Which languages a machine can build, told from programs that say what they are."""

import pytest
from tongits_harness.bots.languages import build_runtime, run_runtime
from tongits_harness.bots.toolchains import LANGUAGES, find_toolchain, language_of


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts programs that print a text on an otherwise empty PATH."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()

    def put(program, said):
        path = tmp_path / "bin" / program
        path.write_text(f"#!/bin/sh\necho '{said}'\n")
        path.chmod(0o755)
        return path

    return put


def test_a_program_that_is_new_enough_makes_a_toolchain(install):
    path = install("go", "go version go1.26.8 linux/amd64")
    found = find_toolchain(language_of("go"))
    assert (found.is_present, found.text, found.lack) == (True, "go 1.26.8", "")
    assert found.path_of("go") == path.resolve()
    assert found.path_of("gofmt") is None


def test_a_program_that_is_too_old_is_told_with_the_least_version_and_the_packages(install):
    install("go", "go version go1.9 linux/amd64")
    found = find_toolchain(language_of("go"))
    assert not found.is_present
    assert found.text == "go 1.9 too old"
    assert found.lack.startswith("needs go >= 1.25: apt-get install golang")


def test_every_missing_program_is_named(install):
    install("node", "v20.1.0")
    lack = find_toolchain(language_of("node")).lack
    assert lack == "needs npm: apt-get install nodejs npm"


def test_python_is_always_there_and_unknown_words_are_no_language(install):
    assert find_toolchain(language_of("python")).is_present
    assert language_of("cobol") is None
    assert len({language.id for language in LANGUAGES}) == len(LANGUAGES)


def test_a_toolchain_outside_usr_is_mounted_under_a_name_of_ours(install, tmp_path):
    install("go", str(tmp_path))  # what `go env GOROOT` would say
    runtime = build_runtime(find_toolchain(language_of("go")))
    assert runtime.binds == ((tmp_path.resolve(), "/opt/toolchains/go"),)
    assert runtime.search_path == ("/opt/toolchains/go/bin",)
    assert runtime.in_place().search_path == (str(tmp_path.resolve() / "bin"),)


def test_a_compiled_bot_is_shown_no_toolchain():
    assert run_runtime("go") == run_runtime("rust") == run_runtime("anything")
    assert run_runtime("go").binds == ()
