"""`ballcourt event verify`: checks the signed bundle of an event."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from math import inf, isclose
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from ballcourt.arena import printable
from ballcourt.arena.files import parse_json, read_regular
from ballcourt.arena.records.replay import verify as execute_again
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.tournament.folder.manifest import SEED, FolderError, kept_seed
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.folder.placing import PLACING
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.organiser.decide import event_in
from ballcourt.arena.tournament.organiser.signed_bundle import TABLE, Index, differing, unpack
from ballcourt.arena.tournament.schedules.stop import asks_for_precision, time_limit
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json
from ballcourt.cli.leaderboard import shown_of
from ballcourt.cli.output import dump, say
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.model.precision import Precision
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.show.terminal import to_json
from ballcourt.leaderboard.store.folder import field_in, outcomes_of, results_in

SAME_RATING = 1e-6
"""Machines may round ratings differently by this much."""


SPARE = 4096
"""Bytes that a published table may have besides twice those of the table made again."""
LATER = frozenset({"placing", "unplayed", "cautions"})
"""Properties that tables of earlier versions lack."""


class EventCheck(NamedTuple):
    """What was checked, and why it failed; an empty reason if it did not."""

    name: str
    finding: str
    failure: str = ""


def verify(
    bundle: Annotated[Path, argument("BUNDLE", "The signed bundle.")],
    key: Annotated[str | None, option("The public key that must have signed the bundle.", "HEX")] = None,
    commitment: Annotated[
        str | None,
        option(
            "The commitment to the seed that was published before the event; the revealed seed must fit it.",
            "sha256:HEX",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a signed bundle: the signature, the commitment to the seed, every match executed again, and the table.

    Two things have to be published before play, so that they cannot be chosen afterwards: the public key, which
    `ballcourt event key` prints, and the commitment to the seed, which `ballcourt tournament` prints. Give them with
    --key and --commitment; otherwise the bundle's own are shown.

    \b
    Exit codes: 0 everything agrees; 1 something does not; 2 it is not a bundle.
    Example:
      ballcourt event verify cup.zip --key 5f0c... --commitment sha256:9b1d...
    """
    with scratch_folder() as folder:
        checks = []
        for check in _checks(unpack(bundle, folder), folder, key, commitment):
            checks.append(check)
            if not as_json:
                say([f"{'FAILED' if check.failure else 'ok':6}  {check.name}: {check.failure or check.finding}"])
    if as_json:
        dump([{"check": one.name, "agrees": not one.failure, "said": one.failure or one.finding} for one in checks])
    if any(check.failure for check in checks):
        raise typer.Exit(CHECK_FAILED)


def tables_of(matches: Sequence[MatchResult], folder: Path) -> dict[str, bytes]:
    """Return the files of a bundle that follow from the matches: the table, and the placing by the rules, if any."""
    boards, placing = shown_of(matches, field_in(folder, matches))
    found = {TABLE: printable.as_json(to_json(boards)).encode()}
    return found | ({PLACING: printable.as_json(replace(placing, is_over=True)).encode()} if placing else {})


def still_missing(kept: Plan, matches: Sequence[MatchResult], now: float = inf) -> str:
    """Return the key of a match of an event that is still to be played at a time; empty if it is over.

    That may be by its length, because its results say enough, or because it was late.
    """
    rules, limit = kept.stop, time_limit(kept.stop)
    began = min((datetime.fromisoformat(match.started).timestamp() for match in matches), default=now)
    precise = Precision(rules, len(kept.entrants), kept.changes.withdrawn) if asks_for_precision(rules) else None
    is_late = limit is not None and now - began >= limit
    return kept.missing(outcomes_of(matches), precise, is_late=is_late)


def _checks(index: Index, folder: Path, key: str | None, commitment: str | None) -> Iterator[EventCheck]:
    """Yield the checks in order; those that make no sense after a failure are left out."""
    signature = _signature(index, key)
    yield signature
    if signature.failure:
        return
    if changed := differing(folder, index):
        yield EventCheck("files", "", f"{', '.join(changed[:5])} {'is' if len(changed) == 1 else 'are'} not as signed")
        return
    yield EventCheck("files", f"{len(index.files)} are as signed")
    seed = _seed(index, folder, commitment)
    yield seed
    if seed.failure:
        return
    matches = yield from _matches(folder)
    yield from _tables(matches, folder)


def _signature(index: Index, key: str | None) -> EventCheck:
    if not index.is_signed:
        return EventCheck("signature", "", f"it is not by {index.signer}")
    if key and key.lower() != index.signer:
        return EventCheck("signature", "", f"it is by {index.signer}, not by {key}")
    return EventCheck(
        "signature", f"by {index.signer}" + ("" if key else "; compare it with the organiser's public key")
    )


def _seed(index: Index, folder: Path, commitment: str | None) -> EventCheck:
    """Check what the bundle reveals, and leave the seed where the event's readers look for it."""
    if not index.commitment:
        failure = "the seed was typed, so no one was committed to it before" if commitment else ""
        return EventCheck("seed", f"{index.opening}; it was typed, so anyone with the file knew it", failure)
    (folder / SEED).write_text(index.opening, encoding="utf-8")
    try:
        kept = kept_seed(folder)
    except FolderError:
        kept = None
    if kept is None or kept.commitment != index.commitment:
        return EventCheck("seed", "", f"{index.opening} is not what {index.commitment} committed to")
    if commitment and commitment != index.commitment:
        return EventCheck("seed", "", f"the bundle is for {index.commitment}, not for {commitment}")
    finding = f"SHA-256 of '{index.opening}' is {index.commitment.removeprefix('sha256:')}"
    return EventCheck("seed", finding + ("" if commitment else "; compare it with the commitment before the event"))


def _matches(folder: Path) -> Generator[EventCheck, None, list[MatchResult]]:
    """Check that the records are those of the event, all of them, and follow from their decisions."""
    try:
        found = results_in(folder, from_database=False)
        missing = still_missing(event_in(folder), found.matches)
    except WrongInput as error:
        yield EventCheck("schedule", "", str(error))
        return []
    failure = found.left_out[0] if found.left_out else f"{missing} is missing" if missing else ""
    finding = f"all {len(found.matches)} matches are there, with the deals that follow from the seed"
    yield EventCheck("schedule", finding, failure)
    decisions, failure = 0, ""
    for file in record_files(folder):
        try:
            verification = execute_again(read_record(file))
        except RecordError as error:
            failure = failure or str(error)
        else:
            decisions += verification.decisions
            failure = failure or (verification.difference and f"{file.stem}: {verification.difference}")
    yield EventCheck("rules", f"all matches executed again agree, in {decisions} decisions", failure)
    return found.matches


def _tables(matches: Sequence[MatchResult], folder: Path) -> Iterator[EventCheck]:
    """Check that the table and the placing follow from the matches. Older bundles have no placing."""
    try:
        made = tables_of(matches, folder)
        again = {name: parse_json(data) for name, data in made.items()}
        names = {TABLE} | ({PLACING} if (folder / PLACING).exists() else set())
        # a file that is much larger than it should be is refused
        sizes = {name: 2 * len(made.get(name, b"")) + SPARE for name in names}
        published = {name: parse_json(read_regular(folder / name, size)) for name, size in sizes.items()}
    except OSError as error:
        yield EventCheck("table", "", f"it does not follow from the matches: {error.strerror}")
        return
    except (ValueError, WrongInput) as error:
        yield EventCheck("table", "", f"it cannot be made again: {error}")
        return
    for name, value in sorted(published.items(), reverse=True):
        failure = "" if _same(value, again.get(name)) else "it does not follow from the matches"
        yield EventCheck(name.removesuffix(".json"), "it follows from the matches", failure)


def _same(published: Any, other: Any) -> bool:  # noqa: ANN401  # JSON values
    """Whether two JSON values are of one type and equal, ratings up to rounding, but for what older bundles lack."""
    if type(published) is not type(other):  # true is not a number, and 1.0 not a count
        return False
    if isinstance(published, dict):
        names = {*published, *(LATER & other.keys())}
        return names == other.keys() and all(_same(published[name], other[name]) for name in published)
    if isinstance(published, list):
        return len(published) == len(other) and all(map(_same, published, other))
    if isinstance(published, float):
        return isclose(published, other, abs_tol=SAME_RATING)
    return bool(published == other)
