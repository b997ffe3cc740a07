"""A conversation with nobody: a link that keeps what is sent, in a time that is only counted."""

import itertools
from collections import deque
from dataclasses import dataclass, field, replace

import trio
from tongits.v1 import table_pb2 as pb
from tongits_harness.play.limits import PlayLimits
from tongits_harness.play.warm_up import warm_up_asks
from tongits_harness.protocol.conversation import Conversation, Pending
from tongits_harness.protocol.decisions import SeatGame
from tongits_harness.protocol.handshake import Terms
from tongits_harness.protocol.link import Broken, Received

TOKEN = "word-of-the-test"  # noqa: S105  # a nonce, nothing secret
SECOND = 1_000_000_000


@dataclass
class FakeLink:
    """Keeps what is sent, as messages, and gives what it was handed."""

    sent: list[pb.TableMessage] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    asked: int = 0
    inbox: deque = field(default_factory=deque)

    def send(self, message, asked):
        self.sent.append(pb.TableMessage.FromString(message))
        self.sizes.append(len(message))
        self.asked += asked

    def take(self):
        while self.inbox:
            yield self.inbox.popleft()

    def requests(self):
        return [request for message in self.sent for request in message.requests]


@dataclass
class FakeLag:
    """An event loop that stood still for so long during every span."""

    ns: int = 0

    def lag_ns(self, _since_ns, _until_ns):
        return self.ns


def ask_for(number, *, budget_s=1.0, padding=0, legal=None):
    """The same first decision of a game, as a game of its own."""
    ask = warm_up_asks()[0]
    game = SeatGame(
        f"game-{number}".encode(),
        ask.game.started,
        lambda: ask.game.started + pb.GameStarted(resumed=True).SerializeToString(),
    )
    note = pb.Observation(discards=bytes(padding)).SerializeToString() if padding else b""
    budget_us = round(budget_s * 1e6)
    return replace(
        ask, game=game, view=ask.view + note, budget_us=budget_us, legal=legal or ask.legal
    )


class Bench:
    """A conversation under test, what it delivered and what it sent."""

    def __init__(self, *, warm_up=0, games=4, limits=None, queue_waits_us=dict, burner=None):
        self._ticks = itertools.count(1)
        self.link, self.lag = FakeLink(), FakeLag()
        self.replies, self.voids, self.rounds_done = {}, {}, 0
        terms = Terms(TOKEN, games, limits or PlayLimits(), warm_up_asks()[:warm_up])
        self.talk = Conversation(
            self.link,
            terms,
            self.lag,
            self._round_done,
            entrant="ana",
            run_queue_waits_us=queue_waits_us,
            burner=burner or (lambda _since_ns, _waited_us: None),
            now_ns=self.now_ns,
        )

    def _round_done(self):
        self.rounds_done += 1

    def now_ns(self):
        """Virtual time, a nanosecond later at every look, as real time is."""
        return round(trio.current_time() * SECOND) + next(self._ticks)

    def hears(self, message, *, at_s=None):
        """The bot says something, read from the socket now or at a second."""
        at_ns = self.now_ns() if at_s is None else round(at_s * SECOND)
        self.link.inbox.append(Received(at_ns, message))
        self.talk.wake()

    def loses(self, violation=None):
        self.link.inbox.append(Broken(self.now_ns(), violation))
        self.talk.wake()

    def greet(self, *, token=TOKEN, version=1, games=4):
        hello = pb.Hello(protocol_version=version, token=token, concurrent_games=games, sdk="t/1")
        self.hears(pb.BotMessage(hello=hello))

    def decide(self, *decisions, at_s=None):
        self.hears(pb.BotMessage(decisions=pb.Decisions(decisions=decisions)), at_s=at_s)

    def answer(self, *ids, at_s=None, index=0):
        """The bot takes the legal action at `index` for each of these, in one message."""
        self.decide(*[pb.Decision(decision_id=i, index=index) for i in ids], at_s=at_s)

    def ask(self, *asks, known=lambda _game: False):
        """Asks in one batch; gives the numbers the requests were sent under."""
        batch = [self._pending(ask) for ask in asks]
        self.talk.ask(batch, known)
        return [_id_of(pending) for pending in batch]

    def ask_games(self, count, **how):
        return self.ask(*[ask_for(number, **how) for number in range(count)])

    def _pending(self, ask):
        pending = Pending(
            ask,
            lambda reply: self.replies.update({_id_of(pending): reply}),
            lambda pending, reason: self.voids.update({_id_of(pending): (reason, pending.burner)}),
        )
        return pending


def _id_of(pending):
    return pb.DecisionRequest.FromString(pending.request).decision_id
