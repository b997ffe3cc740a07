"""One results folder for all kits of a run of the tests, so that each is built once."""

import shutil

import pytest

from tests.kits.kit import Kit, need_toolchain


@pytest.fixture(scope="session")
def results(tmp_path_factory):
    """Where `tongits run` keeps what it builds."""
    return tmp_path_factory.mktemp("kits-results")


@pytest.fixture(scope="module")
def kit(request, tmp_path_factory, results):
    """The kit of the module's `LANGUAGE`, copied as `tongits new-bot` copies it; else a skip."""
    language = request.module.LANGUAGE
    need_toolchain(language)
    kit = Kit(language, tmp_path_factory.mktemp("kit") / language, results)
    yield kit
    shutil.rmtree(kit.folder)  # a node_modules or a target folder of hundreds of MiB
