"""Draws the learning curve of `train.py` over several seeds: a table, and `learning_curve.svg`.

python curve.py --rules tongits-lite --seeds 5
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from train import Point, curve

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 14, 40
HEAD = "| games of self-play | CPU minutes | chips a game: mean | lowest | highest |"
STYLE = """<style>
text { font: 12px sans-serif; fill: #555 }
.band { fill: #3b7dd8; opacity: .2 }
.mean { fill: none; stroke: #3b7dd8; stroke-width: 2 }
.axis { stroke: #999; stroke-dasharray: 2 3 }
</style>"""


def table(runs: Sequence[Sequence[Point]]) -> str:
    """A row for each point, over all seeds."""
    rows = [HEAD, "| ---: | ---: | ---: | ---: | ---: |"]
    for points in zip(*runs, strict=True):
        chips = [point.chips for point in points]
        minutes = fmean([point.minutes for point in points])
        rows.append(
            f"| {points[0].games} | {minutes:.2f} | {fmean(chips):+.2f}"
            f" | {min(chips):+.2f} | {max(chips):+.2f} |"
        )
    return "\n".join(rows)


def drawing(runs: Sequence[Sequence[Point]]) -> str:
    """The mean over the seeds as a line in the band from the lowest to the highest."""
    columns = [[point.chips for point in points] for points in zip(*runs, strict=True)]
    games = [point.games for point in runs[0]]
    low = min(0.0, *[min(column) for column in columns])
    high = max([max(column) for column in columns])

    def x(place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * place / (len(columns) - 1), 1)

    def y(chips: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (chips - low) / (high - low), 1)

    upper = [f"{x(place)},{y(max(column))}" for place, column in enumerate(columns)]
    lower = [f"{x(place)},{y(min(column))}" for place, column in enumerate(columns)]
    means = [f"{x(place)},{y(fmean(column))}" for place, column in enumerate(columns)]
    marks = [
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(chips)}" y2="{y(chips)}"/>'
        f'<text x="{LEFT - 8}" y="{y(chips) + 4}" text-anchor="end">{chips:+d}</text>'
        for chips in range(int(high) + 1)
    ]
    marks += [
        f'<text x="{x(place)}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{played}</text>'
        for place, played in enumerate(games)
    ]
    caption = "games of self-play; chips a game against two random players"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            f"<title>Learning curve of {len(runs)} seeds: {caption}</title>",
            STYLE,
            *marks,
            f'<polygon class="band" points="{" ".join([*upper, *reversed(lower)])}"/>',
            f'<polyline class="mean" points="{" ".join(means)}"/>',
            f'<text x="{WIDTH / 2}" y="{HEIGHT - 6}" text-anchor="middle">{caption}</text>',
            "</svg>\n",
        ]
    )


def main() -> None:
    """Trains once for each seed and draws."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rules", default="tongits-lite")
    parser.add_argument("--games", type=int, default=6400, help="games of self-play a seed")
    parser.add_argument("--seeds", type=int, default=5)
    file = Path(__file__).with_name("learning_curve.svg")
    parser.add_argument("--draw", type=Path, default=file, help="file for the drawing")
    asked = parser.parse_args()
    runs = [
        [point for point, _ in curve(asked.rules, asked.games, seed)]
        for seed in range(1, asked.seeds + 1)
    ]
    print(table(runs))
    asked.draw.write_text(drawing(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
