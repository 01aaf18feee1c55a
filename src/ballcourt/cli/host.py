"""`ballcourt host`: plays a tournament with remote bots."""

from contextlib import nullcontext
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path

from ballcourt.arena.extras import needs
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.remote.port import address_of, take_port
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.arena.tournament.event.reading import event_from, output_folder
from ballcourt.arena.tournament.folder.manifest import kept_versions
from ballcourt.arena.tournament.playing.play import plan_in
from ballcourt.arena.tournament.playing.remote_bots import remote_names, resolver
from ballcourt.arena.workers.cores import usable
from ballcourt.arena.workers.runner import HostRunner
from ballcourt.cli.commands.events import DoorFlags
from ballcourt.cli.flags import LengthFlags, OutcomeFlags, Treatment
from ballcourt.cli.given import settings_table
from ballcourt.cli.output import note
from ballcourt.cli.running import play_and_show, report, say_confinement


def host(file: Path, length: LengthFlags, treatment: Treatment, door: DoorFlags, outcome: OutcomeFlags) -> None:
    """Run `ballcourt host`."""
    given = settings_table(treatment, (), **asdict(length), output=outcome.folder)
    strict = treatment.strict
    confine = partial(say_confinement, strict=strict)
    if door.reflection:
        needs("reflection")
    settings = event_from(file, given, "the command line")
    folder = output_folder(file, settings)
    names = remote_names(settings)
    known = TokenFile(door.tokens)
    versions = kept_versions(folder, names)
    # checks everything that does not need the bots' versions before waiting for the bots
    planned = plan_in(folder, settings, resolver(known, dict.fromkeys(names, "?") | versions), confine)
    tables = door.concurrent or settings.workers or len(usable())
    with take_port(door.listen, door.cert, door.key, insecure=door.insecure) as port:
        hosting = Hosting(
            listener=port.fileno(),
            games=tuple(dict.fromkeys(setup.game for setup in planned.setups)),
            bots=names,
            versions=versions,
            tokens=str(door.tokens),
            certificate=str(door.cert or ""),
            key=str(door.key or ""),
            reconnect_ms=door.reconnect_ms,
            tables=tables,
            reflection=door.reflection,
        )
        with HostRunner(hosting) as runner:
            encryption = "without TLS" if door.insecure else "with TLS"
            note(f"listening on {address_of(port)} {encryption} for {', '.join(names)}")
            versions = versions or runner.roll_call()
            replan = partial(plan_in, folder, settings, cache(resolver(known, versions)))
            planned = replan()
            start = lambda _: nullcontext(runner)  # noqa: E731
            results = play_and_show(planned, folder, settings.database, start, tables, replan, live=False)
    report(planned, folder, results, as_json=outcome.as_json, fail_on_fault=outcome.fail_on_fault or strict)
