"""Nothing is kept of a match that is over."""

from tongits_harness.results import writer

from tests.durability.in_process import Sample, play


def test_no_object_is_kept_of_a_match_that_is_over(tmp_path, monkeypatch):
    # Records that wait for the disk are no leak; how many do depends on the machine.
    monkeypatch.setattr(writer, "QUEUE_LIMIT", 1)
    samples = []

    def look(plan):
        if plan.match.index in {200, 450, 700}:
            samples.append(Sample.taken(plan.match.index))

    progress = play(
        tmp_path, monkeypatch, on_seat=look, rounds=701, seatings=1, games=1,
        machine={"tables": 1},
    )  # fmt: skip

    assert progress.matches_done == 701
    _warm, before, after = samples
    assert sum(after.growth(before).values()) < 50, after.growth(before)
    assert after.descriptors == before.descriptors
