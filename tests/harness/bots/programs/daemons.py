"""Starts processes that cling to life, says so, then stops itself."""

import os
import signal
import sys
import time

for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
for _ in range(3):
    os.wait()
sys.stdout.write("ready\n")
os.kill(os.getpid(), signal.SIGSTOP)
