"""The file of a ladder: its defaults, and one sentence for whatever is wrong with it."""

import re
from pathlib import Path

import pytest

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.ladder.model import read_ladder
from ballcourt.arena.ladder.plan import plan_ladder
from ballcourt.arena.sandbox.tiers import BuildLimits, Limits
from ballcourt.arena.tournament.event.model import SettingsError
from ballcourt.arena.tournament.event.setups import in_words

PAGE = PACKAGE / "docs/how-to/ladder.md"


def written(place: Path, text: str) -> Path:
    file = place / "ladder.toml"
    file.write_text(text)
    return file


def test_game_and_folder_are_enough(tmp_path: Path) -> None:
    found = read_ladder(written(tmp_path, 'game = "bluff"\nbots = "bots"\n'))
    assert (found.bots, found.output) == (tmp_path / "bots", tmp_path / "runs" / "ladder")
    assert (found.versions, found.missing, found.provisional, found.across) == (2, 7 * 86400, 20, 0.1)
    assert found.divisions.size is None


def test_the_example_of_the_readme_is_a_ladder(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    settings = read_ladder(written(tmp_path, found[1].replace("tier = 1", "tier = 0")))
    assert (settings.versions, settings.missing, settings.divisions.size) == (2, 604800, 50)
    assert plan_ladder(settings).games == "tzolkin"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("versions = 0", "versions is 0; it must be a whole number from 1 to 1000"),
        ("missing = 7", "missing is 7; it must be a time, such as '12 h' or '7 d'"),
        ("across = 0.05", "across is 0.05; it must be a number from 0.1 to 0.9"),
        ("divisions = 50", "divisions is 50; it must be a table with a size"),
        ("divisions = { size = 1 }", "divisions.size is 1; it must be a whole number from 2 to 10000"),
        ("divisions = { size = 9, x = 1 }", "divisions has the unknown key 'x'; known keys: size, moves, season"),
        ("stop = '6 h'", "stop is '6 h'; it must be 'top 3 separated at 95%' or '±1.0' (rating points); --hours ends"),
        ("stop = ['±1', '6 h']", "it must be 'top 3 separated at 95%' or '±1.0' (rating points); --hours ends a run"),
        ("stop = 'soon'", "stop is 'soon'; it must be 'top 3 separated at 95%', '±1.0' (rating points), or a time"),
        ("stop = []", "stop is []; a list must have entries, and each of them once"),
        ("pace = 0", "pace is 0; it must be a whole number from 1 to 1000000"),
        ("pace = '600/h'", "pace is '600/h'; it must be a whole number from 1 to 1000000"),
        ("rounds = 3", "has the unknown key 'rounds'; known keys: game"),
        ("seats = 0", "seats is 0; it must be a whole number from 1 to 64"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path: Path, line: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(sentence)):
        read_ladder(written(tmp_path, f'game = "bluff"\nbots = "bots"\n{line}\n'))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('game = "bluff"', "lacks 'bots'; give the folder from which bots join"),
        ('bots = "bots"', "lacks 'game'; give the name of a game"),
    ],
)
def test_what_a_ladder_needs_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        read_ladder(written(tmp_path, text))


def test_a_ladder_plays_the_set_ups_of_its_tables(tmp_path: Path) -> None:
    text = 'bots = "bots"\nseats = 2\n[[setup]]\ngame = "bluff"\nseats = [2, 3]\n[[setup]]\ngame = "maya"\n'
    settings = read_ladder(written(tmp_path, text))
    assert settings.games == ("bluff", "maya")
    assert [in_words(setup) for setup in plan_ladder(settings).setups] == [
        "bluff, 2 seats", "bluff, 3 seats", "maya, 2 seats"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "hosts"),
    [("1", ()), ("2\nbuild = { hosts = ['*'] }", ("*",)), ("1\nbuild = { hosts = ['a.b'] }", ("a.b",))],
)
def test_builds_of_a_ladder_reach_no_host_that_its_file_does_not_name(
    tmp_path: Path, table: str, hosts: tuple[str, ...]
) -> None:
    settings = read_ladder(written(tmp_path, f'game = "bluff"\nbots = "bots"\n[sandbox]\ntier = {table}\n'))
    assert settings.sandbox.sandbox().build.hosts == hosts


def test_a_ladder_of_one_seat_is_refused(tmp_path: Path) -> None:
    settings = read_ladder(written(tmp_path, 'game = "bluff"\nbots = "bots"\nseats = 1\n'))
    with pytest.raises(SettingsError, match="a ladder needs at least 2 seats"):
        plan_ladder(settings)


def test_a_ladder_is_unconfined_only_on_a_machine_without_any_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = "processes = 9\nmemory_mb = 300\n[sandbox.build]\nfetch_mb = 5\ntime_s = 7\n"
    file = written(tmp_path, f'game = "bluff"\nbots = "bots"\n[sandbox]\ntier = 2\n{limits}')

    def tier(bubblewrap: str, gvisor: str) -> int:
        monkeypatch.setattr("ballcourt.arena.sandbox.tiers.missing", lambda: bubblewrap)
        monkeypatch.setattr("ballcourt.arena.sandbox.gvisor.missing", lambda: gvisor)
        return read_ladder(file, unconfined=True).sandbox.sandbox().tier

    assert [tier("", ""), tier("no bwrap", ""), tier("", "no runsc")] == [2, 2, 2]
    assert tier("no bwrap", "no runsc") == 0
    assert read_ladder(file).sandbox.tier == 2
    opened = read_ladder(file, unconfined=True).sandbox.sandbox()
    assert (opened.limits, opened.build) == (Limits(memory_mb=300), BuildLimits(time_s=7))
