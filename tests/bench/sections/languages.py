"""The same strategy in every language, as `tongits check` sees it: start, speed, memory."""

from collections.abc import Iterator

from tests.bench.figures import Figure, Skipped
from tests.bench.languages import LanguageFigures, languages
from tests.bench.sizes import Sizes
from tests.bench.tournament import scratch


def measure(sizes: Sizes) -> Iterator[Figure | Skipped]:
    if not sizes.languages:
        yield Skipped("languages", "left out of a quick look")
        return
    with scratch() as results:
        for one in languages(results):
            if isinstance(one, LanguageFigures):
                yield from _figures(one)
            else:
                bot, why = one.split(": ", 1)
                yield Skipped(f"languages/{bot}", why)


def _figures(one: LanguageFigures) -> Iterator[Figure]:
    name = f"languages/{one.bot}"
    yield Figure(f"{name}/alone", "decisions/s", (one.alone,))
    yield Figure(f"{name}/Hello", "ms", (one.hello_ms,), better="lower")
    yield Figure(f"{name}/memory", "MiB", (one.peak_mib,), better="lower", clock="none")
    if one.build_s is not None:
        yield Figure(f"{name}/build", "s", (one.build_s,), better="neither")
