"""A run in small: stores the sessions that are missing and says so after each; gets killed."""

import sys
from pathlib import Path

from tongits_harness.results.store import open_store

from tests.harness.results.builders import match_plan, match_sessions, tournament

MATCHES = 10


def main() -> None:
    with open_store(Path(sys.argv[1]), create=True) as store:
        if not store.tournaments():
            store.create_tournament(tournament(matches=MATCHES))
        done = store.stored_sessions("cup")
        for index in range(MATCHES):
            for record in match_sessions(match_plan(index), (index % 5, -1, 1 - index % 5)):
                if (index, record.plan.seating) not in done:
                    store.add_session("cup", record)
                    print(index, record.plan.seating, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
