"""A small harness: starts one bot with daemons, tells all host pids, waits to be killed."""

import sys
from pathlib import Path

import trio
from tongits_harness.bots.accounting import family_of
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import load_bot
from tongits_harness.bots.process import open_process
from tongits_harness.bots.sandbox import open_sandbox
from tongits_harness.bots.seat import open_seat_folder
from tongits_harness.bots.spawner import Spawner
from tongits_harness.bots.staging import open_run_folder, stage


async def main(choice, folder):
    sandbox, limits = open_sandbox(choice), Limits()
    with open_run_folder() as run, open_seat_folder(run, sandbox.bot_uid(9)) as seat:
        staged = stage(load_bot(Path(folder)), run)
        async with (
            Spawner() as spawner,
            open_process(
                sandbox, spawner, staged, seat, token=str(9), limits=limits, slot=9
            ) as process,
        ):
            while b"ready" not in process.stdout.head:
                await process.stdout.wait_more()
            sys.stdout.write(f"{run.path} {' '.join(map(str, family_of(process.pid)))}\n")
            sys.stdout.flush()
            await trio.sleep_forever()


trio.run(main, *sys.argv[1:])
