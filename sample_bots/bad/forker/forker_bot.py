"""Leaves daemons behind that outlive it, then plays. Expected: no fault, and no daemon is left."""

import os
import time

from tongits_bot import serve

DAEMONS = 4
LIFETIME_S = 600
"""They end by themselves, for whoever runs this without a sandbox."""


def leave_daemon() -> None:
    """Fork twice with a session of its own in between: the classic way to shake off a parent."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork() == 0:
        time.sleep(LIFETIME_S)
    os._exit(0)


if __name__ == "__main__":
    for _ in range(DAEMONS):
        leave_daemon()
    serve(lambda view: view.legal[0])
