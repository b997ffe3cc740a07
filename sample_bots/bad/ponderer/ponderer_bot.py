"""Burns processors while others think (row 28), two or, as `crowd`, all it can get.

Expected: its CPU time is counted; the crowd is charged where it makes decisions of others late.
"""

import os
import sys
import threading
from multiprocessing import get_context

from tongits_bot import Action, View, serve

CROWD = 40
started: list[bool] = []


def burn() -> None:
    """Work without an end."""
    while True:
        sum(range(1000))


def gather() -> None:
    """A crowd of processes, without making the bot itself late.

    Each in a session of its own, for the scheduler gives every session its share.
    """
    if os.fork() == 0:
        for _ in range(CROWD):
            if os.fork() == 0:
                break
        os.setsid()
        burn()


def decide(view: View) -> Action:
    """The first legal action; with the first one, work begins in a thread and in processes."""
    if not started:
        started.append(True)
        if "crowd" in sys.argv:
            gather()
        else:
            threading.Thread(target=burn, daemon=True).start()
            get_context("fork").Process(target=burn, daemon=True).start()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
