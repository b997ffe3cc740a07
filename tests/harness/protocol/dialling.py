"""Both ends of a real stream: a bot that says bytes, and a harness that keeps what it hears."""

import threading
from collections import deque

import grpc
import trio
from tongits_harness.protocol.link import TableLink

LIMIT_S = 20
OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


class Client:
    """A bot's end of the stream; `say` sends bytes, `hear` waits for the harness's next."""

    def __init__(self, path, method="Play"):
        self._words, self._coming = deque(), threading.Semaphore(0)
        self._channel = grpc.insecure_channel(f"unix:{path}", options=OWN_CONNECTION)
        play = self._channel.stream_stream(f"/tongits.v1.Table/{method}")
        self.call = play(self._say_all())

    def _say_all(self):
        while self._coming.acquire(timeout=LIMIT_S):
            word = self._words.popleft()
            if word is None:
                return
            yield word

    def say(self, *words):
        for word in words:
            self._words.append(word)
            self._coming.release()

    async def hear(self):
        return await trio.to_thread.run_sync(next, self.call)

    async def code(self):
        return await trio.to_thread.run_sync(self.call.code)

    def close(self):
        self.say(None)
        self.call.cancel()
        self._channel.close()


class Harness:
    """A link, what it received, and an event for each time it woke us."""

    def __init__(self, path):
        self.path, self.received, self._more = path, [], trio.Event()
        self.link = TableLink(str(path), self._wake)

    def _wake(self):
        self.received.extend(self.link.take())
        self._more.set()

    async def until(self, count):
        with trio.fail_after(LIMIT_S):
            while len(self.received) < count:
                self._more = trio.Event()
                await self._more.wait()
        return self.received[count - 1]
