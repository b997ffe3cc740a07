"""One episode of the environment: a session of games from one seed. No arrays, no agents' names."""

from typing import NamedTuple

from tongits_engine import (
    Action,
    Event,
    EventKind,
    GameResult,
    Observation,
    Rules,
    State,
    Table,
    apply,
    apply_legal,
    close_game,
    close_session,
    deal,
    deck,
    first_dealer,
    legal_actions,
    observe,
    open_game,
    settle,
)

from tongits_harness.errors import TongitsError

SEED_BYTES = 32
Triple = tuple[int, int, int]


class Course(NamedTuple):
    """What every episode of one environment has in common."""

    rules: Rules
    games: int
    ask_forced: bool
    """Whether a seat is also asked where it has one legal action only."""


class Progress(NamedTuple):
    """What an action led to."""

    gains: Triple | None
    """Chips won or lost by seat since the last settling; None if no game has ended."""
    results: tuple[GameResult, ...]
    """Of the games that have ended."""


NOTHING_SETTLED = Progress(None, ())


class Episode:
    """A session being played: always at a decision, unless it is over."""

    def __init__(self, course: Course, seed: int, number: int) -> None:
        """Deals the first game.

        Args:
            course: What is played.
            seed: From 0 to 2**256 - 1.
            number: Counts the episodes of one seed.

        Raises:
            TongitsError: The seed is outside its range.
        """
        self._seed = seed_bytes(seed)
        self._key = f"episode {number}"
        self._course = course
        self._settled: Triple = (0, 0, 0)
        self.is_over = False
        self.table = Table(course.rules, first_dealer(self._seed, self._key))
        self._open()
        self._pass_forced([])

    def play(self, action: Action) -> Progress:
        """Plays an action of the seat to act, and all that is forced after it.

        Raises:
            IllegalActionError: The action is not legal; the message names the rule.
        """
        is_legal = action in self.legal
        self._follow(*(apply_legal if is_legal else apply)(self.state, action))
        results: list[GameResult] = []
        self._pass_forced(results)
        if not results:
            return NOTHING_SETTLED
        before, self._settled = self._settled, self.table.chips if self.is_over else self._chips
        after = self._settled
        gains = (after[0] - before[0], after[1] - before[1], after[2] - before[2])
        return Progress(gains, tuple(results))

    def seen_by(self, seat: int) -> Observation:
        """What a seat sees of the game."""
        return observe(self.state, seat)

    @property
    def games_left(self) -> int:
        """Games that come after this one."""
        return max(0, self._course.games - 1 - self.table.games)

    def _open(self) -> None:
        self._chips = self.table.chips
        self.table = open_game(self.table)
        cards = deck(self._seed, self._key, self.table.games)
        self._take_up(deal(self._course.rules, cards, self.table.dealer))
        self.pile_seats: tuple[int, ...] = ()
        """By place in the discard pile: the seat that threw the card."""

    def _take_up(self, state: State) -> None:
        self.state = state
        self.legal = () if state.is_over else legal_actions(state)

    def _follow(self, state: State, events: tuple[Event, ...]) -> None:
        for event in events:
            if event.kind is EventKind.DISCARDED:
                self.pile_seats += (event.seat,)
            elif event.kind is EventKind.TOOK:
                self.pile_seats = self.pile_seats[:-1]
        self._take_up(state)

    def _pass_forced(self, results: list[GameResult]) -> None:
        """Goes on to the next decision, over ends of games and single legal actions."""
        while True:
            if self.state.is_over:
                results.append(self._close())
                if self.is_over:
                    return
            elif len(self.legal) == 1 and not self._course.ask_forced:
                self._follow(*apply_legal(self.state, self.legal[0]))
            else:
                return

    def _close(self) -> GameResult:
        result = settle(self.state)
        self.table = close_game(self.table, result)
        if self.table.games == self._course.games:
            self.table = close_session(self.table)
            self.is_over = True
        else:
            self._open()
        return result


def seed_bytes(seed: int) -> bytes:
    """The 32 bytes of the engine's shuffle that an episode's seed stands for, big-endian.

    Raises:
        TongitsError: The seed is outside its range.
    """
    if not 0 <= seed < 1 << 8 * SEED_BYTES:
        raise TongitsError(f"reset(seed={seed}): a seed is a whole number from 0 to 2**256 - 1")
    return seed.to_bytes(SEED_BYTES, "big")
