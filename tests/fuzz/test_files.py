"""Damaged files of a tournament and a host: databases, tournament files, folders, tokens."""

import json
import shutil
import sqlite3
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.arena.bots import bot as bots
from ballcourt.arena.bots.bot import BotError, load_bot
from ballcourt.arena.printable import as_json
from ballcourt.arena.records.store import write_record
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.reading import parse_event, read_event
from ballcourt.arena.tournament.folder import manifest
from ballcourt.arena.tournament.folder.manifest import FolderError, kept_seed, kept_versions
from ballcourt.arena.tournament.folder.output import DATABASE, open_folder
from ballcourt.arena.tournament.folder.placing import FolderField, kept_field
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.organiser.decide import event_in
from ballcourt.cli.leaderboard import shown_of
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.model.results import LeaderboardError, from_record
from ballcourt.leaderboard.show.terminal import to_csv, to_json
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.tables import METADATA
from tests.arena.recorded import recorded
from tests.cli.conftest import write_bot
from tests.fuzz.command import told
from tests.fuzz.damage import TEXTS, damaged, tried

COLUMNS = {table.name: [column.name for column in table.columns] for table in METADATA.sorted_tables}
TABLES = ("options", "clock", "faults", "sandbox")
SCALARS = st.none() | st.integers(-9, 9) | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats() | TEXTS


def tables(values: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(TEXTS, values, max_size=3)


VALUES = st.recursive(SCALARS | st.booleans(), lambda inner: st.lists(inner, max_size=3) | tables(inner), max_leaves=6)
ENTRIES = ["tier", "readable", "memory_mb", "cap_ms", "work", "ponder", "illegal", "probation", "rounds"]
INNER = VALUES | st.dictionaries(st.sampled_from(ENTRIES), VALUES, max_size=3)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={name: INNER if name in TABLES else VALUES for name in Event.model_fields},
)
TOKEN = st.fixed_dictionaries(
    dict.fromkeys(("id", "owner", "bot", "hash", "created"), VALUES), optional={"revoked": VALUES}
)
TOKENS = VALUES | st.fixed_dictionaries({"tokens": VALUES | st.lists(VALUES | TOKEN, max_size=3)})


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the output folder of a tournament, with a database."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "records").mkdir()
    with open_folder(folder, tournament(tmp_path_factory)), open_database(folder / DATABASE, create=True) as database:
        for number in range(3):
            record = recorded(f"m{number}", seed=number)
            write_record(folder / "records", record)
            database.add([from_record(record)])
    return folder


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return tournament(tmp_path_factory)


def tournament(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    bots = tmp_path_factory.mktemp("bots")
    names = tuple(str(write_bot(bots / name, name)) for name in ("lowest", "highest"))
    faults = {"disqualify": "above 10% of 20 matches"}
    return plan(Event().replaced(game="bluff", bots=names, seats=2, seed=5, faults=faults))


def read_database(file: Path) -> None:
    """Render every table of a database, like the command `leaderboard`."""
    with suppress(LeaderboardError), open_database(file) as database:
        boards = shown_of(database.results(), FolderField()).boards
        assert to_csv(boards)
        json.loads(as_json(to_json(boards)))


@pytest.mark.slow
@tried(120)
@given(data=st.data())
def test_a_damaged_database_is_read_or_explained(
    played: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / "damaged.sqlite"
    file.write_bytes(data.draw(damaged((played / DATABASE).read_bytes())))
    read_database(file)


@pytest.mark.slow
@tried(150)
@given(
    column=st.sampled_from([(table, name) for table in COLUMNS for name in COLUMNS[table]]), value=SCALARS | st.binary()
)
def test_a_database_with_an_invalid_value_is_read_or_explained(
    played: Path, tmp_path_factory: pytest.TempPathFactory, column: tuple[str, str], value: object
) -> None:
    file = tmp_path_factory.getbasetemp() / "changed.sqlite"
    shutil.copy(played / DATABASE, file)
    with sqlite3.connect(file) as connection, suppress(sqlite3.IntegrityError):
        table, name = column
        connection.execute(f"UPDATE {table} SET {name} = ? WHERE {name} = (SELECT min({name}) FROM {table})", [value])
    connection.close()
    read_database(file)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["empty", "text", "folder", "record", "cut short"])
def test_a_path_that_is_not_a_database_is_explained(played: Path, tmp_path: Path, kind: str) -> None:
    place = tmp_path / "some.sqlite"
    data = {"text": b"hello", "record": (played / "records" / "m0.match").read_bytes(), "empty": b""}
    if kind == "folder":
        place.mkdir()
        (place / DATABASE).mkdir()
    else:
        place.write_bytes(data.get(kind, (played / DATABASE).read_bytes()[:5000]))
    assert told("leaderboard", str(place), within=tmp_path).exit_code == 2


@pytest.mark.slow
@tried(150)
@given(values=tables(VALUES) | SETTINGS)
def test_settings_of_any_type_are_planned_or_explained(
    tmp_path_factory: pytest.TempPathFactory, planned: Plan, values: dict[str, object]
) -> None:
    sound = {"game": "bluff", "bots": [str(bot.folder) for bot in planned.bots.values()]}
    with suppress(WrongInput):
        assert plan(parse_event({**sound, **values}, "the file", tmp_path_factory.getbasetemp())).matches


TOURNAMENT = (
    b'game = "bluff"\nbots = ["./low", "any"]\nseats = 2\n[clock]\ncap_ms = 50\n[faults]\nillegal = "retry 2"\n'
)


@tried(150)
@given(data=damaged(TOURNAMENT))
def test_a_damaged_tournament_file_is_read_or_explained(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "t.toml"
    file.write_bytes(data)
    with suppress(WrongInput):
        assert isinstance(read_event(file), Event)


def use_folder(folder: Path, planned: Plan) -> None:
    """Use the manifest of a folder in every way that a command does."""
    for use in (
        lambda: kept_seed(folder),
        lambda: kept_field(event_in(folder), {}, folder),
        lambda: kept_versions(folder, ["lowest"]),
        lambda: open_folder(folder, planned).__enter__(),
    ):
        with suppress(WrongInput):
            use()


@pytest.mark.slow
@tried(100)
@given(data=st.data())
def test_a_damaged_manifest_is_used_or_explained(
    played: Path, tmp_path_factory: pytest.TempPathFactory, planned: Plan, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "damaged"
    folder.mkdir(exist_ok=True)
    (folder / MANIFEST).write_bytes(data.draw(damaged((played / MANIFEST).read_bytes())))
    use_folder(folder, planned)


@tried(100)
@given(data=st.data(), value=VALUES)
def test_a_manifest_with_values_of_any_type_is_used_or_explained(
    played: Path, tmp_path_factory: pytest.TempPathFactory, planned: Plan, data: st.DataObject, value: object
) -> None:
    folder = tmp_path_factory.getbasetemp() / "changed"
    folder.mkdir(exist_ok=True)
    table = tomllib.loads((played / MANIFEST).read_text())
    place = data.draw(st.sampled_from([*table]))
    table[place] = value
    (folder / MANIFEST).write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest, "read_toml", lambda _: dict(table))
        use_folder(folder, planned)


@tried(30)
@given(data=st.data())
def test_a_damaged_token_file_is_used_or_explained(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    tokens = TokenFile(tmp_path_factory.getbasetemp() / "good.json")
    if not tokens.path.exists():
        tokens.new("low", "ann")
        tokens.new("any", "bob")
    file = TokenFile(tmp_path_factory.getbasetemp() / "damaged.json")
    file.path.write_bytes(data.draw(damaged(tokens.path.read_bytes())))
    use_tokens(file)


@pytest.mark.slow
@tried(150)
@given(document=TOKENS)
def test_a_token_file_with_values_of_any_type_is_used_or_explained(
    tmp_path_factory: pytest.TempPathFactory, document: object
) -> None:
    file = TokenFile(tmp_path_factory.getbasetemp() / "changed.json")
    file.path.write_text(json.dumps(document))
    use_tokens(file)


def use_tokens(file: TokenFile) -> None:
    """Use a token file in every way that a host or a command does."""
    for use in (
        lambda: file.find("secret"),
        lambda: file.owner_of("low"),
        lambda: file.revoke("x"),
        lambda: file.new("low", "ann"),
        lambda: ", ".join(token.created for token in file.all()),
    ):
        with suppress(WrongInput):
            use()


BOT = {"name": "low", "version": "1", "command": ["{python}", "-V"], "directory": ".", "games": ["bluff"]}


@tried(100)
@given(changes=st.dictionaries(st.sampled_from([*BOT, "author", "url", "build"]), VALUES, max_size=3))
def test_a_bot_file_with_values_of_any_type_is_loaded_or_explained(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, object]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "bot"
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text("")
    with pytest.MonkeyPatch.context() as patch, suppress(WrongInput):
        patch.setattr(bots, "_parsed", lambda _: {**BOT, **changes})
        assert load_bot(folder).name


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = \0", "\ufeff\ufeff", "'"])
def test_a_file_that_is_not_toml_is_explained(tmp_path: Path, planned: Plan, text: str) -> None:
    for name in ("bot.toml", "t.toml", MANIFEST):
        (tmp_path / name).write_text(text)
    with pytest.raises(BotError):
        load_bot(tmp_path)
    with pytest.raises(SettingsError):
        read_event(tmp_path / "t.toml")
    with pytest.raises(FolderError):
        kept_seed(tmp_path)


@pytest.mark.parametrize(
    "values", [{"output": "a\0"}, {"bots": ["./\0"]}, {"sandbox": {"tier": 1, "readable": ["/\0"]}}]
)
def test_an_invalid_path_is_explained(tmp_path: Path, values: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match="must be a non-empty string"):
        parse_event(values, "the file", tmp_path)


def test_an_invalid_directory_of_a_bot_is_explained(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "a"\nversion = "1"\ncommand = ["b"]\ndirectory = "\\u0000"\n')
    with pytest.raises(BotError, match="it must be a string"):
        load_bot(tmp_path)
