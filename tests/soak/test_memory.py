"""Memory and descriptors over a hundred thousand matches."""

import pytest

from tests.durability.in_process import Sample, play

MATCHES = 100_000
AT = {10_000, 30_000, 50_000, 70_000, MATCHES - 1}
SLOPE_KIB = 1.0
"""What a match may leave behind."""


@pytest.mark.soak
def test_memory_and_descriptors_stay_level_over_a_hundred_thousand_matches(
    tmp_path, monkeypatch, capsys
):
    samples = []

    def look(plan):
        if plan.match.index in AT:
            samples.append(Sample.taken(plan.match.index))
            with capsys.disabled():
                one = samples[-1]
                print(  # noqa: T201
                    f"\n{one.matches} matches: RSS {one.rss_kib} KiB,"
                    f" {one.descriptors} descriptors, {sum(one.objects.values())} objects",
                    end="",
                )

    play(
        tmp_path, monkeypatch, on_seat=look, rounds=MATCHES, seatings=1, games=1,
        machine={"tables": 16},
    )  # fmt: skip

    first, last = samples[0], samples[-1]
    slope = (last.rss_kib - first.rss_kib) / (last.matches - first.matches)
    with capsys.disabled():
        print(f"\nslope {slope * 1024:.0f} bytes a match; more: {last.growth(first)}")  # noqa: T201
    assert slope < SLOPE_KIB
    assert last.descriptors == first.descriptors
