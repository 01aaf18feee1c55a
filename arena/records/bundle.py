"""Fault bundles: a folder for the author of a bot that lost its seat, with the reason and all that reproduces it.

It holds what this bot received, sent and printed, and nothing that the bot could not know: no seed and no other bot.
"""

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Final

from google.protobuf.message import DecodeError

from ballcourt.arena.faults import describe_exit, describe_termination, excerpt, short_name
from ballcourt.arena.files import read_regular, write_atomically, write_folder_atomically
from ballcourt.arena.printable import printable
from ballcourt.arena.records.readable import read_request, reply_lines, request_lines
from ballcourt.arena.records.store import MOST_BYTES, RecordError, read_message
from ballcourt.engine.core import UnknownGame
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord, SeatFault

FAULTS: Final = "faults"
"""The folder of the bundles in the output folder of a tournament."""
LOGS: Final = "logs"
"""The folder of what bots printed, with a folder for each bot."""
LOG_SUFFIX: Final = ".txt"
"""How the name of such a file ends, after the key of the match and the seat."""
README, STDERR, EXCHANGES, FAULT = FILES = "README.txt", "stderr.txt", "exchanges.txt", "fault.binpb"
QUOTED_LINES: Final = 20
YOUR_BOT: Final = "/path/of/your/bot"


def write_bundles(folder: Path, record: MatchRecord) -> list[Path]:
    """Write a folder for every bot that lost its seat in a match; remove those of an earlier play of the match.

    Raises OSError.
    """
    if not (record.faults or folder.is_dir()):
        return []
    written = []
    faults = {fault.seat: fault for fault in record.faults}
    for seat in range(len(record.entrants)):
        path = folder / _name(record, seat)
        if seat in faults:
            folder.mkdir(parents=True, exist_ok=True)
            write_folder_atomically(path, _files(record, faults[seat]))
            written.append(path)
        elif path.is_dir():
            shutil.rmtree(path)
    return written


def take_logs(folder: Path, record: MatchRecord) -> None:
    """Take what the bots printed out of a record, and write it into a folder for each version of a bot, if it printed.

    Records are for everyone, and a log is for the author of its bot. Raises OSError.
    """
    for seat, log in enumerate(record.logs):
        file = folder / _log_name(record, seat)
        if log:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, _bytes(log.splitlines()))
        else:
            file.unlink(missing_ok=True)  # of an earlier play of the match
    record.ClearField("logs")


def remove_bundles_and_logs(folder: Path, record: MatchRecord) -> None:
    """Remove what was written of a match for authors into an output folder. Raises OSError."""
    for seat in range(len(record.entrants)):
        (folder / LOGS / _log_name(record, seat)).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            shutil.rmtree(folder / FAULTS / _name(record, seat))


def logs_of(folder: Path, bot: str) -> list[Path]:
    """List the files in a folder that `take_logs` wrote for all versions of a bot; none if there is no folder."""
    return [file for file in folder.glob(f"*/*{LOG_SUFFIX}") if file.parent.name.startswith(f"{_alone(bot)}@")]


def has_bundles(folder: Path, record: MatchRecord) -> bool:
    """Return whether the bundles of a match are there; one that a power cut emptied is not."""
    return all(_is_whole(folder / _name(record, fault.seat), fault) for fault in record.faults)


def bundles_in(folder: Path) -> list[Path]:
    """List the bundles in a folder by name; none if there is no folder."""
    return sorted(file.parent for file in folder.glob(f"*/{FAULT}"))


def read_bundle(path: Path) -> SeatFault:
    """Read a bundle from its folder. Raises RecordError if it is missing or damaged."""
    file = path / FAULT
    try:
        return read_message(SeatFault, read_regular(file, MOST_BYTES))
    except OSError as error:
        raise RecordError(f"{path} is not a fault bundle: cannot read {file}: {error.strerror or error}") from error
    except DecodeError as error:
        raise RecordError(f"{file} is damaged or cut short") from error


def summary(record: MatchRecord, fault: SeatFault) -> Iterator[str]:
    """Yield lines that say what happened to a bot, with its last output."""
    return map(printable, _summary(record, fault))


def to_json(record: MatchRecord, fault: SeatFault) -> dict[str, object]:
    """Return the same as JSON values."""
    return {
        "seat": fault.seat,
        "bot": record.entrants[fault.seat].name,
        "version": record.entrants[fault.seat].version,
        "termination": short_name(fault.termination),
        "detail": fault.detail,
        "decision": fault.decision,
        "exit_code": fault.exit_code,
        "stderr_tail": fault.stderr_tail,
    }


def _summary(record: MatchRecord, fault: SeatFault) -> Iterator[str]:
    entrant = record.entrants[fault.seat]
    out_of_memory = "yes" if fault.termination == Termination.TERMINATION_OUT_OF_MEMORY else "no"
    yield f"{entrant.name} {entrant.version} lost its seat in match {record.key}"
    yield ""
    yield f"what            {describe_termination(fault.termination)}"
    yield f"why             {fault.detail}"
    yield f"when            decision {fault.decision} of the match"
    yield f"where           {record.game}, rules {record.rules_version}, seat {fault.seat} of {len(record.entrants)}"
    yield f"process         {_end(fault)}"
    yield f"out of memory   {out_of_memory}"
    yield f"arena           {record.arena}, sandbox tier {record.sandbox_tier}"
    yield f"files of bot    sha256 {entrant.content_hash}"
    yield ""
    yield from _last_words(fault)


def _guide(record: MatchRecord, fault: SeatFault) -> Iterator[str]:
    yield ""
    yield f"{EXCHANGES} has {_extent(fault)}, with the replies of the bot."
    yield ""
    if any(read_request(exchange.request).HasField("decide") for exchange in fault.last):
        yield "To put its last question to your bot again, in a terminal, with breakpoints and without a clock:"
        yield f"    ballcourt debug . {YOUR_BOT}"
        yield "With --history it gets the earlier messages first, as a bot with memory needs them."
        if fault.left_out:
            yield f"{fault.left_out} of them are not kept here, so a fault that depends on them may not come again."
            yield "The record of the match has all: ask the organiser for it."
    else:
        yield "None of these requests is a question. To see it start and play:"
        yield f"    ballcourt check bot {YOUR_BOT} --game {record.game}"


def _extent(fault: SeatFault) -> str:
    if not fault.left_out:
        return "all requests of the match up to the fault"
    return (
        f"the start of the match and the last {len(fault.last) - 1} requests; {fault.left_out} before them are left out"
    )


def _exchanges(record: MatchRecord, fault: SeatFault) -> Iterator[str]:
    try:
        game = find_game(record.game)
    except UnknownGame as error:
        yield f"the messages cannot be shown: {error}"
        return
    for exchange in fault.last:
        yield from _labelled("arena", request_lines(game, exchange.request))
        for reply in exchange.replies:
            yield from _labelled("bot", reply_lines(game, reply))
        if not exchange.replies:
            yield from _labelled("bot", iter(["(nothing)"]))
        yield ""


def _labelled(who: str, lines: Iterator[str]) -> Iterator[str]:
    yield f"{who:>5} > {next(lines)}"
    yield from (f"        {line}" for line in lines)


def _files(record: MatchRecord, fault: SeatFault) -> dict[str, bytes]:
    return {
        README: _bytes(chain(_summary(record, fault), _guide(record, fault))),
        STDERR: _bytes(fault.stderr_tail.splitlines()),
        EXCHANGES: _bytes(_exchanges(record, fault)),
        FAULT: fault.SerializeToString(deterministic=True),
    }


def _is_whole(path: Path, fault: SeatFault) -> bool:
    try:
        return read_bundle(path) == fault and (path / README).stat().st_size > 0
    except (RecordError, OSError):
        return False


def _bytes(lines: Iterable[str]) -> bytes:
    return "".join(f"{printable(line)}\n" for line in lines).encode()


def _name(record: MatchRecord, seat: int) -> str:
    return f"{_word(record.key)}-seat{seat}-{_word(record.entrants[seat].name)}"


def _log_name(record: MatchRecord, seat: int) -> str:
    entrant = record.entrants[seat]
    return f"{_alone(entrant.name)}@{_alone(entrant.version)}/{_word(record.key)}-seat{seat}{LOG_SUFFIX}"


def _word(text: str) -> str:
    """Return the key of a match, or the name or version of a bot, as names of files have them."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", text)[:100]


def _alone(text: str) -> str:
    """Return the same, but never the same for two texts."""
    word = _word(text)
    return word if word == text else f"{word}~{sha256(text.encode()).hexdigest()[:16]}"


def _end(fault: SeatFault) -> str:
    if fault.exit_code:
        return describe_exit(fault.exit_code)
    has_ended = fault.termination in (Termination.TERMINATION_CRASH, Termination.TERMINATION_FAILED_TO_START)
    return "exit code 0, or ended by the arena" if has_ended else "it was running when it lost its seat"


def _last_words(fault: SeatFault) -> Iterator[str]:
    lines = excerpt(fault.stderr_tail, QUOTED_LINES)
    if not lines:
        yield "It printed nothing."
        return
    yield f"Its last output ({STDERR} has all that was kept):"
    yield from (f"| {line}" for line in lines)
