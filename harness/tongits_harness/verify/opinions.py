"""What several bots would do at recorded decisions.

Each bot is asked in a process of its own and told the game as after a restart: GameStarted{resumed}
with the whole public history. So only the decisions in question are asked, in any order.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tongits.v1 import table_pb2 as pb

from tongits_harness.bots.manifest import Bot
from tongits_harness.bots.sandbox import Sandbox
from tongits_harness.errors import BotError
from tongits_harness.play.quick import ask_lane, open_lanes
from tongits_harness.play.session import SessionSetup
from tongits_harness.protocol import codec
from tongits_harness.protocol.decisions import Ask, SeatGame
from tongits_harness.results.records import SessionRecord
from tongits_harness.verify.rehearsal import Asking
from tongits_harness.verify.replay import Recorded, retrace
from tongits_harness.verify.situation import Answer, Situation

Wanted = Callable[[Recorded], bool]
Said = tuple[Answer, ...]
"""What one bot says to one decision, each time it is asked."""


@dataclass(frozen=True, slots=True)
class Opinions:
    """One decision and what the bots say."""

    at: Situation
    said: Mapping[str, Said]
    """By bot, in the order in which they were named."""

    @property
    def leading(self) -> Mapping[str, str]:
        """The answer that each bot gave most often, of equal ones the first."""
        return {bot: leading(said) for bot, said in self.said.items()}

    @property
    def is_unanimous(self) -> bool:
        """All bots answer alike."""
        return len(set(self.leading.values())) < 2


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two bots answer alike."""

    first: str
    second: str
    same: int
    decisions: int


def leading(said: Said) -> str:
    """The most frequent answer, of equal ones the first."""
    return Counter(answer.text for answer in said).most_common(1)[0][0]


def agreements(opinions: Sequence[Opinions]) -> Iterator[Agreement]:
    """Of every pair of bots."""
    bots = list(opinions[0].said) if opinions else []
    for first, second in combinations(bots, 2):
        same = sum(one.leading[first] == one.leading[second] for one in opinions)
        yield Agreement(first, second, same, len(opinions))


def recorded_decisions(setup: SessionSetup, stored: SessionRecord) -> Iterator[Recorded]:
    """Every decision of a stored session that was asked of a bot."""
    return (step for step in retrace(setup, stored) if isinstance(step, Recorded))


async def gather_opinions(
    setup: SessionSetup,
    stored: SessionRecord,
    wanted: Wanted,
    bots: Mapping[str, Bot],
    sandbox: Sandbox,
    *,
    times: int = 1,
) -> tuple[list[Opinions], Mapping[str, BotError]]:
    """What every bot says to the decisions that are wanted, one bot after the other.

    Args:
        setup: How the session was played.
        stored: The session.
        wanted: Which of its decisions.
        bots: By the name they are shown with.
        sandbox: How they are kept apart.
        times: How often each decision is asked, every time but the first with another bot_seed.

    Returns:
        The opinions, in the order of the session; and the bots that did not come up.
    """
    said: dict[str, list[Said]] = {}
    failed: dict[str, BotError] = {}
    for name, bot in bots.items():
        try:
            said[name] = await _ask_one(setup, stored, wanted, bot, sandbox, times)
        except* BotError as group:
            failed[name] = _first(group)
    found = [
        Opinions(Situation.of(recorded), {name: said[name][number] for name in said})
        for number, recorded in enumerate(filter(wanted, recorded_decisions(setup, stored)))
    ]
    return found, failed


async def _ask_one(
    setup: SessionSetup,
    stored: SessionRecord,
    wanted: Wanted,
    bot: Bot,
    sandbox: Sandbox,
    times: int,
) -> list[Said]:
    found: list[Said] = []
    async with open_lanes({0: bot}, sandbox, setup.limits) as lanes:
        lane, sitter = lanes[0], Asking()
        lane.sitters.add(sitter)
        for recorded in filter(wanted, recorded_decisions(setup, stored)):
            answers: list[Answer] = []
            for number in range(times):
                ask = retold(recorded.ask, number)
                answers.append(Answer.of(await ask_lane(lane, sitter, ask)))
                lane.tell_over(ask.game.game_id, codec.encode_void())
            found.append(tuple(answers))
    return found


def retold(ask: Ask, number: int) -> Ask:
    """The same question in a game of its own, whose history is told at once.

    Args:
        ask: As it was asked.
        number: 0 for the bot_seed of the record, else another one for each number.
    """
    started = ask.game.resumed()
    if number:
        own = pb.GameStarted.FromString(started).bot_seed
        seed = hashlib.blake2b(number.to_bytes(4, "big"), key=own, digest_size=len(own)).digest()
        started += pb.GameStarted(bot_seed=seed).SerializeToString()  # the last one counts
    game_id = secrets.token_hex(len(ask.game.game_id) // 2).encode()
    return replace(ask, game=SeatGame(game_id, started, lambda: started))


def _first(group: BaseExceptionGroup[BotError]) -> BotError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
