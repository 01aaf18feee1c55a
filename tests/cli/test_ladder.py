"""`ballcourt ladder`: it survives being killed, refuses in a sentence, and other commands read its folder."""

import json
import os
import re
import signal
from pathlib import Path
from statistics import mean

import pytest
from fastapi.testclient import TestClient

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.sandbox import walls
from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.overview import Overview
from ballcourt.cli.ladder import feeding
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.pages import live
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.store.boards import leaderboard
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.folder import results_in
from tests.arena.conftest import PATIENCE_S, bounded
from tests.arena.ladder.in_process import BAD, begun_in, let_in, play, put, settings_in
from tests.cli.conftest import Refused, Run, write_bot
from tests.leaderboard.made import alone
from tests.leaderboard.pages.made_site import site_at
from tests.leaderboard.recorded import played, record, refuse
from tests.torture.subject import LadderSubject

FILE = 'game = "bluff"\nbots = "bots"\nseats = 2\n'


@pytest.mark.slow
def test_a_ladder_that_is_killed_ends_with_the_same_table(tmp_path: Path) -> None:
    undisturbed, killed = (LadderSubject(tmp_path / name, rounds=4, workers=1) for name in ("undisturbed", "killed"))
    for subject in (undisturbed, killed):
        subject.place.mkdir()
        subject.prepare()
    expected = undisturbed.finish()
    process = killed.start()
    killed.wait_for(process, records=3)
    process.kill()
    process.wait(PATIENCE_S)
    killed.check(expected)
    assert (killed.out / "stages.jsonl").read_bytes() == (undisturbed.out / "stages.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.gate
@pytest.mark.parametrize(
    ("how", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_ladder_that_is_asked_to_end_says_how_to_continue(
    tmp_path: Path, how: signal.Signals, code: int, word: str
) -> None:
    subject = LadderSubject(tmp_path / "ladder", rounds=10_000, workers=1)
    subject.place.mkdir()
    subject.prepare()
    with bounded(subject.start()) as process:
        assert subject.wait_for(process, records=4)
        process.send_signal(how)
        assert process.wait(PATIENCE_S) == code
    messages = (subject.place / "messages").read_text()
    end = re.search(r"stopped after (\d+) matches of 20000, which are in out\n(.*)", messages, re.DOTALL)
    assert end, messages
    kept = len([*subject.out.glob("records/*.match")])
    assert int(end[1]) in (kept - 1, kept)  # the signal may come between a record and its event
    assert end[2] == (
        "to continue: ballcourt ladder ladder.toml --matches 20000\n"
        f"to see the table so far: ballcourt leaderboard out\n{word}\n"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('game = "bluff"\n', "lacks 'bots'; give the folder from which bots join"),
        (FILE, "bots, the folder from which bots join, does not exist; make it, even if empty"),
        (FILE.replace("bluff", "chess"), "chess"),
        (FILE.replace("2", "1"), "a ladder needs at least 2 seats"),
        (FILE + "across = 0.01\n", "across is 0.01; it must be a number from 0.1 to 0.9"),
    ],
)
def test_wrong_input_is_one_sentence(refused: Refused, place: Path, text: str, sentence: str) -> None:
    (place / "ladder.toml").write_text(text)
    assert sentence in refused("ladder ladder.toml")


def test_a_file_that_is_missing_is_named(refused: Refused) -> None:
    assert "cannot read nowhere.toml: No such file or directory" in refused("ladder nowhere.toml")


@pytest.mark.slow
def test_what_is_strict_fails_if_a_bot_loses_its_seat(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "demand", lambda tier: None)  # any machine is good enough
    write_bot(place / "bots" / "low", "low")
    write_bot(place / "bots" / "bad", "bad", "crashes", script="misbehaving.py")
    (place / "ladder.toml").write_text(FILE + "seed = 3\nworkers = 1\noutput = 'out'\n")
    let_in(place / "ladder.toml")
    first = run("ladder ladder.toml --matches 4")
    assert (first.exit_code, "to go on, with more --matches: ballcourt" in first.stderr) == (0, True)
    assert run("ladder ladder.toml --matches 8 --strict").exit_code == 1


@pytest.mark.slow
def test_the_other_commands_work_on_the_folder_of_a_ladder(succeeds: Run, refused: Refused, place: Path) -> None:
    settings = begun_in(place, versions=1)
    put(settings.bots, "ann", version="2")
    put(settings.bots, "eve", **{BAD: ""})
    list(play(settings, matches=60))
    board = succeeds("leaderboard out")
    assert [word in board.stdout for word in ("ann", "bob", "(retired)")] == [True] * 3
    assert "60 matches" in succeeds("event watch out --once").stderr
    assert succeeds("leaderboard out --rebuild --json").stdout == succeeds("leaderboard out --json").stdout
    log = succeeds("event log out").stdout
    assert "ann 1 is retired (ladder: ann 2 has joined, and only the newest version of a bot stays)" in log
    assert "which has no end" in refused("event lengthen out --matches 100 --reason more")
    succeeds("study history out bob")


@pytest.mark.slow
def test_all_tables_of_a_ladder_have_its_residents_as_anchors(
    run: Run, refused: Refused, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_BOTS", os.pathsep.join(str(put(place / "known", name)) for name in ("yard", "rod")))
    settings = begun_in(place, 60, residents=("yard", "rod"))

    def table(*words: str) -> dict[str, float]:
        """Return the ratings of the only table, as JSON has them."""
        return ratings(run("leaderboard", *words, "--json").stdout)

    def ratings(text: str) -> dict[str, float]:
        (found,) = json.loads(text)["ladders"]
        return {row["bot"]: row["rating"] for row in found["standings"]}

    of_folder = table("out")
    assert (of_folder["yard"] + of_folder["rod"]) / 2 == pytest.approx(25, abs=1e-4)
    assert mean(of_folder.values()) != pytest.approx(25, abs=1e-4)
    assert table("out", "--rebuild") == of_folder
    database = f"sqlite:///{settings.output / 'leaderboard.sqlite'}"
    assert table(database) == table(database) == of_folder, "fitted and kept"
    with site_at(str(settings.output), place) as site:
        client = TestClient(create_app(site.views, live.Live(settings.output)), base_url="http://127.0.0.1")
        assert ratings(client.get("/api/leaderboard").text) == of_folder
    (board,) = leaderboard(settings.output).values()
    assert {row.entrant.name: round(row.rating, 4) for row in board.rows} == of_folder
    for where in ("out", database):
        assert mean(table(where, "--anchor", "none").values()) == pytest.approx(25, abs=1e-4)
        assert table(where, "--anchor", "ann")["ann"] == pytest.approx(25, abs=1e-4)
    assert "--anchor none goes with no other anchor" in refused("leaderboard out --anchor none --anchor ann")


def test_a_ladder_whose_settings_changed_is_refused(refused: Refused, place: Path) -> None:
    begun_in(place)
    (place / "ladder.toml").write_text(f'{FILE}seed = 6\noutput = "out"\n')
    assert "out holds another tournament: its seed is 5, not 6" in refused("ladder ladder.toml --matches 30")


@pytest.mark.parametrize("limits", [{"memory_mb": 300}, {}], ids=["begins", "ends"])
def test_a_ladder_goes_on_in_another_sandbox(place: Path, limits: dict[str, int]) -> None:
    before = {} if limits else {"memory_mb": 300}
    begun_in(place, 4, sandbox=before)
    settings = settings_in(place, sandbox=limits)
    assert [event for event in play(settings, matches=8) if isinstance(event, MatchPlayed)]
    kept = kept_plan(settings.output)
    assert kept
    assert kept.sandbox == settings.sandbox.sandbox()


def test_a_ladder_goes_on_under_other_rules_and_shows_both_tables(
    run: Run, succeeds: Run, refused: Refused, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = begun_in(place)
    monkeypatch.setattr(type(find_game("bluff")), "rules_version", "2")
    (place / "ladder.toml").write_text(f'{FILE}seed = 5\nprovisional = 4\noutput = "out"\n')
    assert "ballcourt event renew out --reason WHY" in refused("ladder ladder.toml --matches 30")
    decided = run("event", "renew", "out", "--reason", "they mend a gap")
    assert "decision 3: bluff goes on under rules 2 (" in decided.stdout
    again = run("event", "renew", "out", "--reason", "they mend a gap")
    assert (again.exit_code, again.stdout) == (0, "")
    list(play(settings, matches=40))
    tables = json.loads(run("leaderboard out --json").stdout)["ladders"]
    assert [(table["rules_version"], len(table["standings"])) for table in tables] == [("1", 2), ("2", 2)]
    succeeds("event certificate out")


@pytest.mark.slow
@pytest.mark.parametrize("kept", [0, 3, 17])
def test_a_database_that_was_removed_or_replaced_gets_every_match_back(
    place: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr("ballcourt.cli.ladder.REMEMBERED", 4)
    settings = begun_in(place)
    with open_database(place / "all.sqlite", create=True) as database:
        database.add([*results_in(settings.output).matches[:kept], elsewhere := alone("elsewhere", "eve", 1.0)])
        with feeding([database], Overview(), settings.output) as feed:
            for event in play(settings, matches=24):
                feed(event)
        found = {match.identity for match in database.results()}
    expected = {match.identity for match in results_in(settings.output).matches}
    assert len(expected) == 24
    assert found == {*expected, elsewhere.identity}


def test_a_database_that_lacks_results_in_the_end_is_a_failure_of_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Database, "add", refuse)
    with (
        open_database(tmp_path / "one.sqlite", create=True) as database,
        pytest.raises(ArenaError, match="disk is full; all results are in the records; to write them and go"),
        feeding([database], Overview(), tmp_path) as feed,
    ):
        feed(played(record("m0")))


@pytest.mark.slow
def test_the_ladder_of_a_contest_that_is_over_rests_and_the_status_says_so(succeeds: Run, place: Path) -> None:
    succeeds("contest new cup --game bluff --unconfined")
    ladder, contest = place / "cup/ladder.toml", place / "cup/contest.toml"
    ladder.write_text(ladder.read_text().replace('["random"]', '["random", "first-legal"]\nprovisional = 0'))
    assert "ladder: it has not been played yet" in succeeds("contest status cup").stdout
    text = re.sub(r"opens = \S+", "opens = 2025-01-01T00:00:00Z", contest.read_text())
    contest.write_text(re.sub(r"closes = \S+", "closes = 2025-02-01T00:00:00Z", text))
    done = succeeds("ladder cup/ladder.toml --hours 0.001")
    over = "the last phase, training, closed 2025-02-01 00:00 UTC"
    assert f"resting: {over}; a later [[phase]] in contest.toml lets it go on" in done.stderr
    assert not [*(place / "cup/ladder/records").iterdir()]
    contest.write_text(contest.read_text().replace("2025-02-01", "2099-02-01"))
    succeeds("ladder cup/ladder.toml --matches 2")
    assert [*(place / "cup/ladder/records").iterdir()]
    assert "ladder: 2 matches of 2; its run has ended" in succeeds("contest status cup").stdout
