"""Programs that speak lines over pipes take seats: those of the kits' two shapes, and those that go wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt import Bot, CannotPlay, Decision, Session, play_in_process
from ballcourt.arena.match.policy import parse_policy
from ballcourt.bots.sdk.python.bridge import flat
from ballcourt.bridge import JsonProgram, Program, ProgramError, TextProgram
from ballcourt.v1.protocol_pb2 import MatchEnd
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import PATIENCE_S

LUX = """
import json, sys
heard = open("heard", "w")
while True:
    try:
        line = input()
    except EOFError:
        raise SystemExit(0)
    print(line, file=heard, flush=True)
    print(json.dumps({"action": json.loads(line)[KEY][-1]}))
"""
"""The loop of main.py in the Python kit of Lux AI, seasons 2 and 3: it prints no sooner than it reads again."""
HALITE = """
import json, sys
constants = json.loads(input())
seats, me = map(int, input().split())
print("MyPythonBot")
sys.stdout.flush()
with open("heard", "w") as heard:
    while True:
        turn = int(input())
        legal = input().split()
        observed = dict(input().split(" ", 1) for _ in range(int(input())))
        print(json.dumps([constants, seats, me, turn, observed]), file=heard, flush=True)
        print(legal[-1])
        sys.stdout.flush()
"""
"""The order of lines in the Python kit of Halite III: constants, seats, the name, then a turn and an answer each."""


class Last(Bot):
    name = "last"

    def __init__(self) -> None:
        self.seen: list[Decision] = []

    def choose(self, decision: Decision) -> int:
        self.seen.append(decision)
        return decision.legal[-1]


def program(kind: type[Program], source: str) -> Program:
    made = kind()
    made.name = "kit"
    made.command = [sys.executable, "-c", source]
    return made


def against_last(bot: Bot) -> MatchRecord:
    return play_in_process("maya", [Session(bot), Session(Last())], seed=1)


def heard() -> list[str]:
    return Path("heard").read_text().splitlines()


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("key", ["legal", "names"])
def test_a_program_of_the_shape_of_lux_plays_like_a_bot_of_the_sdk(key: str) -> None:
    played = against_last(program(JsonProgram, LUX.replace("KEY", repr(key))))
    wanted = against_last(bot := Last())
    assert played.decisions.actions == wanted.decisions.actions
    assert not played.faults
    questions = [json.loads(line) for line in heard()]
    assert [one["legal"] for one in questions] == [one.legal for one in bot.seen]
    assert [one["step"] for one in questions] == [one.number for one in bot.seen]
    assert {one["player"] for one in questions} == {"player_0"}
    assert questions[0]["info"]["env_cfg"]["game"] == "maya" and questions[0]["remainingOverageTime"] > 0
    assert [one["obs"]["players"][1]["score"] for one in questions] == [
        one.observation.players[1].score for one in bot.seen
    ]


def test_a_program_in_python_need_not_flush_what_it_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    source = "import json, sys\nfor line in sys.stdin:\n    print(json.loads(line)['legal'][-1])"
    assert against_last(program(JsonProgram, source)).decisions.actions == against_last(Last()).decisions.actions


def test_a_program_of_the_shape_of_halite_plays_like_a_bot_of_the_sdk() -> None:
    played = against_last(program(TextProgram, HALITE))
    wanted = against_last(bot := Last())
    assert played.decisions.actions == wanted.decisions.actions
    rows = [json.loads(line) for line in heard()]
    assert [row[3] for row in rows] == [one.number for one in bot.seen]
    assert {(row[0]["game"], row[1], row[2]) for row in rows} == {("maya", 2, 0)}
    assert [int(row[4]["players.1.score"]) for row in rows] == [one.observation.players[1].score for one in bot.seen]


def test_values_in_lines_are_words_and_numbers_by_their_paths() -> None:
    listed = flat("", {"night": True, "players": [{"corn": 3}, {"used": False}], "none": []})
    assert [f"{name} {value}" for name, value in listed] == ["night 1", "players.0.corn 3", "players.1.used 0"]


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (JsonProgram, "foo"),
        (JsonProgram, '{"action": true}'),
        (JsonProgram, '{"action": -1}'),
        (JsonProgram, '{"act": 1}'),
        (JsonProgram, "[1]"),
        (JsonProgram, "4294967296"),
        (JsonProgram, "1.5"),
        (JsonProgram, "[" * 60000),
        (JsonProgram, "1" * 5000),
        (TextProgram, "1" * 5000),
        (TextProgram, "-1"),
        (TextProgram, "no such name"),
        (TextProgram, ""),
        (TextProgram, "²"),
    ],
)
def test_an_answer_that_names_no_action_is_shown_with_what_is_allowed(kind: type[Program], answer: str) -> None:
    before = "name\n" if kind is TextProgram else ""
    bot = program(kind, f"print({before + answer!r}); input()")
    with pytest.raises(ProgramError) as raised:
        against_last(bot)
    assert f" answered {answer[:80]!r}; it must be one of the legal actions, such as " in str(raised.value)
    bot.match_ended(MatchEnd())


def test_a_line_that_does_not_end_is_refused() -> None:
    bot = program(JsonProgram, "print('1' * 70000)")
    with pytest.raises(ProgramError, match="wrote a line of more than 65536 bytes"):
        against_last(bot)


@pytest.mark.parametrize("source", ["raise SystemExit(7)", "input(); raise SystemExit(7)"])
def test_a_program_that_ends_during_the_match_is_named_with_its_exit_code(source: str) -> None:
    with pytest.raises(ProgramError, match="ended with exit code 7 during the match; it must answer questions until"):
        against_last(program(JsonProgram, source))


def test_a_program_that_cannot_be_started_is_named() -> None:
    bot = JsonProgram()
    bot.command = ["./nothing"]
    with pytest.raises(
        CannotPlay, match=r"the program './nothing' cannot be started: No such file or directory; name "
    ):
        against_last(bot)


@pytest.mark.parametrize("at_the_end", ["raise SystemExit(0)", "import time; time.sleep(1000)"])
def test_a_program_ends_with_its_match(at_the_end: str) -> None:
    bot = program(JsonProgram, LUX.replace("KEY", "'legal'").replace("raise SystemExit(0)", at_the_end))
    for _ in range(2):
        against_last(bot)
        assert bot._process.returncode == (0 if "Exit" in at_the_end else -9)


def test_an_action_that_is_not_legal_is_refused_by_the_arena_and_asked_again() -> None:
    source = LUX.replace("json.loads(line)[KEY][-1]", 'json.loads(line)["legal"][-1] if "wrong" in globals() else 0')
    source = source.replace("else 0}))", "else 0}))\n    wrong = True")
    policy = parse_policy({"illegal": "retry 1"})
    played = play_in_process("maya", [Session(program(JsonProgram, source)), Session(Last())], seed=1, policy=policy)
    assert not played.faults
    first, again = map(json.loads, heard()[:2])
    assert (first["rejected"], first["legal"]) == ("", again["legal"])
    assert "0" in again["rejected"]


@pytest.mark.parametrize("words", ["", "json", "yaml python3 main.py"])
def test_wrong_arguments_are_refused_in_a_sentence(words: str) -> None:
    command = [sys.executable, "-m", "ballcourt.bridge", *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        f"the arguments are '{words}'; they must be json or text, and the command of a program"
    )
