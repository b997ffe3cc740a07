"""Drawings made of numbers on the server: they need no script, and print."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from tongits_harness.results.fold.totals import Point
from tongits_harness.results.latency import BUCKETS_PER_DOUBLING, bucket_of
from tongits_harness.web.render import scale

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 10, 30


def history(points: Sequence[Point]) -> Markup:
    """A rating over matches: the mean as a line, two standard deviations as a band."""
    if len(points) < 2:
        return Markup("")
    lows = [point.mu - 2 * point.sigma for point in points]
    highs = [point.mu + 2 * point.sigma for point in points]
    y_axis = (min(lows), max(highs))
    x_axis = (float(points[0].matches), float(points[-1].matches))
    xs = [_x(point.matches, x_axis) for point in points]
    upper = [f"{x},{_y(value, y_axis)}" for x, value in zip(xs, highs, strict=True)]
    lower = [f"{x},{_y(value, y_axis)}" for x, value in zip(xs, lows, strict=True)]
    means = [f"{x},{_y(point.mu, y_axis)}" for x, point in zip(xs, points, strict=True)]
    label = (
        f"mu from {points[0].mu:.1f} after {points[0].matches} matches to {points[-1].mu:.1f} after"
        f" {points[-1].matches}"
    )
    body = Markup('<polygon class="band" points="{}"/><polyline class="mean" points="{}"/>').format(
        " ".join([*upper, *reversed(lower)]), " ".join(means)
    )
    return _chart(label, body, y_axis, [(x_axis[0], xs[0]), (x_axis[1], xs[-1])], "matches")


def latency(histogram: Mapping[int, int], limit_ms: float | None) -> Markup:
    """Times of decisions on a logarithmic axis, with the limit drawn; counts on a root scale."""
    if not histogram:
        return Markup("")
    last = max(histogram)
    if limit_ms is not None:
        last = max(last, _bucket(limit_ms) + 2)
    axis = (float(min(histogram)), float(last + 1))
    most = max(histogram.values())
    bars = Markup("").join(
        _bar(_x(bucket, axis), _x(bucket + 1, axis), (count / most) ** 0.5, _told(bucket, count))
        for bucket, count in sorted(histogram.items())
    )
    if limit_ms is not None:
        x = _x(_bucket(limit_ms), axis)
        bars += Markup(
            '<line class="limit" x1="{}" x2="{}" y1="{}" y2="{}"/><text class="limit" x="{}" y="{}"'
            ' text-anchor="end">limit</text>'
        ).format(x, x, _TOP, _HEIGHT - _BOTTOM, x - 4, _TOP + 12)
    marks = [(10.0**power, _bucket(10.0**power)) for power in range(-3, 7)]
    ticks = [(ms, _x(at, axis)) for ms, at in marks if axis[0] <= at < axis[1]]
    label = f"decisions by time: {sum(histogram.values())} in all"
    return _chart(label, bars, None, ticks, "ms")


def _bar(left: float, right: float, height: float, told: str) -> Markup:
    top = _y(height, (0.0, 1.0))
    width, bottom = round(right - left - 0.5, 1), _HEIGHT - _BOTTOM
    return Markup(
        '<rect class="bar" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>'
    ).format(left, top, width, round(bottom - top, 1), told)


def _told(bucket: int, count: int) -> str:
    return f"{_ms(bucket):.3g} to {_ms(bucket + 1):.3g} ms: {count}"


def _chart(
    label: str,
    body: Markup,
    y_axis: tuple[float, float] | None,
    ticks: Sequence[tuple[float, float]],
    unit: str,
) -> Markup:
    bottom = _HEIGHT - _BOTTOM
    texts = [
        Markup('<text x="{}" y="{}" text-anchor="middle">{}</text>').format(
            min(max(x, _LEFT + 20), _WIDTH - 44), bottom + 18, f"{value:g} {unit}"
        )
        for value, x in ticks
    ]
    if y_axis is not None:
        low, high = y_axis
        texts += [
            Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(
                _LEFT - 6, y + 4, f"{value:.0f}"
            )
            for value, y in ((low, bottom), (high, _TOP + 4))
        ]
    return Markup(
        '<svg class="chart" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">'
        '<line class="axis" x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}"/>'
        "{body}{texts}</svg>"
    ).format(
        w=_WIDTH, h=_HEIGHT, label=label, left=_LEFT, right=_WIDTH - _RIGHT, bottom=bottom,
        body=body, texts=Markup("").join(texts),
    )  # fmt: skip


def _x(value: float, axis: tuple[float, float]) -> float:
    return round(_LEFT + scale(value, axis, _WIDTH - _LEFT - _RIGHT), 1)


def _y(value: float, axis: tuple[float, float]) -> float:
    return round(_HEIGHT - _BOTTOM - scale(value, axis, _HEIGHT - _BOTTOM - _TOP), 1)


def _ms(bucket: float) -> float:
    return float(2 ** (bucket / BUCKETS_PER_DOUBLING)) / 1000


def _bucket(ms: float) -> int:
    return bucket_of(ms * 1000)
