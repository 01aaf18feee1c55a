"""`[[bot]]` tables: labels, arguments, clocks and owners of entrants."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, BotError, load_bot
from ballcourt.arena.bots.entries import Entry, remote_entry
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament import play_tournament
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.reading import event_from, read_event
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.arena.tournament.folder.events import MatchPlayed, Planned
from ballcourt.arena.tournament.folder.manifest import FolderError, kept_plan
from ballcourt.arena.tournament.folder.output import open_folder, record_files
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.schedules.formats import schedule_of
from ballcourt.arena.tournament.schedules.schedule import Design, Field, FormatOptions, Length
from ballcourt.cli.announce import Announcer
from ballcourt.leaderboard.store.folder import results_in
from tests.arena.tournament.conftest import write_bot
from tests.cli.conftest import write_bot as write_player

CUP = """
game = "bluff"
bots = ["./ann"]
seats = 2
seed = 5
[clock]
cap_ms = 900
[[bot]]
path = "./bob"
owner = "zoe"
[[bot]]
path = "./bob"
label = "deep"
args = ["--depth", "2"]
clock = { bank_ms = 7000 }
owner = "zoe"
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    for name in ("ann", "bob"):
        write_bot(tmp_path / name, name)
    file = tmp_path / "cup.toml"
    file.write_text(CUP)
    return file


def test_a_table_gives_label_arguments_clock_and_owner(cup: Path) -> None:
    planned = plan(read_event(cup))
    _, bob, deep = planned.entrants
    assert [(bot.bot.name, bot.own_name, bot.owner) for bot in planned.entrants] == [
        ("ann", "", ""),
        ("bob", "", "zoe"),
        ("deep", "bob", "zoe"),
    ]
    assert planned.bots[bob].command == ("true",)
    assert planned.bots[deep].command == ("true", "--depth", "2")
    assert planned.clocks == {2: Clock(cap_ms=900, bank_ms=7000)}


def test_arguments_are_part_of_the_content_hash(cup: Path) -> None:
    _, bob, deep = plan(read_event(cup)).entrants
    cup.write_text(CUP.replace('"2"', '"3"'))
    _, same, deeper = plan(read_event(cup)).entrants
    assert same.bot.content_hash == bob.bot.content_hash
    assert len({bob.bot.content_hash, deep.bot.content_hash, deeper.bot.content_hash}) == 3


def test_the_seats_of_a_match_have_their_own_clocks(cup: Path) -> None:
    planned = plan(read_event(cup))
    course = planned.course()
    specs = [match.spec for due in course.upcoming() for match in planned.playable(due)]
    for spec in specs:
        for seat, entrant in enumerate(spec.entrants):
            assert spec.clock_of(seat).bank_ms == (7000 if entrant.bot.name == "deep" else 60_000)
            assert spec.clock_of(seat).cap_ms == 900


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[bot]]\nlabel = 'x'", r"cup\.toml: bot 1 lacks 'path'; give the name or the folder of a bot"),
        ("[[bot]]\npath = 'x'\nlabl = 'y'", r"bot 1 has the unknown key 'labl'; known keys: path, label, args"),
        ("[[bot]]\npath = 'x'\nlabel = 'a b'", r"bot 1: label is 'a b'; it must be 1 to 40 letters"),
        ("[[bot]]\npath = 'x'\nlabel = 3", r"bot 1: label is 3; it must be a string"),
        ("[[bot]]\npath = 'a=x'\nlabel = 'b'", r"path is 'a=x' and label is 'b'; give the label only once"),
        ("[[bot]]\npath = 'x'\nargs = 'y'", r"bot 1: args is 'y'; it must be a list of strings"),
        ("[[bot]]\npath = 'x'\nargs = ['\\u0007']", r"bot 1: args is .*; it must have at most 16384 characters"),
        ("[[bot]]\npath = 'x'\nclock = { cap = 1 }", r"bot 1: clock has the unknown key 'cap'"),
        (
            "[[bot]]\npath = 'x'\nowner = ''\n[[bot]]\npath = 1",
            r"bot 2: path is 1; it must be the name or the folder",
        ),
        ("bot = 'x'", r"bot is 'x'; it must be tables, \[\[bot\]\] each"),
    ],
)
def test_a_wrong_table_is_refused_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text.replace("'\\u0007'", '"\\u0007"'))
    with pytest.raises(SettingsError, match=sentence):
        read_event(file)


def test_two_entrants_of_one_label_are_refused(cup: Path) -> None:
    cup.write_text(CUP.replace('path = "./bob"\nowner', 'path = "./ann"\nlabel = "deep"\nowner'))
    with pytest.raises(SettingsError, match="two entrants are called deep; give one of them another label"):
        plan(read_event(cup))


def test_a_label_may_not_be_the_name_of_another_entrant(cup: Path) -> None:
    cup.write_text(CUP.replace('"deep"', '"ann"'))
    with pytest.raises(SettingsError, match="two entrants are called ann"):
        plan(read_event(cup))


def test_bots_named_by_flags_replace_the_tables_of_the_file(cup: Path) -> None:
    asked = event_from(cup, {"bots": [str(cup.parent / "ann")]}, "the command line")
    assert [table.path for table in asked.entered] == [str(cup.parent / "ann")]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            BotTable(path="remote:far", args=("x",)),
            "far is a remote bot, so its program is its owner's; leave args out",
        ),
        (BotTable(path="remote:far", owner="x"), "far is a remote bot, so its token names the owner; leave owner out"),
    ],
)
def test_a_remote_bot_takes_neither_arguments_nor_owner(table: BotTable, sentence: str) -> None:
    with pytest.raises(BotError, match=sentence):
        table.entry(lambda _: remote_entry("far", "1", "yan"))


def test_the_values_of_parameters_reach_the_process_of_a_bot(tmp_path: Path) -> None:
    bot = _tunable(tmp_path)
    given = BotTable(path="ann", args=("trust=1",)).entry(lambda _: Entry(bot.entrant, bot)).bot
    assert given
    assert bot.identity()["BALLCOURT_PARAMETERS"] == "depth=4,trust=0.5"
    assert given.identity()["BALLCOURT_PARAMETERS"] == "depth=4,trust=1.0"


@pytest.mark.parametrize("value", ["65", "2.5", "many"])
def test_a_value_out_of_range_or_of_another_type_is_refused_before_anything_is_played(
    tmp_path: Path, value: str
) -> None:
    bot = _tunable(tmp_path)
    table = BotTable(path="ann", args=(f"depth={value}",))
    with pytest.raises(BotError, match=f"args of ann 1: depth is '{value}'; it must be a whole number from 1 to 64"):
        table.entry(lambda _: Entry(bot.entrant, bot))


def _tunable(folder: Path) -> Bot:
    """Return a bot that declares two parameters."""
    write_bot(folder / "ann", "ann")
    with (folder / "ann" / "bot.toml").open("a") as file:
        file.write("[parameters.depth]\ndefault = 4\nleast = 1\nmost = 64\n")
        file.write("[parameters.trust]\ndefault = 0.5\nleast = 0\nmost = 2\n")
    return load_bot(folder / "ann")


def test_the_owner_of_a_remote_bot_is_that_of_its_token() -> None:
    assert BotTable(path="remote:far").entry(lambda _: remote_entry("far", "1", "yan")).entrant.owner == "yan"


def test_the_manifest_of_a_folder_keeps_the_tables(cup: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = plan(read_event(cup), folder=out)
    with open_folder(out, first):
        pass
    again = plan(read_event(out / MANIFEST), folder=out)
    assert (again.entrants, again.clocks, again.event.entered) == (first.entrants, first.clocks, first.event.entered)
    kept = kept_plan(out)
    assert kept
    blocks = [due.block for due in kept.course().upcoming()]
    assert blocks == [*first.schedule.stage(())]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("7000", "7001", "its clocks.deep 1 is .*7000.*, not .*7001"),
        ("clock = { bank_ms = 7000 }", "", "its clocks.deep 1 is .*7000.*, not None"),
        ('owner = "zoe"', 'owner = "yan"', "its owners.bob 1 is zoe, not yan"),
        ('"2"', '"3"', "the files of deep 1 have changed"),
    ],
)
def test_a_folder_refuses_other_tables(cup: Path, tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with open_folder(tmp_path / "out", plan(read_event(cup))):
        pass
    cup.write_text(CUP.replace(old, new))
    with (
        pytest.raises(FolderError, match=sentence),
        open_folder(tmp_path / "out", plan(read_event(cup))),
    ):
        pass


def related_meetings(format: str, field: Field, blocks: int, *, focus: tuple[int, ...] = (), known: bool = True) -> int:
    """Count the meetings of bots of one owner in a schedule that knows about owners or does not."""
    design = Design(format, Length("blocks", blocks), FormatOptions(focus=focus))
    schedule = schedule_of(design, field if known else Field(field.entrants, field.seats))
    met = Counter(pair for block in schedule.stage(()) for pair in combinations(sorted(block.tables[0]), 2))
    return sum(met[pair] for pair in field.related)


@pytest.mark.parametrize(("entrants", "seats", "owners"), [(12, 4, 6), (12, 2, 6), (9, 4, 5), (50, 4, 25)])
def test_bots_of_one_owner_never_meet_where_there_are_other_tables(entrants: int, seats: int, owners: int) -> None:
    field = Field(entrants, seats, tuple(f"owner{entrant % owners}" for entrant in range(entrants)))
    assert related_meetings("balanced", field, 5 * entrants) == 0
    assert related_meetings("balanced", field, 5 * entrants, known=False) > 0


def test_they_meet_without_end_where_there_is_no_other_table() -> None:
    field = Field(8, 4, ("a",) * 4 + ("b",) * 4)
    assert related_meetings("balanced", field, 16) > 0


def test_the_first_round_of_a_swiss_tournament_keeps_owners_apart() -> None:
    field = Field(8, 2, ("a", "a", "b", "b", "c", "c", "", ""))
    assert related_meetings("swiss", field, 4) == 0
    assert related_meetings("swiss", field, 4, known=False) == 3


def test_the_opponents_in_a_gauntlet_are_of_different_owners() -> None:
    field = Field(9, 3, ("", *"aabbccdd"))
    assert related_meetings("gauntlet", field, 12, focus=(0,)) == 0
    assert related_meetings("gauntlet", field, 12, focus=(0,), known=False) > 0


def warnings(planned: Plan, capsys: pytest.CaptureFixture[str]) -> str:
    bots = tuple(bot.bot.name for bot in planned.entrants)
    Announcer(1)(Planned("bluff", bots, planned.matches, True, Path("out"), planned))
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            {"format": "round-robin"},
            'bots of one owner meet 2 times; the format "balanced" keeps them apart where it can',
        ),
        ({"format": "swiss", "rounds": 3}, "bots of one owner meet only where no other table can be found"),
        ({"format": "adaptive"}, "bots of one owner meet only where no other table can be found"),
        ({"format": "single-elimination"}, "bots of one owner may meet"),
    ],
)
def test_the_certificate_says_how_often_bots_of_one_owner_meet(
    cup: Path, capsys: pytest.CaptureFixture[str], asked: dict[str, object], sentence: str
) -> None:
    assert sentence in warnings(plan(event_from(cup, asked, "a flag")), capsys)


def test_the_certificate_says_that_bots_of_one_owner_never_meet(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = event_from(cup, {"format": "balanced", "bots": None}, "a flag")
    write_bot(cup.parent / "cid", "cid")
    cup.write_text(CUP + '[[bot]]\npath = "./cid"\n')
    assert "bots of one owner never meet" in warnings(plan(event_from(cup, {"format": "balanced"}, "")), capsys)
    assert "of one owner" not in warnings(plan(Event().replaced(game="bluff", bots=asked.bots, seats=1)), capsys)


@pytest.mark.slow
def test_records_have_owners_clocks_and_the_actions_that_arguments_choose(tmp_path: Path) -> None:
    write_player(tmp_path / "low", "low")
    bots = [
        {"path": str(tmp_path / "low"), "owner": "zoe"},
        {"path": str(tmp_path / "low"), "label": "high", "args": ["highest"], "clock": {"bank_ms": 5000}},
    ]
    out = tmp_path / "out"
    events = [*play_tournament(game="bluff", bot=bots, seed=3, workers=1, output=out)]
    for event in events:
        if isinstance(event, MatchPlayed):
            high = event.bots.index("high")
            banks = [clock.bank_ms for clock in event.record.seat_clocks]
            assert (banks[high], banks[1 - high]) == (5000, 60_000)
            assert [entrant.owner for entrant in event.record.entrants][1 - high] == "zoe"
            assert [entrant.bot for entrant in event.record.entrants][high] == "low"
    actions = {
        (entrant.name, action)
        for record in map(read_record, record_files(out))
        for seat, entrant in enumerate(record.entrants)
        for of, action in zip(record.decisions.seats, record.decisions.actions, strict=True)
        if of == seat
    }
    assert {action for name, action in actions if name == "low"} != {
        action for name, action in actions if name == "high"
    }
    assert len(results_in(out).matches) == 2
    assert results_in(out).left_out == []
