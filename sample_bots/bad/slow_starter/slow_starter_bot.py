"""Needs long to start, as a virtual machine or a model does (row 44). Expected: no fault in time.

The argument is the number of seconds; beyond the start limit it is NO_HANDSHAKE.
"""

import sys
import time

from tongits_bot import serve

if __name__ == "__main__":
    time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 2.0)
    serve(lambda view: view.legal[0])
