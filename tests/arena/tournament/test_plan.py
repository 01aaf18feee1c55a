"""A tournament's plan, and the folder it is played in."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.bot import Bot, BotError
from arena.records.store import read_record, write_record
from arena.tournament import folder as folders
from arena.tournament.as_played import AS_PLAYED, FolderError, kept_seed
from arena.tournament.folder import open_folder
from arena.tournament.plan import Tournament, plan
from arena.tournament.settings import Settings, SettingsError
from engine.core import InvalidOption
from tests.arena.recorded import recorded


def write_bot(folder: Path, name: str, extra: str = "") -> str:
    """A bot that is never started."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = ["true"]\n{extra}')
    return str(folder)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    bots = tuple(write_bot(tmp_path / "bots" / name, name) for name in ("ann", "bob", "cid"))
    return Settings(game="bluff", bots=bots, seats=2, blocks=2, seed=5)


@pytest.fixture
def planned(settings: Settings) -> Tournament:
    return plan(settings)


def test_every_pair_plays_every_block_in_both_seatings(planned: Tournament) -> None:
    tables = [tuple(bot.name for bot in spec.entrants) for spec in planned.specs()]
    assert planned.matches == len(tables) == 12
    assert sorted(set(tables)) == sorted((a, b) for a in ("ann", "bob", "cid") for b in ("ann", "bob", "cid") if a != b)
    assert planned.balance().even


def test_keys_are_stable_ordered_and_silent_about_the_seed(settings: Settings) -> None:
    keys = [[spec.key for spec in plan(replace(settings, seed=seed)).specs()] for seed in (5, 6)]
    assert keys[0] == keys[1] == sorted(keys[0])
    assert keys[0][:3] == ["b000000-r0", "b000000-r1", "b000001-r0"]


def test_the_rotations_of_a_block_share_a_seed_that_no_other_block_has(planned: Tournament) -> None:
    seeds = [spec.seed for spec in planned.specs()]
    assert seeds[0::2] == seeds[1::2]
    assert len(set(seeds)) == 6


def test_alone_all_bots_play_the_same_seeds(settings: Settings) -> None:
    planned = plan(replace(settings, seats=1))
    played = [(spec.seed, *(bot.name for bot in spec.entrants)) for spec in planned.specs()]
    assert planned.matches == len(played) == 6
    assert [name for _, name in played] == ["ann", "bob", "cid"] * 2
    assert [len({seed for seed, _ in played[first : first + 3]}) for first in (0, 3)] == [1, 1]
    assert played[0][0] != played[3][0]


def test_the_seats_default_to_as_many_as_the_game_and_the_bots_allow(settings: Settings) -> None:
    assert plan(replace(settings, seats=None)).seats == 3


def test_a_seed_is_drawn_when_none_is_given(settings: Settings) -> None:
    assert plan(replace(settings, seed=None)).seed != plan(replace(settings, seed=None)).seed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": None}, "no game is named"),
        ({"bots": None}, "no bots are named"),
        ({"seats": 4}, "4 seats cannot be filled by 3 different bots; name at least 4"),
        ({"clock": {"cap_ms": 0}}, "clock: cap_ms is 0"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(settings: Settings, change: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        plan(replace(settings, **change))  # type: ignore[arg-type]


def test_options_are_checked_by_the_game(settings: Settings) -> None:
    with pytest.raises(InvalidOption, match="option rounds of bluff is '9'"):
        plan(replace(settings, options={"rounds": "9"}))


def test_a_bot_named_twice_is_refused(settings: Settings) -> None:
    assert settings.bots
    with pytest.raises(SettingsError, match="bot ann 1 is named twice"):
        plan(replace(settings, bots=(*settings.bots, settings.bots[0])))


def test_a_bot_of_another_game_is_refused(settings: Settings, tmp_path: Path) -> None:
    dan = write_bot(tmp_path / "bots" / "dan", "dan", 'games = ["chess"]')
    with pytest.raises(BotError, match="bot dan does not play bluff; it plays chess"):
        plan(replace(settings, bots=(*(settings.bots or ()), dan)))


def test_a_folder_is_taken_up_again_by_the_same_tournament(planned: Tournament, tmp_path: Path) -> None:
    for _ in range(2):
        with open_folder(tmp_path / "out", planned) as folder:
            assert folder.played(planned, str) == ({}, [])
    assert kept_seed(tmp_path / "out") == 5
    assert kept_seed(tmp_path / "elsewhere") is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": 6}, "holds another tournament: its seed is 5, not 6; choose another output folder"),
        ({"options": {"rounds": "1"}}, "its options.rounds is 3, not 1"),
        ({"clock": {"cap_ms": 9}}, "its clock.cap_ms is 10000, not 9"),
        ({"faults": {"illegal": "retry 1"}}, "its faults.illegal is forfeit, not retry 1"),
        ({"seats": 3, "blocks": 9}, "its seats is 2, not 3"),
        ({"blocks": 1}, "was begun with 12 matches, more than the 6 asked for"),
    ],
)
def test_another_tournament_is_kept_out_of_the_folder(
    settings: Settings, tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    before = (tmp_path / "out" / AS_PLAYED).read_text()
    with (
        pytest.raises(FolderError, match=sentence),
        open_folder(tmp_path / "out", plan(replace(settings, **change))),  # type: ignore[arg-type]
    ):
        pass
    assert (tmp_path / "out" / AS_PLAYED).read_text() == before


def test_a_longer_tournament_goes_on_in_the_folder_of_a_shorter_one(settings: Settings, tmp_path: Path) -> None:
    for blocks in (2, 3):
        with open_folder(tmp_path / "out", plan(replace(settings, blocks=blocks))):
            pass


def test_a_bot_whose_files_changed_is_named(settings: Settings, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    (tmp_path / "bots" / "bob" / "brain.py").write_text("smarter")
    with (
        pytest.raises(FolderError, match=r"the files of bot bob 1 have changed since .*give the bot a new version"),
        open_folder(tmp_path / "out", plan(settings)),
    ):
        pass


def test_other_bots_are_named(settings: Settings, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", plan(settings)):
        pass
    with (
        pytest.raises(FolderError, match="its bots are ann 1, bob 1, cid 1, not ann 1, bob 1;"),
        open_folder(tmp_path / "out", plan(replace(settings, bots=(settings.bots or ())[:2], blocks=9))),
    ):
        pass


HOLD = """
import pathlib, sys
from arena.tournament.folder import hold
with hold(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    input()
"""


def test_a_folder_that_another_process_holds_is_refused_until_it_ends(planned: Tournament, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-c", HOLD, str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(FolderError, match=rf"is in use by another run \(process {holder.pid}\)"),
            open_folder(out, planned),
        ):
            pass
        holder.kill()
    with open_folder(out, planned):
        pass


def test_what_a_killed_run_left_half_written_is_removed(planned: Tournament, tmp_path: Path) -> None:
    (tmp_path / "out" / "records").mkdir(parents=True)
    leftover = tmp_path / "out" / "records" / ".b000000-r0.match.123.ballcourt-tmp"
    leftover.write_bytes(b"half")
    with open_folder(tmp_path / "out", planned) as folder:
        assert folder.played(planned, str) == ({}, [])
    assert not leftover.exists()


def test_an_unreadable_record_is_reported_and_not_counted(planned: Tournament, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        (folder.records / "b000001-r0.match").write_bytes(b"garbage")
        played, unreadable = folder.played(planned, str)
    assert played == {}
    assert [sentence.endswith("b000001-r0.match is not a match record") for sentence in unreadable] == [True]


def test_voided_records_are_kept_apart_however_often(planned: Tournament, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        for seed in (1, 2):
            write_record(folder.records, recorded("b000001-r0", seed))
            folder.void(["b000001-r0", "b000001-r1"])
            assert not list(folder.records.iterdir())
        kept = sorted((tmp_path / "out" / folders.VOIDED).iterdir())
    assert [path.name for path in kept] == ["b000001-r0.2.match", "b000001-r0.match"]
    assert [read_record(path).seed for path in kept] == [2, 1]


def test_a_block_that_was_being_voided_when_the_run_was_killed_is_void(planned: Tournament, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        for key in ("b000001-r0", "b000001-r1", "b000002-r0"):
            write_record(folder.records, recorded(key))
        folder.void(["b000001-r0"])
        (folder.path / folders.VOIDING).write_text("b000001-r0\nb000001-r1")  # as if killed between the two
    with open_folder(tmp_path / "out", planned) as folder:
        assert [path.name for path in folder.records.iterdir()] == ["b000002-r0.match"]
        assert not (folder.path / folders.VOIDING).exists()


def test_the_record_of_another_match_under_our_key_is_refused(planned: Tournament, tmp_path: Path) -> None:
    with (
        open_folder(tmp_path / "out", planned) as folder,
        pytest.raises(FolderError, match=r"b000001-r0\.match is the record of another match"),
    ):
        write_record(folder.records, recorded("b000001-r0"))
        folder.played(planned, str)


def test_a_folder_that_cannot_be_made_is_told(planned: Tournament, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(FolderError, match=r"cannot (use|make)"),
        open_folder(tmp_path / "file" / "out", planned),
    ):
        pass


def test_a_name_that_toml_must_quote_survives(settings: Settings, tmp_path: Path) -> None:
    quoted = Bot('a "b" \\ é', "1", "", "", ("true",), tmp_path, (), "hash")
    planned = replace(plan(settings), entrants=(quoted, *plan(settings).entrants))
    for _ in range(2):
        with open_folder(tmp_path / "out", planned):
            pass
