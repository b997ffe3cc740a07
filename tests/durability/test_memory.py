"""Nothing is kept of a match that is over."""

from tests.durability.in_process import Sample, play


def test_no_object_is_kept_of_a_match_that_is_over(tmp_path, monkeypatch):
    samples = []

    def look(plan):
        if plan.match.index in {200, 600, 1000}:
            samples.append(Sample.taken(plan.match.index))

    progress = play(
        tmp_path, monkeypatch, on_seat=look, rounds=1001, seatings=1, games=1,
        machine={"tables": 1},
    )  # fmt: skip

    assert progress.matches_done == 1001
    _warm, before, after = samples
    assert sum(after.growth(before).values()) < 50, after.growth(before)
    assert after.descriptors == before.descriptors
