"""What bots print while they are watched, line by line."""

from collections.abc import Iterator, Mapping

from tongits_harness.bots.output import Output
from tongits_harness.play.lane import Lane
from tongits_harness.text import safe_text


class Prints:
    """What bots print, handed out as it comes; at most what is kept of it."""

    def __init__(self) -> None:
        self.lanes: Mapping[int, Lane] = {}
        """Seat -> lane, once they are open."""
        self._seats: dict[str, int] = {}
        self._shown: dict[Output, int] = {}

    def news(self) -> Iterator[tuple[int, str]]:
        """Seat and line, of everything that is new; a line that is not complete yet waits."""
        for seat, lane in self.lanes.items():
            process = lane.now.process if lane.now else None
            if process is not None:
                self._seats[process.incarnation] = seat
                for output in (process.stdout, process.stderr):
                    yield from self._of(process.incarnation, output, is_over=False)

    def last(self, incarnation: str, *outputs: Output) -> Iterator[tuple[int, str]]:
        """The rest of a process that has ended."""
        if incarnation in self._seats:
            for output in outputs:
                yield from self._of(incarnation, output, is_over=True)

    def _of(self, incarnation: str, output: Output, *, is_over: bool) -> Iterator[tuple[int, str]]:
        since = self._shown.get(output, 0)
        new = output.head[since:]
        if not is_over:
            new = new[: new.rfind(b"\n") + 1]
        self._shown[output] = since + len(new)
        lines = safe_text(new, lines=True).splitlines()
        if is_over and output.last:
            lines.append(f"[... {output.dropped} bytes left out ...]")
            lines += safe_text(output.last, lines=True).splitlines()
        for line in lines:
            yield self._seats[incarnation], line
