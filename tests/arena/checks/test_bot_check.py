"""The compliance run as a whole: its items, their order, and bots that cannot be checked."""

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, BotError
from ballcourt.arena.checks import BotCheck, CheckResult, Item, Outcome, percentile
from ballcourt.arena.checks import surprises as module
from ballcourt.arena.checks.harness import Harness
from ballcourt.arena.tournament.event.setups import setups_of
from ballcourt.arena.tournament.event.tables import SetUpTable
from ballcourt.engine.core import UnknownGame
from tests.arena.checks.conftest import IMPATIENT, folder_with
from tests.arena.conftest import BOTS, PATIENCE_S, Traces, bounded, wait_until

ROOT = Path(__file__).parents[3]
Meet = Callable[[Harness], Awaitable[list[CheckResult]]]


def test_a_good_bot_passes_every_item_of_the_list(
    tmp_path: Path, traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SILENCE_S", 0.0)
    (tmp_path / "bot.py").write_text((BOTS / "honest.py").read_text())
    (tmp_path / "bot.toml").write_text('name = "mine"\nversion = "2"\ncommand = ["{python}", "bot.py"]\n')
    check = BotCheck(tmp_path, ["bluff"], decisions=100)
    found = list(check.run())
    assert [one for one in found if one.outcome is not Outcome.PASS] == []
    numbers = [one.number for one in found]
    assert numbers == sorted(numbers)
    assert set(numbers) == {item.number for item in Item} == set(range(1, 15))
    assert len(check.think_us) == 12
    assert traces.all_gone()


def test_checks_are_skipped_if_the_bot_does_not_start(tmp_path: Path) -> None:
    first, second, *rest = BotCheck(folder_with(tmp_path, "misbehaving.py", "exits on start"), ["bluff"]).run()
    assert (first.outcome, second.outcome) == (Outcome.PASS, Outcome.FAIL)
    assert "see that the command of bot.toml works" in second.advice
    assert [one.number for one in rest] == list(range(3, 15))
    assert {(one.outcome, one.detail) for one in rest} == {(Outcome.SKIP, "the bot did not start")}


@pytest.mark.parametrize(
    "output",
    [
        "ModuleNotFoundError: No module named 'numpy'",
        "Error: Cannot find module 'left-pad'",
        "java.lang.NoClassDefFoundError: com/example/Tree",
        "./bot: error while loading shared libraries: libtbb.so.12: cannot open shared object file",
    ],
)
def test_a_missing_library_is_told_with_the_page_about_libraries(tmp_path: Path, output: str) -> None:
    (tmp_path / "bot.toml").write_text('name = "mine"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    (tmp_path / "bot.py").write_text(f"raise SystemExit({output!r})\n")
    _, hello, *_ = BotCheck(tmp_path, ["bluff"]).run()
    assert output in hello.detail and "`ballcourt docs dependencies`" in hello.advice


def test_a_check_that_the_clock_may_have_failed_is_tried_again(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "misbehaving.py", "fails once", str(tmp_path / "has failed"))
    _, hello, *_ = BotCheck(folder, ["bluff"], decisions=1).run()
    assert hello.outcome is Outcome.PASS


def test_a_bot_that_is_late_twice_in_a_row_is_given_no_third_chance(tmp_path: Path) -> None:
    tries = []

    class Counted(BotCheck):
        def _met_once(self, bot: Bot, items: Sequence[Item], meet: Meet) -> list[CheckResult]:
            tries.append(items[0])
            return super()._met_once(bot, items, meet)

    check = Counted(folder_with(tmp_path, "misbehaving.py", "hangs"), ["bluff"], IMPATIENT, decisions=1)
    found = {one.number: one for one in check.run()}
    assert found[Item.MATCHES.number].was_late
    assert (tries.count(Item.HELLO), tries.count(Item.MATCHES), tries.count(Item.SECOND_MATCH)) == (1, 2, 0)
    assert len(check.records) == 1, "one hang is told once"
    later = {one.outcome for one in found.values() if one.number > Item.MATCHES.number}
    assert later == {Outcome.SKIP}


def test_a_bot_meets_only_the_set_ups_that_are_played(tmp_path: Path) -> None:
    setups = setups_of([SetUpTable(game=("bluff",), seats=(2,))])
    check = BotCheck(folder_with(tmp_path, "honest.py"), decisions=30, setups=setups)
    found = [*check.run()]
    assert {one.outcome for one in found} <= {Outcome.PASS, Outcome.SKIP}
    assert [one.title for one in found if one.number == Item.MATCHES.number] == ["full match: bluff, table of 2"]
    assert [len(record.entrants) for record in check.records] == [2]


def test_the_output_of_a_bot_is_quoted_once(tmp_path: Path) -> None:
    found = [*BotCheck(folder_with(tmp_path, "misbehaving.py", "crashes"), ["bluff"], decisions=1).run()]
    quoted = [one.detail.partition("\n")[2] for one in found if "\n|" in one.detail]
    assert len(quoted) > 2
    first, *others = quoted
    assert {*others} == {f"| (the same output as in check {Item.MATCHES.number})"} and first not in others


def test_an_invalid_bot_toml_skips_all_other_checks(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "mine"\n')
    first, *rest = BotCheck(tmp_path, ["bluff"]).run()
    assert (first.outcome, first.advice) == (Outcome.FAIL, "fix the file")
    assert "lacks 'version'" in first.detail
    assert {one.outcome for one in rest} == {Outcome.SKIP}


def test_a_folder_without_a_bot_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"does not exist; a bot is a folder with a bot\.toml"):
        next(BotCheck(tmp_path).run())


def test_an_unknown_game_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="there is no game 'go'"):
        next(BotCheck(folder_with(tmp_path, "honest.py"), ["go"]).run())


def test_a_bot_that_plays_other_games_cannot_be_checked(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "honest.py")
    with (folder / "bot.toml").open("a") as file:
        file.write('games = ["go"]\n')
    with pytest.raises(BotError, match=r"mine plays go, but only .*bluff.* are installed"):
        next(BotCheck(folder).run())
    with pytest.raises(BotError, match="bot mine does not play bluff; it plays go"):
        next(BotCheck(folder, ["bluff"]).run())


@pytest.mark.parametrize(("share", "expected"), [(0, 1), (50, 2), (75, 3), (99, 4), (100, 4)])
def test_a_percentile_is_one_of_the_values(share: int, expected: int) -> None:
    assert percentile([4, 1, 3, 2], share) == expected


@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_signal_to_the_whole_process_group_leaves_nothing_behind(
    tmp_path: Path, traces: Traces, how: signal.Signals
) -> None:
    folder = folder_with(tmp_path, "misbehaving.py", "never connects")
    command = [sys.executable, "-m", "ballcourt", "check", "bot", str(folder), "--game", "bluff"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with bounded(
        subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    ) as process:
        assert wait_until(lambda: any("never connects" in line for line in traces.processes().values()))
        os.killpg(process.pid, how)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert "Traceback" not in errors
    assert traces.all_gone()
