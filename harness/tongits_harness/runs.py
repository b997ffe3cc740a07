"""A run from validated settings to its end: begins a tournament or takes one up again."""

import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import trio
from tongits_engine import Rules, RulesError, rules_named

from tongits_harness.bots.build import BuildServices, build_all, needs_build
from tongits_harness.bots.limits import Limits
from tongits_harness.bots.manifest import Bot, load_bot
from tongits_harness.bots.sandbox import Level, Sandbox
from tongits_harness.bots.spawner import Spawner
from tongits_harness.collector import seldom_collected
from tongits_harness.config import MachineSection, TournamentConfig
from tongits_harness.errors import EXIT_INTERRUPTED, ConfigError, TongitsError
from tongits_harness.play.formats import check_format, format_settings, stored_format
from tongits_harness.play.limits import FAULT_POLICY, PlayLimits
from tongits_harness.play.pacing import cores_for_bots
from tongits_harness.play.players import Where
from tongits_harness.play.programme import plans_stored, take_up
from tongits_harness.play.progress import Progress
from tongits_harness.play.tournament import Ledger, TournamentRun, TournamentSetup
from tongits_harness.protocol.codec import ENCODING
from tongits_harness.results import secret as secrets
from tongits_harness.results.ratings import RatingFold
from tongits_harness.results.records import EntrantRecord, TournamentRecord
from tongits_harness.results.store import Store, open_store
from tongits_harness.results.tournament_rows import as_stored
from tongits_harness.results.writer import open_writer
from tongits_harness.samples import find_bot
from tongits_harness.submissions.lookup import reference, seated_version

HERE = Where()


class StoppedError(TongitsError):
    """A run was asked to stop before it had begun."""

    exit_code = EXIT_INTERRUPTED


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """Everything that was asked for, checked, before anything is started or written."""

    setup: TournamentSetup
    record: TournamentRecord
    """As it is (or will be) stored; a new one still lacks its commitment."""
    results: Path
    resumes: bool
    seed: bytes | None = None
    """The committed secret, if the organiser gave one."""


def prepare_run(config: TournamentConfig, *, base: Path, results: Path) -> PreparedRun:
    """Loads bots and rules of a new tournament.

    Raises:
        ConfigError: bots or rules that cannot be used; all bots are looked at before it is raised.
    """
    bots = _load_bots(
        [(entrant.bot, entrant.name) for entrant in config.entrants],
        base,
        config.limits.memory_mib,
        results,
    )
    rules = config.rules.make()
    played = config.format.make()
    check_format(played, tuple(bots))
    per_round = played.matches_in_round(len(bots))
    matches = config.matches or config.rounds * per_round
    setup = TournamentSetup(
        name=config.name,
        rules=rules,
        bots=bots,
        rounds=math.ceil(matches / per_round),
        matches=matches,
        games=config.games,
        seatings=config.seatings,
        limits=config.limits.play(),
        process_limits=config.limits.process(),
        machine=config.machine,
        compute_slots=_compute_slots(config.machine),
        format=played,
    )
    seed = bytes.fromhex(config.seed) if config.seed else None
    overrides = dict(config.rules.overrides)
    return PreparedRun(setup, _record(setup, config.rules.name, overrides), results, False, seed)


def prepare_resume(results: Path, name: str | None) -> PreparedRun:
    """Takes up a stored tournament with the settings it was begun with.

    Raises:
        ConfigError: it is finished, or a bot, the rules or a setting is not what it was.
        CannotContinueError: the database is damaged.
    """
    with open_store(results, create=False) as store:
        record = store.tournament(name)
        if store.read.progress(record.name).is_finished:
            raise ConfigError(f"tournament {record.name} is finished: there is nothing to resume")
        store.read.check_soundness()
    settings = record.settings
    machine = MachineSection.model_validate(settings["machine"])
    process_limits = Limits(**_mapping(settings["process_limits"]))  # type: ignore[arg-type]
    bots = _load_bots(
        [(entrant.source, entrant.name) for entrant in record.entrants],
        Path(),
        process_limits.memory_mib,
        results,
    )
    rules = _rules(str(settings["rules"]), _mapping(settings["overrides"]))
    setup = TournamentSetup(
        name=record.name,
        rules=rules,
        bots=bots,
        rounds=_int(settings["rounds"]),
        matches=record.matches_planned,
        games=_int(settings["games"]),
        seatings=_int(settings["seatings"]),
        limits=PlayLimits(**_mapping(settings["limits"])),  # type: ignore[arg-type]  # as stored by asdict
        process_limits=process_limits,
        machine=machine,
        compute_slots=_compute_slots(machine),
        format=stored_format(settings),
    )
    now = _record(setup, str(settings["rules"]), _mapping(settings["overrides"]))
    _refuse_changes(record, as_stored(now))
    return PreparedRun(setup, record, results, resumes=True)


async def conduct(
    run: PreparedRun,
    sandbox: Sandbox,
    progress: Progress,
    stop: trio.Event,
    say: Callable[[str], None] = lambda _line: None,
    *,
    allow_fetch: bool = False,
    where: Where = HERE,
) -> bool:
    """Plays; returns True if the tournament is finished, False if it was stopped before its end.

    `say` is told what is built, when the run pauses because results cannot be written, and when it
    goes on.

    Raises:
        BotError: a bot could not be built or did not come up; nothing was stored.
        ConfigError: a bot needs a fetch, and that is not allowed.
        StoppedError: it was stopped while bots were built; nothing was stored.
        CannotContinueError: results cannot be written.
    """
    bots = await _build(run, sandbox, stop, say, allow_fetch=allow_fetch)
    setup = replace(run.setup, bots=bots)
    with seldom_collected():
        await TournamentRun(
            setup, sandbox, lambda: _open_ledger(run, say), progress, stop, where
        ).play()
    with open_store(run.results, create=False) as store:
        finished = progress.is_complete
        if finished:
            secret = secrets.load_secret(run.results, run.setup.name)
            store.finish_tournament(run.setup.name, secret.hex())
    if finished:
        secrets.remove_secret(run.results, run.setup.name)
    return finished


async def _build(
    run: PreparedRun,
    sandbox: Sandbox,
    stop: trio.Event,
    say: Callable[[str], None],
    *,
    allow_fetch: bool,
) -> Mapping[str, Bot]:
    """The bots with what their builds have made; whether that was long ago makes no difference."""
    bots = run.setup.bots
    if not any(map(needs_build, bots.values())):
        return bots
    built: dict[str, Bot] = {}
    async with Spawner() as spawner, trio.open_nursery() as nursery:
        services = BuildServices(
            sandbox,
            spawner,
            run.results / "builds",
            allow_fetch=allow_fetch,
            allow_unsandboxed=sandbox.level is Level.NONE,  # it was asked for by name
        )
        nursery.start_soon(_cancel_when, stop, nursery.cancel_scope)
        built = await build_all(bots, services, say)
        nursery.cancel_scope.cancel()
    if not built:
        raise StoppedError("stopped while bots were built; nothing was stored: start it again")
    return built


async def _cancel_when(stop: trio.Event, everything: trio.CancelScope) -> None:
    await stop.wait()
    everything.cancel()


def new_progress(run: PreparedRun) -> Progress:
    """Counters at nought."""
    progress = Progress(run.setup.matches, run.setup.matches * run.setup.seatings)
    progress.fold = RatingFold(run.setup.bots)
    return progress


def free_name(results: Path, wanted: str) -> str:
    """`wanted`, or `wanted-2`, `wanted-3`, ... if it has been used in this results folder."""
    taken: set[str] = set()
    if (results / "arena.db").exists():
        with open_store(results, create=False) as store:
            taken = {tournament.name for tournament in store.tournaments()}
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


@asynccontextmanager
async def _open_ledger(run: PreparedRun, say: Callable[[str], None]) -> AsyncIterator[Ledger]:
    """Begins the tournament in the database, or reads what is stored of it."""
    name = run.setup.name
    with open_store(run.results, create=not run.resumes) as store:
        if run.resumes:
            secret = secrets.load_secret(run.results, name)
            if not secrets.is_committed(secret, run.record.commitment):
                raise ConfigError(f"the secret of {name} is not the one that was committed to")
        else:
            secret = _begin(store, run)
        schedule = run.setup.schedule()
        left = store.leave_off(name, lambda first: plans_stored(store, schedule, first))
        programme = take_up(store, schedule, left.next_match)
    seed = secrets.tournament_seed(secret, (entrant.version for entrant in run.record.entrants))
    pause_s = run.setup.machine.pause_s
    async with open_writer(run.results, name, say=say, pause_s=pause_s) as writer:
        yield Ledger(seed, writer, left, programme)


def _begin(store: Store, run: PreparedRun) -> bytes:
    name = run.setup.name
    if name in {tournament.name for tournament in store.tournaments()}:
        raise ConfigError(f"tournament {name} exists already: resume it or choose another name")
    # A secret without a tournament was never published: the run that made it died in between.
    secrets.remove_secret(run.results, name)
    secret = secrets.commit_secret(run.results, name, run.seed)
    store.create_tournament(replace(run.record, commitment=secrets.commitment(secret)))
    return secret


def _load_bots(
    wanted: list[tuple[str, str | None]], base: Path, memory_mib: int, results: Path
) -> dict[str, Bot]:
    bots: dict[str, Bot] = {}
    problems: list[str] = []
    for word, name in wanted:
        try:
            submitted = seated_version(word, base, results)
            bot = load_bot(reference(submitted, results) if submitted else find_bot(word, base))
        except ConfigError as error:
            problems.append(str(error))
            continue
        if (bot.manifest.memory or 0) > memory_mib:
            problems.append(
                f"bot {bot.name} asks for {bot.manifest.memory} MiB, bots get {memory_mib}: "
                "raise limits.memory_mib in the tournament file, or lower memory in its bot.toml"
            )
        title = name or (submitted.title if submitted else bot.name)
        if title in bots:
            problems.append(
                f"two entrants are called {title} ({bots[title].path} and {bot.path}): "
                "give one another name (name = in the tournament file, or in its bot.toml)"
            )
        bots[title] = replace(bot, name=title)
    if problems:
        raise ConfigError("\n".join(problems))
    return dict(sorted(bots.items()))


def _rules(name: str, overrides: Mapping[str, object]) -> Rules:
    try:
        return rules_named(name, overrides)
    except RulesError as error:
        raise ConfigError(f"rules: {error}") from None


def _record(
    setup: TournamentSetup, rules: str, overrides: Mapping[str, object]
) -> TournamentRecord:
    entrants = tuple(
        EntrantRecord(
            name=name,
            version=bot.digest,
            declared_version=bot.manifest.version,
            language=bot.manifest.language,
            source=str(bot.reference.resolve()),
            manifest=bot.manifest.model_dump(mode="json"),
        )
        for name, bot in setup.bots.items()
    )
    settings: dict[str, object] = {
        "rules": rules,
        "overrides": dict(overrides),
        "rounds": setup.rounds,
        "games": setup.games,
        "seatings": setup.seatings,
        "limits": asdict(setup.limits),
        "process_limits": asdict(setup.process_limits),
        "fault_policy": FAULT_POLICY,
        "encoding": ENCODING,
        "machine": setup.machine.model_dump(),
        **format_settings(setup.format),
    }
    return TournamentRecord(
        name=setup.name,
        rules=setup.rules.name,
        parameters=dict(setup.rules.parameters()),
        settings=settings,
        entrants=entrants,
        commitment="",
        matches_planned=setup.matches,
        created_at=time.time(),
    )


def _refuse_changes(stored: TournamentRecord, now: TournamentRecord) -> None:
    """A resumed tournament is the one that was begun (design section 11, Results)."""
    changes = [
        f"bot {old.name} changed (version {old.version[:12]} then, {new.version[:12]} now): "
        f"put {old.source} back as it was, or begin a new tournament"
        for old, new in zip(stored.entrants, now.entrants, strict=True)
        if old.version != new.version
    ]
    for title, old, new in (
        ("rule", stored.parameters, now.parameters),
        ("setting", stored.settings, now.settings),
    ):
        changes += [
            f"{title} {key} changed ({old.get(key)!r} then, {new.get(key)!r} now)"
            for key in sorted(old.keys() | new.keys())
            if old.get(key) != new.get(key) and key != "machine"  # results do not depend on it
        ]
    if changes:
        raise ConfigError(f"cannot resume {stored.name}: " + "; ".join(changes))


def _compute_slots(machine: MachineSection) -> int:
    return machine.compute_slots or cores_for_bots()


def _mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise ConfigError(f"the stored tournament has {value!r} where a whole number belongs")
    return value
