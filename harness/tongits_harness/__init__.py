"""The tournament harness."""

import os

# gRPC's fork handlers would stall every spawn; they are installed by the first `import grpc`.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
# gRPC's core prints what a peer sends, raw: no bot may write on an organiser's terminal.
os.environ["GRPC_VERBOSITY"] = "NONE"
