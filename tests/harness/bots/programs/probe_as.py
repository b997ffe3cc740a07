"""Opens the sandbox as whoever runs this and starts a bot in it; prints what it found as JSON."""

import json
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import trio
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.process import open_process
from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.bots.sandbox.contained import probe
from tongits_harness.bots.sandbox.identity import Identity
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import open_run_folder, stage

BOT = """
name = "who"
version = "1"
language = "python"
run = ["python3", "-c", "import grpc, os; print(os.getuid())"]
"""


async def main(identity):
    sandbox = open_sandbox("contained")
    if identity:
        sandbox = replace(sandbox, identity=Identity[identity])
    failure = probe(sandbox)
    with tempfile.TemporaryDirectory() as folder, open_run_folder() as run:
        (Path(folder) / "bot.toml").write_text(BOT)
        staged = stage(load_bot(Path(folder)), run)
        uid = sandbox.bot_uid(11)
        with Spawner() as spawner, open_seat_folder(run, uid) as seat:
            async with open_process(
                sandbox, spawner, staged, seat, token=str(11), limits=Limits(), slot=11
            ) as process:
                await process.exited.wait()
    found = {
        "identity": sandbox.identity.name,
        "failure": failure,
        "harness": os.getuid(),
        "uid": uid,
        "said": process.stdout.text(),
        "errors": process.stderr.text(),
    }
    sys.stdout.write(json.dumps(found))


trio.run(main, sys.argv[1] if len(sys.argv) > 1 else None)
