"""What `ballcourt` offers to scripts and notebooks."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import ballcourt
from ballcourt import Bot, Decision, ask_again, load_records, play_match
from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.records.decisions import answered
from ballcourt.arena.records.store import RecordError, write_record
from ballcourt.engine.core import IllegalAction, WrongInput
from ballcourt.engine.registry import find_game


class Highest(Bot):
    """Chooses the highest legal action."""

    def choose(self, decision: Decision) -> int:
        return decision.legal[-1]


def test_importing_ballcourt_loads_no_library() -> None:
    program = "import sys, ballcourt; print([name for name in ('grpc', 'numpy', 'typer') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


def test_a_bot_that_ends_before_it_plays_has_loaded_no_event_loop() -> None:
    program = "import sys; from ballcourt import Bot, run; print('asyncio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "False\n"


@pytest.mark.parametrize("before", ["", "import ballcourt.leaderboard.model.results; "])
def test_leaderboard_is_a_function_and_a_package(before: str) -> None:
    program = f"{before}from ballcourt import leaderboard; print(callable(leaderboard), leaderboard.__path__ != [])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "True True\n"


def test_every_name_can_be_imported() -> None:
    assert [name for name in ballcourt.__all__ if not callable(getattr(ballcourt, name))] == []


def test_objects_play_in_this_process_and_the_same_seed_gives_the_same_match() -> None:
    first, second = (play_match("maya", [Highest(), Highest()], seed=7) for _ in range(2))
    assert first.decisions.actions == second.decisions.actions


async def test_objects_play_where_an_event_loop_runs_already() -> None:
    assert len(play_match("maya", [Highest(), Highest()], seed=7).results) == 2


def test_what_an_object_raises_reaches_the_caller() -> None:
    class Broken(Bot):
        def choose(self, decision: Decision) -> int:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play_match("maya", [Broken(), Highest()], seed=7)


class Counting(Bot):
    """Says how many questions it has had, and chooses the lowest action."""

    asked = 0

    def choose(self, decision: Decision) -> int:
        self.asked += 1
        return decision.legal[0]


async def test_an_object_is_asked_a_recorded_question_again_in_the_thread_of_the_cell(tmp_path: Path) -> None:
    record = play_match("maya", [Highest(), Highest()], seed=7)
    number = answered(record, 1)[9]
    maya = find_game("maya")
    assert ask_again(record, number, Highest()) == maya.action_names[record.decisions.actions[number]]
    threads = []

    class Here(Highest):
        def choose(self, decision: Decision) -> int:
            threads.append(threading.current_thread())
            return super().choose(decision)

    assert ask_again(write_record(tmp_path, record), number, Here()) == ask_again(record, number, Here())
    assert {*threads} == {threading.main_thread()}, "where a breakpoint works"


def test_a_bot_with_memory_gets_the_earlier_questions_of_its_match_first() -> None:
    record = play_match("maya", [Highest(), Highest()], seed=7)
    for history, asked in ((False, 1), (True, 10)):
        bot = Counting()
        ask_again(record, answered(record, 1)[9], bot, history=history)
        assert bot.asked == asked


@pytest.mark.slow
def test_an_answer_that_was_not_offered_and_a_question_to_no_seat_are_refused() -> None:
    class Wild(Bot):
        def choose(self, decision: Decision) -> int:
            return 10**6

    record = play_match("maya", [Highest(), Highest()], seed=7)
    with pytest.raises(
        IllegalAction, match=r"^1000000 \(no action of maya\) was not offered; the legal actions are \w+"
    ):
        ask_again(record, answered(record, 0)[0], Wild())
    with pytest.raises(RecordError, match="has decisions 0 to"):
        ask_again(record, 10**6, Highest())


def test_names_and_objects_do_not_mix() -> None:
    with pytest.raises(TypeError, match="not both"):
        play_match("maya", ["greedy", Highest()])


def test_a_clock_is_refused_for_objects() -> None:
    with pytest.raises(TypeError, match="clock and sandbox are for bots in processes of their own"):
        play_match("maya", [Highest(), Highest()], clock={"cap_ms": 100})


@pytest.mark.parametrize("bots", [["greedy", "nosuch"], ["greedy"], ["greedy", "human"]])
def test_wrong_bots_are_refused_before_anything_is_played(bots: list[str]) -> None:
    with pytest.raises(WrongInput):
        play_match("maya", bots)


def test_a_person_is_not_a_bot() -> None:
    with pytest.raises(BotError, match="a person plays with `ballcourt play`"):
        play_match("maya", ["human", "greedy"])


def test_records_are_loaded_from_a_folder_and_from_a_file(tmp_path: Path) -> None:
    record = play_match("maya", [Highest(), Highest()], seed=7)
    path = write_record(tmp_path, record)
    assert list(load_records(tmp_path)) == list(load_records(path)) == [record]


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"there are no records \(\*.match\) in "):
        list(load_records(tmp_path))
