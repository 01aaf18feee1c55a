"""Tournament files and flags: what is accepted, and the error for everything else."""

from pathlib import Path

import pytest

from ballcourt.arena.files import to_toml
from ballcourt.arena.match.policy import Disqualification, Probation
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.reading import output_folder, parse_event, read_event

WHOLE = """
game = "bluff"
bots = ["random", "./mine", "../other/theirs"]
seats = 2
blocks = 3
seed = 7
output = "runs/x"
workers = 2
lifetime = "match"
seeds = "block"
[options]
rounds = 3
[clock]
cap_ms = 500
[faults]
illegal = "retry 2"
[sandbox]
tier = 1
memory_mb = 300
readable = ["models"]
"""


def test_every_setting_is_read_and_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(WHOLE)
    assert read_event(file) == Event().replaced(
        game="bluff",
        bots=("random", str(tmp_path / "mine"), str(tmp_path.parent / "other" / "theirs")),
        seats=2,
        blocks=3,
        seed=7,
        output=tmp_path / "runs/x",
        workers=2,
        lifetime="match",
        seeds="block",
        options={"rounds": "3"},
        clock={"cap_ms": 500},
        faults={"illegal": "retry 2"},
        sandbox={"tier": 1, "memory_mb": 300, "readable": (str(tmp_path / "models"),)},
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = \nseats = 2", r"cup\.toml is not valid TOML: .*line 1"),
        ("gme = 'x'", r"unknown key 'gme'; known keys: game, seats, options, .* .did you mean game"),
        ("game = 3", r"game is 3; it must be a non-empty string"),
        ("bots = []", r"bots is \[\]; it must be a list of bot names or folders"),
        ("bots = ['a', 1]", r"bots is 1; it must be a non-empty string"),
        ("seats = 0", r"seats is 0; it must be a whole number from 1 to 64"),
        ("seats = true", r"seats is True; it must be a whole number"),
        ("format = 'ladder'", r"cup\.toml: format is 'ladder'; it must be one of adaptive, balanced"),
        ("rounds = 0", r"rounds is 0; it must be a whole number from 1"),
        ("blocks = 2.5", r"blocks is 2\.5; it must be a whole number from 1"),
        ("seeds = 'round'", r"seeds is 'round'; it must be \"match\" or \"block\""),
        ("lifetime = 'turn'", r"lifetime is 'turn'; it must be \"match\" or \"tournament\""),
        ("seed = -1", r"seed is -1; it must be a whole number from 0"),
        ("blocks = 1\nmatches = 4", r"gives blocks and matches; give only one of rounds, blocks, matches"),
        ("options = 3", r"options is 3; it must be a table"),
        ("[options]\nrounds = [[1]]", r"options\.rounds is \[1\]; it must be a string or a whole number"),
        ("[options]\nrounds = [1, 1]", r"options\.rounds is \[1, 1\]; a list must have entries, and each of them once"),
        ("seats = [2, 'x']", r"seats is 'x'; it must be a whole number from 1 to 64"),
        ("setup = 3", r"setup is 3; it must be tables, \[\[setup\]\] each"),
        ("[[setup]]\nbots = ['x']", r"setup 1 has the unknown key 'bots'; known keys: game, seats, options"),
        ("sandbox = 1", r"sandbox is 1; it must be a table, \[sandbox\]"),
        ("[sandbox]\nbuild = 1", r"sandbox\.build is 1; it must be a table, \[build\]"),
        ("[sandbox.build]\ntime_s = 0", r"sandbox\.build\.time_s is 0; it must be a whole number from 1 to 86400"),
        ("[sandbox.build]\ndisk = 1", r"sandbox\.build has the unknown key 'disk'; known keys: time_s, memory_mb"),
        (
            "[sandbox.build]\nhosts = ['a b']",
            r"sandbox\.build\.hosts is 'a b'; it must be a host, or one",
        ),
        ("[sandbox]\nreadable = '/opt'", r"sandbox\.readable is '/opt'; it must be a list of paths"),
        ("[sandbox]\nmemory = 3", r"sandbox has the unknown key 'memory'; known keys: tier, memory_mb"),
        ("[clock]\nbank = 3", r"clock has the unknown key 'bank'; known keys: startup_ms"),
        ("faults = 3", r"faults is 3; it must be a table"),
        ("[faults]\nillegal = 3", r"faults\.illegal is 3; it must be a non-empty string"),
        ("[faults]\nillegal = 'ignore'", r"cup\.toml: faults\.illegal is 'ignore'; it must be"),
        ("[faults]\ncrash = 'retry 1'", r"faults has the unknown key 'crash'; known keys: illegal"),
        ("[faults]\ndisqualify = { percent = 200, matches = 3 }", r"faults\.disqualify\.percent is 200; it must be"),
        ("[faults]\nprobation = { rounds = 1, faults = 4, matches = 3 }", r"faults\.probation: it must be a table"),
        ("[faults]\nprobation = { rounds = 1 }", r"faults\.probation lacks 'faults'; give a whole number from 1"),
        ("stop = 'soon'", r"stop is 'soon'; it must be 'top 3 separated at 95%'"),
        ("[clock]\nponder = 1", r"clock\.ponder is 1; it must be true or false"),
        ("[clock]\nscale = 'mine'", r"clock\.scale is 'mine'; it must be \"none\" or \"reference\""),
        ("[[bot]]\npath = 'x'\nclock = {scale = 'none'}", r"bot 1: clock has scale, which holds for all bots"),
        ("[clock]\nwork = -1", r"clock\.work is -1; it must be a whole number from 0"),
        ("[clock]\nbank_ms = 'long'", r"clock\.bank_ms is 'long'; it must be a whole number"),
    ],
)
def test_the_error_for_a_wrong_file_names_key_value_and_what_is_allowed(
    tmp_path: Path, text: str, sentence: str
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=sentence):
        read_event(file)


def test_disqualification_and_probation_may_be_tables(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        "[faults]\ndisqualify = { percent = 20, matches = 30 }\nprobation = { rounds = 2, faults = 3, matches = 10 }\n"
    )
    policy = read_event(file).faults.policy()
    assert policy.disqualify == Disqualification(percent=20, matches=30)
    assert policy.probation == Probation(rounds=2, faults=3, matches=10)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(WHOLE + '\n[[bot]]\npath = "deep"\nclock = { bank_ms = 7000 }\n')
    event = read_event(file)
    file.write_text(to_toml(event.to_table()))
    assert read_event(file) == event


def test_a_missing_file_is_named_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"cannot read .*none\.toml: No such file"):
        read_event(tmp_path / "none.toml")


def test_flags_override_only_their_settings_of_a_file() -> None:
    here = Path()
    file = parse_event({"game": "bluff", "blocks": 3, "seed": 1, "options": {"a": "1", "b": "1"}}, "file", here)
    flags = parse_event({"matches": 8, "seed": 0, "options": {"b": "2"}}, "flags", here)
    merged = file.overridden_by(flags)
    assert (merged.game, merged.blocks, merged.matches, merged.seed) == (("bluff",), None, 8, 0)
    assert merged.options == {"a": ("1",), "b": ("2",)}


def test_without_an_output_folder_one_is_named_after_the_file_or_the_games(tmp_path: Path) -> None:
    assert output_folder(tmp_path / "cup.toml", Event()) == tmp_path / "runs" / "cup"
    assert output_folder(None, parse_event({"game": ["maya", "ahau"]}, "flags", Path())) == Path("runs/maya-ahau")
    assert output_folder(tmp_path / "cup.toml", Event(output=Path("there"))) == Path("there")
