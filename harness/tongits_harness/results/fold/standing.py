"""The standing of a tournament: all that its leaderboard and pages are made of, as a fold."""

import json
import zlib
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from tongits_harness.results.fold.edges import edges, met_of
from tongits_harness.results.fold.match_figures import MatchFigures
from tongits_harness.results.fold.plackett_luce import PlackettLuce
from tongits_harness.results.fold.resampling import Resampling
from tongits_harness.results.fold.totals import Pair, SeatTotals, Totals, pairs_as_state
from tongits_harness.results.ratings import RatedMatch, Rating, RatingFold
from tongits_harness.results.suspension import SuspensionFold

STATE = 2
"""Version of `as_state`: states of another version are made anew from the matches."""


class Standing:
    """Ratings, sums, resamples and suspensions after the matches taken so far."""

    def __init__(self, entrants: Iterable[str], seed: str) -> None:
        """Begin without a match.

        Args:
            entrants: Their names.
            seed: What the resamples are drawn from; the same for the same tournament.
        """
        names = sorted(entrants)
        self.last = -1
        """Index of the latest match taken, counted or not."""
        self.matches = 0
        """Matches that count."""
        self.levels: set[str] = set()
        """Isolation levels of the matches that count."""
        self.totals = {name: Totals() for name in names}
        self.pairs: dict[tuple[str, str], Pair] = {}
        self.seats = SeatTotals()
        self.resampling = Resampling(names, seed)
        self.plackett_luce = PlackettLuce()
        self.seed = seed
        """What the resamples are drawn from."""
        self._ratings = RatingFold(names)
        self._suspension = SuspensionFold()

    @property
    def ratings(self) -> Mapping[str, Rating]:
        """By entrant."""
        return self._ratings.ratings

    @property
    def suspended(self) -> Mapping[str, int]:
        """Suspended entrants, each with the index of the match after which it is."""
        return self._suspension.suspended

    def add(self, match: MatchFigures) -> bool:
        """Take the next complete match in schedule order; whether it counts.

        Raises:
            ValueError: Not later in the schedule than the one before.
        """
        result = match.result
        if result.index <= self.last:
            raise ValueError(f"match {result.index} after match {self.last}: not schedule order")
        self.last = result.index
        if not self._suspension.add(result):
            return False
        self.matches += 1
        self.levels.add(match.sandbox)
        self._ratings.add(RatedMatch(result.index, result.entrants, result.places))
        self.plackett_luce.add(result.entrants, result.places)
        self._add_totals(match)
        self.seats.add(match)
        block = {o.entrant: (o.chips, o.games) for o in result.outcomes if not o.forfeited}
        self.resampling.add(result.index, block)
        return True

    def is_barred(self, entrants: Iterable[str]) -> bool:
        """Whether a match of these entrants, coming next, would not count."""
        return self._suspension.is_barred(entrants)

    def suspension(self) -> SuspensionFold:
        """The suspensions so far, as a fold that can go on by itself."""
        return SuspensionFold.from_state(self._suspension.as_state())

    def pair(self, first: str, second: str) -> Pair:
        """The two over the matches of both; `first` must come first by name."""
        return self.pairs.get((first, second), Pair())

    def edges(self) -> dict[str, float | None]:
        """Chips a game of every entrant, deals and opponents taken out; see `edges`."""
        games = {names: (pair.games, pair.other_games) for names, pair in self.pairs.items()}
        return edges(self.resampling.sums(), met_of(games))

    def copy(self) -> "Standing":
        """One that can go on by itself."""
        return Standing.from_bytes(self.to_bytes(), self.seed)

    def to_bytes(self) -> bytes:
        """The whole state, packed; the same state gives the same bytes."""
        state = {
            "state": STATE,
            "last": self.last,
            "matches": self.matches,
            "levels": sorted(self.levels),
            "ratings": {name: [r.mu, r.sigma] for name, r in sorted(self.ratings.items())},
            "suspension": self._suspension.as_state(),
            "totals": {name: totals.as_state() for name, totals in self.totals.items()},
            "pairs": pairs_as_state(self.pairs),
            "seats": self.seats.as_state(),
            "resampling": self.resampling.as_state(),
            "plackett_luce": self.plackett_luce.as_state(),
        }
        return zlib.compress(json.dumps(state, separators=(",", ":")).encode(), 1)

    @classmethod
    def from_bytes(cls, packed: bytes, seed: str) -> "Standing":
        """What `to_bytes` gave.

        Raises:
            ValueError: It is no state of this version.
        """
        try:
            state = json.loads(zlib.decompress(packed))
            if state["state"] != STATE:
                raise ValueError(f"a state of version {state['state']}")
            return cls._from_state(state, seed)
        except (zlib.error, KeyError, TypeError, IndexError) as error:
            raise ValueError(f"no state of a standing: {error!r}") from error

    @classmethod
    def _from_state(cls, state: Mapping[str, Any], seed: str) -> "Standing":
        made = cls((), seed)
        made.last = state["last"]
        made.matches = state["matches"]
        made.levels = set(state["levels"])
        ratings = {name: Rating(*values) for name, values in state["ratings"].items()}
        made._ratings = RatingFold.from_ratings(ratings, made.last)
        made._suspension = SuspensionFold.from_state(state["suspension"])
        totals = state["totals"]
        made.totals = {name: Totals.from_state(values) for name, values in totals.items()}
        made.pairs = {(a, b): Pair(*sums) for a, b, *sums in state["pairs"]}
        made.seats = SeatTotals(*state["seats"])
        made.resampling = Resampling.from_state(state["resampling"], seed)
        made.plackett_luce = PlackettLuce.from_state(state["plackett_luce"])
        return made

    def _add_totals(self, match: MatchFigures) -> None:
        ratings = self._ratings.ratings
        for outcome in match.result.outcomes:
            totals = self.totals[outcome.entrant]
            totals.add(outcome, match)
            totals.rated(match.result.index, ratings[outcome.entrant])
        for first, second in combinations(match.result.outcomes, 2):
            names = first.entrant, second.entrant
            if names not in self.pairs:
                self.pairs[names] = Pair()
            self.pairs[names].add(first, second)
