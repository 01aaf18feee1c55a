"""The creation of a contest: a folder with its file, the file of its ladder, and a database."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from ballcourt.arena.files import folder_in_place_of
from ballcourt.contest.refusals import ContestFileError, demand_tier
from ballcourt.contest.settings import FILE, ContestFile, in_results, read_contest_file
from ballcourt.contest.store.opening import open_store
from ballcourt.engine.registry import find_game

LADDER: Final = "ladder.toml"
SQLITE: Final = "sqlite:///contest.sqlite"
WATCHED: Final = "bots"
DAYS: Final = 30

CONTEST_TOML: Final = """\
# A contest: `ballcourt docs contest` explains every key.
name = {name}
url = {url}                # the address at which people find it
ladder = "ladder.toml"
database = {database}
files = "files"
entry = "invited"          # invited | open | closed

[teams]
members = 3
bots = 1                   # how many bots a team may enter
copies = "shown"           # shown | refused: files that another team has entered

[[phase]]
name = "training"
opens = {opens}     # always with a zone: Z is UTC
closes = {closes}
accepted = 5               # submissions of a team within any 24 hours
attempts = 20
scrimmages = 10            # matches that count nowhere, for which a team asks

[upload]
mb = 100
unpacked_mb = 512
team_mb = 2000

[examine]
processes = 2
"""
LADDER_TOML: Final = """\
# The ladder of the contest: `ballcourt docs ladder` explains every key.
game = {game}
bots = "bots"              # bots of the organiser may join from here
output = "ladder"
seats = {seats}
versions = 1               # the newest version of each bot plays
residents = ["random"]
stop = "±1.0"              # rest once every rating is known to 1 point and no bot is new
pace = 600                 # matches an hour
retention = "30 d"         # how long records, logs and faults are kept; results stay
logs = true                # for the authors: what their bots print

[faults]                   # a version that loses its seat in most of its last matches plays no more; the next one does
disqualify = {{ percent = 50, last = 20 }}

[sandbox]
tier = 1

[sandbox.build]            # what a build may use: seconds, processes, and MB of memory, disk and download
time_s = 300
processes = 512
memory_mb = 2048
disk_mb = 1024
fetch_mb = 500
hosts = []                 # besides your registries: ["HOST", "HOST:PORT"]; "*" is port 443 of all public hosts
"""


def make_contest(
    folder: Path,
    name: str,
    url: str,
    game: str,
    seats: int | None = None,
    *,
    database: str = SQLITE,
    unconfined: bool = False,
) -> ContestFile:
    """Make a contest in a new or empty folder, and the tables in its database; return its settings.

    A machine without a sandbox is refused, unless its organiser wants to be `unconfined` there.

    Raises ContestFileError, OSError and WrongInput.
    """
    found = find_game(game)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ContestFileError(f"{folder} exists and is not empty; name a new folder")
    if not unconfined:
        demand_tier(1, "a contest")
    folder.parent.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    contest = CONTEST_TOML.format(
        name=json.dumps(name, ensure_ascii=False),
        url=json.dumps(url),
        database=json.dumps(database),
        opens=in_results(now),
        closes=in_results(now + timedelta(days=DAYS)),
    )
    ladder = LADDER_TOML.format(
        game=json.dumps(game),
        seats=seats or min(count for count in found.seat_counts if count > 1),
    )
    with folder_in_place_of(folder) as temporary:
        (temporary / FILE).write_text(contest, encoding="utf-8")
        (temporary / LADDER).write_text(ladder, encoding="utf-8")
        (temporary / WATCHED).mkdir()
        settings = read_contest_file(folder / FILE, temporary / FILE)
        open_store(settings.database, temporary, create=True).close()
    return settings
