"""One exchange of requests and answers with a bot process, timed on both sides."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.bench.family import cpu_s


@dataclass(slots=True)
class Exchange:
    """What so many decisions took."""

    answered: int = 0
    seconds: float = 0.0
    """By the clock."""
    harness_s: float = 0.0
    """CPU of this process."""
    bot_s: float = 0.0
    """CPU of the bot."""

    @property
    def rate(self) -> float:
        """Decisions a second by the clock."""
        return self.answered / self.seconds

    @property
    def harness_us(self) -> float:
        return self.harness_s / self.answered * 1e6

    @property
    def bot_us(self) -> float:
        return self.bot_s / self.answered * 1e6

    @classmethod
    @contextmanager
    def timed(cls, found: list["Exchange"], pid: int) -> Iterator["Exchange"]:
        """Times the block, which counts what was answered; the exchange is added to `found`."""
        exchange = cls()
        bot, cpu, start = cpu_s(pid), time.process_time(), time.perf_counter()
        yield exchange
        exchange.seconds = time.perf_counter() - start
        exchange.harness_s = time.process_time() - cpu
        exchange.bot_s = cpu_s(pid) - bot
        found.append(exchange)
