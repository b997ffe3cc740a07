"""The tournament harness."""

import os

# gRPC's fork handlers would stall every spawn; they are installed by the first `import grpc`.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
