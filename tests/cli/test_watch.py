"""`ballcourt event watch`: what is shown of a tournament that runs, has stopped, was killed or is over."""

import importlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ballcourt.arena.tournament.folder.log import EVENTS
from ballcourt.arena.tournament.folder.output import holder
from ballcourt.arena.tournament.folder.overview import MOST_TABLES, Overview
from tests.cli.conftest import Refused, Run

CUP = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--seed", "3", "--output", "cup")


@pytest.fixture
def cup(succeeds: Run) -> Path:
    """The output folder of a tournament that is over."""
    succeeds(*CUP, "--rounds", "1")
    return Path("cup")


def shorten(folder: Path, kinds: int) -> None:
    """Leave only the first entries of a log."""
    log = folder / EVENTS
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:kinds]))


@contextmanager
def held(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold a folder as a run in another process would."""
    with monkeypatch.context() as patched:
        patched.setattr("ballcourt.cli.watch.holder", lambda _: 1)
        yield


def test_a_tournament_that_is_over_is_shown_with_its_table(succeeds: Run, cup: Path) -> None:
    shown = succeeds("event", "watch", str(cup))
    assert "the tournament is over: 2 matches count" in shown.stderr
    assert "low" in shown.stdout
    assert "95% interval" in shown.stdout


def test_programs_get_the_entries_of_the_log(run: Run, cup: Path) -> None:
    shown = run("event", "watch", str(cup), "--json")
    kinds = [json.loads(line)["event"] for line in shown.stdout.splitlines()]
    assert sorted(kinds) == ["finished", "planned", "played", "played", "started", "started"]
    assert (kinds[0], kinds[-1]) == ("planned", "finished")


def test_a_run_that_was_killed_is_told_from_one_that_plays(
    run: Run, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(cup, 2)
    assert "0 of 2 matches; it is not running" in run("event", "watch", str(cup), "--once").stderr
    with held(cup, monkeypatch):
        shown = run("event", "watch", str(cup), "--once").stderr
    assert shown.startswith("0 of 2 matches\n")


def test_a_terminal_lists_running_matches_only_while_a_run_holds_the_folder(
    run: Run, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(cup, 2)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "b000000-r0" not in run("event", "watch", str(cup), "--once").stderr
    with held(cup, monkeypatch):
        assert "b000000-r0" in run("event", "watch", str(cup), "--once").stderr


def test_the_reason_why_a_run_ended_early_is_shown(run: Run, cup: Path) -> None:
    shorten(cup, 2)
    with (cup / EVENTS).open("a") as log:
        log.write('{"at": "2026-11-22T10:00:00Z", "event": "stopped", "reason": "the disk is full"}\n')
    assert "0 of 2 matches; its run ended early: the disk is full" in run("event", "watch", str(cup), "--once").stderr


def test_watching_goes_on_until_the_tournament_is_over(
    succeeds: Run, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (cup / EVENTS).read_text()
    shorten(cup, 1)
    looks: list[float] = []

    def wait(seconds: float) -> None:
        looks.append(seconds)
        assert len(looks) < 10
        if len(looks) == 3:
            (cup / EVENTS).write_text(whole)

    monkeypatch.setattr(importlib.import_module("ballcourt.cli.watch"), "sleep", wait)
    succeeds("event", "watch", str(cup))
    assert len(looks) == 3


@pytest.mark.parametrize("folder", ["nowhere", "low"])
def test_a_folder_without_a_tournament_is_refused(refused: Refused, folder: str) -> None:
    assert f"{folder} is not the output folder of a tournament" in refused("event", "watch", folder)


@pytest.mark.parametrize("value", ["NaN", r'"\ud800"'])
def test_an_entry_that_is_nested_too_deeply_is_passed_over(run: Run, cup: Path, value: str) -> None:
    before = run("event", "watch", str(cup), "--json")
    with (cup / "events.jsonl").open("a") as log:
        log.write('{"event": "odd", "it": ' + "[" * 500 + value + "]" * 500 + "}\n")
    after = run("event", "watch", str(cup), "--json", "--once")
    assert (after.exit_code, after.stdout) == (0, before.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("entry", ["{}", '{"event": "played"}', '{"event": "planned", "at": "yesterday"}'])
def test_a_log_that_no_run_wrote_is_refused_in_one_sentence(refused: Refused, cup: Path, entry: str) -> None:
    (cup / EVENTS).write_text(f"{entry}\n")
    assert "events.jsonl, is damaged" in refused("event", "watch", str(cup), "--once")


def test_a_pipe_in_place_of_the_log_is_refused_in_one_sentence(run: Run, cup: Path) -> None:
    (cup / EVENTS).unlink()
    os.mkfifo(cup / EVENTS)
    shown = run("event", "watch", str(cup), "--once")
    assert (shown.exit_code, shown.stderr) == (
        2,
        f"ballcourt: cannot read the log in {cup}: it is not a regular file\n",
    )


def test_a_folder_is_free_after_its_run(cup: Path) -> None:
    assert holder(cup) is None
    assert holder(Path("nowhere")) is None


def test_running_matches_are_listed_from_their_beginning_to_their_end() -> None:
    overview = Overview()
    overview.add({"event": "planned", "matches": 20, "exact": True}, 0.0)
    for number in range(MOST_TABLES + 2):
        overview.add({"event": "started", "match": f"m{number}", "bots": ["ann", "bob\x1b[31m"]}, float(number))
    assert next(overview.tables(60.0)) == "m0: ann, bob\\x1b[31m (1 min 00 s)"
    assert list(overview.tables(60.0))[-1] == "and 2 more"
    overview.add({"event": "played", "match": "m0", "new": True}, 10.0)
    overview.add({"event": "voided", "matches": ["m1", "m99"]}, 11.0)
    assert len(overview.running) == MOST_TABLES
    overview.add({"event": "something new"}, 12.0)
    assert overview.line(20.0) == "1 of 20 matches, 3.0 per minute, 6 min 20 s to go"
