"""Burns two processors while others think (row 28). Expected: no fault; its CPU time is counted."""

import threading
from multiprocessing import get_context

from tongits_bot import Action, View, serve

started: list[bool] = []


def burn() -> None:
    """Work without an end."""
    while True:
        sum(range(1000))


def decide(view: View) -> Action:
    """The first legal action; with the first one, work begins in a thread and a process."""
    if not started:
        started.append(True)
        threading.Thread(target=burn, daemon=True).start()
        get_context("fork").Process(target=burn, daemon=True).start()
    return view.legal[0]


if __name__ == "__main__":
    serve(decide)
