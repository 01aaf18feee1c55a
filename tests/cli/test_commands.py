"""What the commands print when nothing is wrong."""

import json
import os
from pathlib import Path

import pytest

from ballcourt.arena.bots.starters import languages
from ballcourt.arena.records.bundle import bundles_in
from ballcourt.arena.records.store import read_record, write_record
from ballcourt.arena.sandbox import walls
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.workers.capacity import CapacityError
from ballcourt.cli.clusters import say_crowding
from tests.arena.recorded import recorded
from tests.cli.conftest import CUP, Refused, Run, write_bot


def test_games_lists_seats_rules_version_and_options(run: Run) -> None:
    assert "bluff: Bluff; rules 1; 1, 2, 3, 4 seats; 4 actions" in run("games").stdout
    assert "rounds = 1 | 3 | 100" in run("games bluff").stdout
    (game,) = json.loads(run("games bluff --json").stdout)
    assert (game["name"], game["seats"], game["options"][0]["default"]) == ("bluff", [1, 2, 3, 4], "3")


def test_bots_lists_the_bots_known_by_name(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALLCOURT_BOTS", str(place / "low"))
    assert "low 1" in run("bots").stdout
    assert "low" in [bot["name"] for bot in json.loads(run("bots --json").stdout)]


def test_new_bot_knows_every_language_and_says_what_to_read_next(run: Run, place: Path) -> None:
    assert [language for language in languages() if language not in run("new-bot --help").stdout] == []
    shown = run("new-bot mine --lang go").stdout
    assert "./mine/sdk/README.md" in shown
    assert (place / "mine" / "sdk" / "README.md").is_file()


def test_play_shows_the_result_and_leaves_a_record_that_verifies(succeeds: Run, processes: None, place: Path) -> None:
    result = succeeds("play bluff ./low ./any ./low --seed 5 --record-dir kept")
    assert "bluff, rules 1, rounds = 3; 9 decisions" in result.stdout
    (file,) = (place / "kept").iterdir()
    assert f"seed 5; the record is kept/{file.name}" in result.stdout
    verified = succeeds("replay", "verify", str(file))
    assert "agrees in all 9 decisions" in verified.stdout


def test_the_clock_of_a_match_can_follow_the_speed_of_the_machine(run: Run) -> None:
    shown = json.loads(run("play bluff ./low ./any --clock scale=reference --json").stdout)
    assert read_record(Path(shown["record"])).clock_scale == "reference"


def test_copies_of_a_bot_play_each_other_under_labels(succeeds: Run) -> None:
    shown = json.loads(succeeds("play bluff ./low twin=./low --json").stdout)
    record = read_record(Path(shown["record"]))
    assert [(entrant.name, entrant.bot) for entrant in record.entrants] == [("low", ""), ("twin", "low")]
    succeeds("replay", "verify", shown["record"])


def test_play_prints_the_same_result_as_json(run: Run) -> None:
    shown = json.loads(run("play bluff ./low ./any --seed 5 --json").stdout)
    assert read_record(Path(shown["record"])).seed == shown["seed"] == 5
    assert [seat["bot"] for seat in shown["seats"]] == ["low", "any"]
    assert {seat["termination"] for seat in shown["seats"]} == {"OK"}


def test_play_says_which_bot_lost_its_seat_and_why(succeeds: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    result = succeeds("play bluff ./bad ./low")
    assert "lost its seat at decision 0 (ILLEGAL): the bot answered with action" in result.stdout
    assert result.stdout.splitlines()[1].startswith("  1.  low 1")
    assert "ballcourt replay faults runs/play/bluff-" in result.stderr


def test_bots_that_would_wait_for_each_other_while_their_clocks_run_are_announced(
    succeeds: Run, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.cores.usable", lambda: [*os.sched_getaffinity(0)][:1])
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--matches", "2", "--clock")
    shown = succeeds(*cup, "ponder=true", "--set", "cpus=1")
    assert "caution: up to 2 bots think at the same time on 1 processor, and their clocks run" in shown.stderr
    assert "caution: up to" not in succeeds(*cup, "work=9", "--clock", "ponder=true", "--output", "counted").stderr
    assert "do not fit into the 1 processor that can be used: give at most 1 processor" in refused(
        *cup, "ponder=true", "--set", "cpus=2", "--output", "too many"
    )


def test_a_strict_tournament_is_refused_if_bots_would_wait_for_each_other(place: Path) -> None:
    settings = Event().replaced(game="bluff", bots=("./low", "./any"), seats=2, matches=2, workers=1, cpus=1)
    pondering = settings.replaced(clock={"ponder": True})
    say_crowding(plan(settings), settings, strict=True)
    with pytest.raises(CapacityError, match="--strict: up to 2 bots think at the same time"):
        say_crowding(plan(pondering), pondering, strict=True)


@pytest.mark.slow
def test_play_shows_the_traceback_of_a_bot_that_crashed(run: Run, place: Path) -> None:
    (place / "broken").mkdir()
    (place / "broken" / "bot.py").write_text("import nothing_of_this_name\n")
    (place / "broken" / "bot.toml").write_text('name = "broken"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    result = run("play bluff ./broken ./low")
    assert "      | ModuleNotFoundError: No module named 'nothing_of_this_name'" in result.stdout.splitlines()
    told = json.loads(run("play bluff ./broken ./low --json").stdout)
    assert told["seats"][0]["stderr_tail"].endswith("No module named 'nothing_of_this_name'\n")
    assert told["seats"][1]["stderr_tail"] == ""


LOOP = """
from ballcourt import Bot, run

def search(board):
    while True:
        board += 1

class Loop(Bot):
    def choose(self, decision):
        return search(0)

run(Loop)
"""


@pytest.mark.slow
def test_a_python_bot_that_takes_too_long_says_where_it_was(run: Run, place: Path) -> None:
    (place / "loop").mkdir()
    (place / "loop" / "bot.py").write_text(LOOP)
    (place / "loop" / "bot.toml").write_text('name = "loop"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    told = json.loads(run("play bluff ./loop ./low --clock cap_ms=200 --json").stdout)["seats"][0]
    assert told["termination"] == "TIMEOUT"
    first, *stack = told["stderr_tail"].splitlines()
    assert first == "it was asked to end while it was here:"
    places = [line.rpartition(", ")[2] for line in stack if "File" in line]
    assert places == ["in choose", "in search"]


@pytest.mark.slow
def test_a_python_bot_that_waits_ends_without_a_word(run: Run, place: Path) -> None:
    """It is ended because its answer is illegal, while it waits for the next question."""
    (place / "wrong").mkdir()
    (place / "wrong" / "bot.py").write_text(LOOP.replace("return search(0)", "return 77"))
    (place / "wrong" / "bot.toml").write_text('name = "wrong"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    told = json.loads(run("play bluff ./wrong ./low --json").stdout)["seats"][0]
    assert (told["termination"], told["stderr_tail"]) == ("ILLEGAL", "")


def test_play_fails_on_a_fault_if_asked_to(run: Run, succeeds: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    assert run("play bluff ./bad ./low --fail-on-fault").exit_code == 1
    succeeds("play bluff ./any ./low --fail-on-fault")
    for rival, code in (("./any", 0), ("./bad", 1)):
        cup = (
            "tournament",
            "--game",
            "bluff",
            "--bot",
            "./low",
            "--bot",
            rival,
            "--matches",
            "1",
            "--output",
            rival[2:5],
        )
        assert run(*cup, "--fail-on-fault").exit_code == code


def test_what_is_strict_fails_on_a_fault_too(
    run: Run, succeeds: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walls, "demand", lambda tier: None)  # any machine is good enough
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./bad", "--matches", "1", "--workers", "1")
    for words in (("play", "bluff", "./bad", "./low"), cup):
        succeeds(*words)
        assert run(*words, "--strict").exit_code == 1


def test_a_tournament_leaves_a_bundle_for_every_fault(succeeds: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    result = succeeds("tournament --game bluff --bot ./low --bot ./bad --workers 1 --output o")
    bundles = [path.name for path in bundles_in(place / "o" / "faults")]
    assert bundles == ["b000000-r0-seat1-bad", "b000000-r1-seat0-bad"]
    assert "seats lost: 2, by bad 1 (2 x illegal)\nwhat the authors of these bots need is in o/faults" in result.stderr


@pytest.mark.slow
def test_a_bot_that_never_gets_to_a_decision_is_named_at_once_and_at_the_end(run: Run, place: Path) -> None:
    write_bot(place / "lost", "lost", script=str(place / "lost" / "bot.py"))
    (place / "lost" / "bot.py").write_text("import nowhere\n")
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    bots = [word for bot in ("low", "lost", "bad") for word in ("--bot", f"./{bot}")]
    messages = run("tournament", "--game", "bluff", *bots, "--seats", "3", "--workers", "1", "--output", "o").stderr
    why = "; its last output is 'ModuleNotFoundError: No module named 'nowhere''"
    first = messages.index("lost 1 lost its seat in its first match before it decided anything: the bot ended before")
    last = messages.index("lost 1 never got as far as a decision, in 3 matches: the bot ended before it sent Hello")
    assert messages.count(why) == 2
    assert first < last < messages.index("seats lost: 6")
    assert not any(f"{bot} 1 {words}" in messages for bot in ("low", "bad") for words in ("never", "lost its seat"))


def test_a_bot_that_lost_all_its_seats_has_no_score_where_no_two_seats_were_kept(run: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    command = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./bad", "--workers", "1", "--output", "o")
    (ladder,) = json.loads(run(*command, "--json").stdout)["ladders"]
    scores = {row["bot"]: row["score"] for row in ladder["standings"]}
    assert scores["bad"] is None
    assert scores["low"] is not None


@pytest.mark.slow
def test_a_tournament_ends_with_its_table_and_a_second_run_plays_nothing(
    succeeds: Run, processes: None, place: Path
) -> None:
    (place / "cup.toml").write_text(CUP)
    first = succeeds("tournament cup.toml")
    assert "95% interval" in first.stdout
    assert "even: each bot plays 6 matches" in first.stderr
    assert "records: out/records (6 matches)" in first.stderr
    assert succeeds("replay verify out").stdout == succeeds("replay verify out/records").stdout != ""
    records = {path: path.stat().st_mtime_ns for path in (place / "out" / "records").iterdir()}
    again = succeeds("tournament cup.toml")
    assert again.stdout == first.stdout
    assert "6 of them have been played before" in again.stderr
    assert {path: path.stat().st_mtime_ns for path in (place / "out" / "records").iterdir()} == records


def test_flags_can_replace_a_file(run: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    by_file = run("tournament cup.toml --json")
    flags = "--game bluff --bot ./low --bot ./any --rounds 3 --seed 4 --output other --workers 1 --json"
    by_flags = run("tournament", *flags.split())
    assert json.loads(by_flags.stdout) == json.loads(by_file.stdout)


def test_a_drawn_seed_is_kept_and_a_longer_tournament_continues(succeeds: Run, refused: Refused) -> None:
    flags = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--workers", "1")
    succeeds(*flags, "--matches", "3")
    longer = succeeds(*flags, "--matches", "6")
    assert "6 matches of bluff" in longer.stderr
    assert "4 of them have been played before; going on" in longer.stderr
    assert "runs/bluff holds another tournament: its seed is" in refused(*flags, "--seed", "1")


def test_an_unreadable_record_is_reported_and_its_match_played_again(succeeds: Run, place: Path) -> None:
    (place / "cup.toml").write_text(CUP)
    first = succeeds("tournament cup.toml")
    damaged = place / "out" / "records" / "b000001-r0.match"
    damaged.write_bytes(damaged.read_bytes()[:-60])
    again = succeeds("tournament cup.toml")
    assert "played again, because out/records/b000001-r0.match is damaged" in again.stderr
    assert again.stdout == first.stdout


def test_a_one_seat_match_shows_its_rival(run: Run) -> None:
    played = run("play bluff ./low --record-dir kept")
    assert "  1.  the house  no bot         3 points" in played.stdout
    (file,) = Path("kept").iterdir()
    assert "the house" in run("replay", "show", str(file)).stdout


def test_control_characters_of_a_bot_are_escaped(run: Run, place: Path) -> None:
    record = recorded()
    record.decisions.thoughts[1] = "\x1b[2J\rmatch of nobody\n"
    shown = run("replay", "show", str(write_record(place, record))).stdout
    assert "      thought: \\x1b[2J\n                 match of nobody\n" in shown
    assert "\x1b" not in shown


def test_the_demo_plays_into_the_requested_folder(succeeds: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = 'game = "bluff"\nbots = ["first-legal", "random"]\nblocks = 1\nseed = 1\noutput = "runs/demo"\n'
    (place / "demo.toml").write_text(settings)
    monkeypatch.setattr("ballcourt.arena.files.PACKAGE", place)
    shown = succeeds("demo --output elsewhere")
    assert (place / "elsewhere" / "records").is_dir()
    assert not (place / "runs").exists()
    assert f"its settings, to copy and change: {place / 'demo.toml'}" in shown.stderr
    assert "to see it in a browser: ballcourt serve elsewhere\n" in shown.stderr


def test_the_rules_of_every_game_are_shown_with_their_path(run: Run) -> None:
    for game in ("ahau", "maya", "tzolkin"):
        (described,) = json.loads(run("games", game, "--json").stdout)
        assert described["rules"] in run("games", game).stdout
        assert run("games", game, "--rules").stdout == Path(described["rules"]).read_text()


def test_a_game_without_written_rules_is_named(run: Run) -> None:
    shown = run("games bluff --rules")
    assert (shown.exit_code, shown.stderr) == (
        2,
        "ballcourt: bluff comes without a RULES.md; ask its author for the rules\n",
    )


def test_docs_lists_its_pages_and_shows_each(run: Run) -> None:
    lines = run("docs").stdout.splitlines()
    for title, file in zip(lines[::2], lines[1::2], strict=True):
        assert run("docs", title.partition(":")[0]).stdout == Path(file.strip()).read_text()


def test_the_error_for_an_unknown_page_lists_the_known_ones(refused: Refused) -> None:
    assert "'nothing' is not a page; known pages: first-bot, languages, match, competition, " in refused("docs nothing")


def test_check_sdk_takes_the_language_of_the_installed_sdk(run: Run) -> None:
    shown = run("check sdk python --only closed")
    version = shown.stdout.splitlines()[-1].partition(";")[0]
    assert version.startswith("contract ")
    assert f"**{version.removeprefix('contract ')}**" in run("docs contract").stdout
    assert (shown.exit_code, shown.stdout[:12]) == (0, "ok      clos")
