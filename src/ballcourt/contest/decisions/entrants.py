"""The field of the finals: of each bot the version that its team chose, or the newest, unless it lost too many seats.

It is a tournament file, signed by the organiser, and complete before the seed of the finals is committed. It names the
version and content hash of every bot, so a tournament of it plays these files or none. Paths are relative to it.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from ballcourt.arena.files import read_regular, to_toml, write_atomically
from ballcourt.arena.ladder.arrivals.handed import files_of
from ballcourt.arena.ladder.roster import FAULTS, Roster
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.organiser.signing import is_signed, read_key, sign
from ballcourt.contest.decisions.audit import note_decision
from ballcourt.contest.refusals import ContestError, StateError
from ballcourt.contest.settings import shown
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.following import follow_ladder
from ballcourt.contest.submissions.states import PASSED, PENDING, PLAYABLE
from ballcourt.contest.submissions.work_queue import again_waiting

KEPT: Final = ("game", "seats", "options", "clock", "faults", "sandbox", "logs")
"""What the finals have in common with the ladder."""
MOST: Final = 4 << 20


def write_entrants(contest: Contest, output: Path, key: Path, who: str, reason: str) -> tuple[int, str]:
    """Write the field and its signature, `output` with `.sig`; return how many entrants there are, and the public key.

    Raises StateError while a phase is open or submissions wait, SigningError and OSError.
    """
    private = read_key(key)
    if phase := contest.phase:
        raise StateError(
            f"phase {phase.name} is open until {shown(phase.closes)}; the field is fixed when it has closed"
        )
    follow_ladder(contest)
    roster = Roster(read_trail(contest.ladder.output))
    rested = {one.bot.content_hash for one in roster if one.withdrawal and one.withdrawal.rule == FAULTS}
    with contest.store.writing() as connection:
        _check_settled(connection)
        entrants = [*_entrants(connection, rested)]
        if not entrants:
            raise StateError("no bot has been accepted, so there is no field")
        tables = [_table(contest, output, row) for row in entrants]
        names = [f"# {row.owner}: {row.bot} {row.version}, {row.content_hash}" for row in entrants]
        data = _file(contest, names, tables).encode()
        public, signature = sign(data, private)
        found = {"sha256": sha256(data).hexdigest(), "signer": public, "entrants": len(tables)}
        write_atomically(output, data)
        write_atomically(_signature_of(output), f"{public}\n{signature}\n".encode())
        note_decision(connection, who, "entrants", output.name, reason, contest.now(), found)
    return len(tables), public


def check_entrants(file: Path, public: str) -> str:
    """Return the SHA-256 of a field that the owner of a public key has signed. Raises ContestError for any other."""
    try:
        data, signed = read_regular(file, MOST), read_regular(_signature_of(file), MOST).decode("ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        raise ContestError(f"{file} or its signature cannot be read: {error}") from error
    if len(signed) != 2 or signed[0] != public:
        raise ContestError(f"{file} is signed by another key than {public}")
    if not is_signed(data, *signed):
        raise ContestError(f"{file} was changed since it was signed, or its signature was")
    return sha256(data).hexdigest()


def _check_settled(connection: Connection) -> None:
    pending = select(func.count()).select_from(SUBMISSIONS).where(SUBMISSIONS.c.state.in_(PENDING))
    if count := connection.execute(pending).scalar_one() + again_waiting(connection):
        raise StateError(f"submissions that wait or are being examined, also again: {count}; wait until that is over")


def _entrants(connection: Connection, rested: Collection[str]) -> Iterator[Row[Any]]:
    """Yield the submission of each bot that plays in the finals; none of a bot that the organiser withdrew.

    Of one whose newest version lost its seats, whose hash is in `rested`, only one that the team chose since plays.
    """
    is_of_bot = (BOTS.c.team == SUBMISSIONS.c.team) & (BOTS.c.name == SUBMISSIONS.c.bot)
    passed = connection.execute(
        select(SUBMISSIONS, TEAMS.c.name.label("owner"), BOTS.c.look, BOTS.c.chosen)
        .select_from(SUBMISSIONS.join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team).join(BOTS, is_of_bot))
        .where(SUBMISSIONS.c.state.in_(PASSED))
        .order_by(BOTS.c.look, SUBMISSIONS.c.created)
    )
    for _, found in groupby(passed, attrgetter("look")):
        rows = [*found]
        newest = rows[-1]
        if newest.state in PLAYABLE:
            chosen = [row for row in rows if row.id == row.chosen and row.state in PLAYABLE]
            if chosen or newest.content_hash not in rested:
                yield (chosen or rows)[-1]


def _table(contest: Contest, output: Path, row: Row[Any]) -> dict[str, str]:
    path = os.path.relpath(files_of(contest.ladder.output, row.content_hash), output.parent)
    return {"path": path if path.startswith(".") else f"./{path}", "owner": row.owner, "hash": row.content_hash}


def _file(contest: Contest, names: list[str], tables: list[dict[str, str]]) -> str:
    written = contest.ladder.to_table()
    common: Mapping[str, object] = {name: written[name] for name in KEPT if name in written}
    head = (f"# The finals of {contest.settings.name}: ballcourt tournament FILE --rounds N",)
    return to_toml({**common, "bot": tables}, (*head, *names))


def _signature_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.sig")
