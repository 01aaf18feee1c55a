"""`Evaluator`: how good a candidate is, what is known already, and its feedback."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt import Evaluator
from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.bots.version import BotVersion
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.evaluation import evaluator
from ballcourt.evaluation.assessment import Assessment, Budget, Conclusion, believed, verdict_of
from ballcourt.evaluation.evidence import Measure
from ballcourt.evaluation.ledger import ROTATE, KeptBlock, Ledger
from ballcourt.evaluation.points import margin_of
from ballcourt.evaluation.terms import Place, Terms, is_candidate
from ballcourt.v1.record_pb2 import MatchRecord
from tests.cli.conftest import write_bot
from tests.evaluation.conftest import Opened

START = (
    "from ballcourt import Bot\nclass Mine(Bot):\n    def choose(self, decision):\n        return decision.legal[0]\n"
)
RAISES = "from ballcourt import Bot\nclass Mine(Bot):\n    def choose(self, decision):\n        return 1 / 0\n"
LATER = (
    "from ballcourt import Bot\nclass Mine(Bot):\n    def match_started(self):\n        self.asked = 0\n"
    "    def choose(self, decision):\n        self.asked += 1\n"
    "        return decision.legal[0] if self.asked < 2 else 1 / 0\n"
)
"""It crashes at its second decision."""
LOOPS = "from ballcourt import Bot\nwhile True:\n    pass\n"


def test_the_share_of_duels_has_an_interval_and_a_second_question_costs_no_match(opened: Opened, place: Path) -> None:
    first = opened(cache=place / "kept").evaluate("./low", "20 matches")
    assert (first.verdict, first.matches, first.new_matches, first.blocks) == (Conclusion.SPENT, 20, 20, 10)
    assert 0 <= first.low < first.mean < first.high <= 1
    again = opened(cache=place / "kept").evaluate("./low", "20 matches")
    assert (again.new_matches, again.mean, again.low) == (0, first.mean, first.low)


def test_a_larger_budget_continues_a_smaller_one(opened: Opened) -> None:
    arena = opened()
    arena.evaluate("./low", "6 matches")
    found = arena.evaluate("./low", "10 matches")
    assert (found.matches, found.new_matches) == (10, 4)


def test_an_answer_stays_the_same_after_more_was_played_for_another_question(opened: Opened) -> None:
    arena = opened()
    first = arena.evaluate("./low", "6 matches")
    assert arena.evaluate("./low", "10 matches").matches == 10
    assert arena.evaluate("./low", "6 matches") == replace(first, new_matches=0)


@pytest.mark.parametrize(
    "asked",
    [Budget(matches=400), Budget(matches=400, better_than=0.5), Budget(half_width=0.3), Budget(matches=12)],
)
def test_blocks_that_had_begun_before_the_answer_do_not_change_it(asked: Budget) -> None:
    played = [KeptBlock(float(number == 4), 2, 2, 0, 0, 0, 0) for number in range(40)]
    answers = [verdict_of(played[:size], asked) for size in range(len(played) + 1)]
    ended = next(size for size, (verdict, _) in enumerate(answers) if verdict is not Conclusion.OPEN)
    assert 5 < ended < 35
    assert all(answer == answers[ended] for answer in answers[ended:])
    assert verdict_of(played, asked, too_few=ended - 1) == answers[ended]


def test_other_files_or_other_terms_are_another_question(opened: Opened, place: Path) -> None:
    opened(cache=place / "kept").evaluate("./low", "2 matches")
    assert opened(cache=place / "kept", opponents="./low").evaluate("./low", "2 matches").new_matches == 2
    assert opened(cache=place / "kept", clock={"bank_ms": 5000}).evaluate("./low", "2 matches").new_matches == 2
    (place / "low" / "notes").write_text("changed")
    assert opened(cache=place / "kept").evaluate("./low", "2 matches").new_matches == 2


def test_what_a_build_leaves_in_a_folder_with_a_build_step_does_not_make_another_candidate(place: Path) -> None:
    file = write_bot(place / "built", "built") / "bot.toml"
    file.write_text(file.read_text() + 'build = ["true"]\nignore = ["*.so", "build"]\n')
    before = load_bot(place / "built").content_hash
    (place / "built" / "search.so").write_bytes(b"compiled")
    (place / "built" / "build").mkdir()
    assert load_bot(place / "built").content_hash == before


def test_progress_comes_after_every_block_and_ends_with_the_answer(opened: Opened) -> None:
    found = [*opened().watch("./low", "8 matches")]
    assert [one.matches for one in found] == [0, 2, 4, 6, 8]
    assert [one.is_over for one in found] == [False] * 4 + [True]


def test_a_clear_question_ends_before_the_budget_does(opened: Opened) -> None:
    found = opened(opponents="./low").evaluate("./any", "2000 matches", better_than=0.5)
    assert found.verdict in (Conclusion.BETTER, Conclusion.SHORT)
    assert (found.better, found.matches < 2000) == (found.verdict is Conclusion.BETTER, True)
    assert found.bound is not None


def test_a_narrow_interval_ends_it(opened: Opened) -> None:
    found = opened().evaluate("./low", "5000 matches", half_width=0.15)
    assert found.verdict is Conclusion.PRECISE
    assert (found.high - found.low) / 2 <= 0.15


def test_a_candidate_takes_every_seat_of_a_deal_and_no_process_meets_a_deal_twice(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[MatchRecord] = []
    share = Terms.share

    def watched(terms: Terms, records: Sequence[MatchRecord]) -> float:
        seen.extend(records)
        return share(terms, records)

    monkeypatch.setattr(Terms, "share", watched)
    opened(opponents=["./any", "./low"], seats=3).evaluate("./low", "6 matches")
    for block in (seen[:3], seen[3:]):
        assert len({record.seed for record in block}) == 1
        sat = [[is_candidate(entrant.name) for entrant in record.entrants].index(True) for record in block]
        assert sat == [0, 1, 2]
        labels = [entrant.name for record in block for entrant in record.entrants]
        assert len(set(labels)) == len(labels)
    assert seen[0].seed != seen[3].seed


def test_one_seat_is_compared_with_opponents_on_the_same_deal(opened: Opened) -> None:
    found = opened(seats=1).evaluate("./low", "8 matches")
    assert (found.matches, found.blocks) == (8, 4)


def test_fresh_deals_are_met_by_no_other_candidate(opened: Opened, place: Path) -> None:
    arena = opened(cache=place / "kept")
    for bot in ("./low", "./any"):
        assert arena.evaluate(bot, "2 matches", fresh=True).deals == "fresh"
        arena.evaluate(bot, "2 matches")
    rows = sqlite3.connect(place / "kept").execute("SELECT deals, candidate FROM block").fetchall()
    met = {deals: {one for other, one in rows if other == deals} for deals, _ in rows}
    assert sorted(map(len, met.values())) == [1, 1, 2]
    assert arena.evaluate("./any", "2 matches", fresh=True).new_matches == 0


def test_deals_rotate_when_many_candidates_have_met_them() -> None:
    kept, block = Ledger(None), KeptBlock(0.5, 2, 2, 0, 0, 0, 0)
    met = []
    for number in range(ROTATE + 1):
        met.append(kept.shared_deals("question", [f"c{number}"]))
        kept.add("question", f"c{number}", Place(met[-1], 0), block)
    assert (len(set(met[:-1])), met[-1] != met[0]) == (1, True)
    assert kept.shared_deals("question", ["c3"]) == met[3]
    assert kept.shared_deals("question", [f"c{ROTATE}", "c1", "c2", "new"]) == met[1]


def test_one_of_many_answers_is_called_better_only_if_it_can_be_believed_among_all() -> None:
    def answer(shares: Sequence[float]) -> tuple[Assessment, list[KeptBlock]]:
        blocks = [KeptBlock(share, 2, 2, 0, 0, 0, 0) for share in shares]
        verdict, found = verdict_of(blocks, Budget(matches=16))
        bot = BotVersion("one", "1", "hash")
        wanted = Assessment(*(bot, verdict, found.share, found.low, found.high, found.is_better, found.bound),
                          Measure.DUELS, found.share, None, len(shares), 2, 2, 0, (), 0.0, 0.0, "fresh")  # fmt: skip
        return wanted, blocks

    weak, poor = answer([1.0] * 8), answer([0.0, 1.0] * 4)
    assert (weak[0].better, poor[0].better) == (True, False)
    assert believed([weak], Budget())[0] == weak[0]
    (demoted, *_) = believed([weak] + [poor] * 9, Budget())
    assert (demoted.better, demoted.bound, demoted.mean) == (False, None, weak[0].mean)
    by_points = [replace(block, share=0.5, points=block.share) for block in weak[1]]
    assert believed([(weak[0], by_points)], Budget(by=Measure.POINTS))[0].better
    assert not believed([(weak[0], by_points)], Budget())[0].better, "these blocks were even"


@pytest.mark.parametrize(("seed", "deals"), [(7, "shared-000000"), (None, "shared-000003")])
def test_deals_that_candidates_share_stay_where_they_follow_from_a_seed(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, seed: int | None, deals: str
) -> None:
    monkeypatch.setattr(Ledger, "shared_deals", lambda *_: "shared-000003")
    assert opened(seed=seed)._shared([load_bot("./low")])[0].deals == deals


@pytest.mark.slow
def test_a_race_ends_alike_when_it_is_asked_for_again_and_answers_come_best_first(
    opened: Opened, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> list[list[str]]:
        news = opened(cache=place / "kept").race(["./low", "./any", LATER], 2, "60 matches")
        return [sorted(answer.content_hash for answer in one.left) for one in news]

    first = asked()
    assert len(first[0]) == len(first[2]) == 3, "the one that crashes is in the race until it has lost enough"
    assert asked() == first

    def worst_first(answers: Sequence[tuple[Assessment, Sequence[KeptBlock]]], asked: Budget) -> list[Assessment]:
        assert asked.gives_up, "an answer ends when it is hopeless"
        return sorted((answer for answer, _ in answers), key=score)

    monkeypatch.setattr(evaluator, "believed", worst_first)
    *_, last = opened(cache=place / "kept").race(["./low", "./any", LATER], 2, "60 matches")
    assert [*map(score, last.left)] == sorted(map(score, last.left), reverse=True)


def score(answer: Assessment) -> float:
    return answer.score


@pytest.mark.slow
def test_a_race_finds_the_better_candidate_on_fresh_deals_and_continues(opened: Opened, place: Path) -> None:
    write_bot(place / "high", "high", "highest")
    field = ["./low", "./any", "./high", "./low"]
    news = [*opened(cache=place / "kept").race(field, 1, "200 matches")]
    assert len(news[0].left) <= 3
    assert (news[-1].is_final, len(news[-1].left), news[-1].left[0].deals) == (True, 1, "fresh")
    again = [*opened(cache=place / "kept").race(field, 1, "200 matches")]
    assert again[-1].left[0].new_matches == 0
    assert again[-1].left[0].content_hash == news[-1].left[0].content_hash


def test_a_race_says_how_many_matches_it_needs_and_they_are_enough(opened: Opened, place: Path) -> None:
    arena, field = opened(), ["./low", "./any"]
    with pytest.raises(WrongInput, match="the budget is 4 matches; a race of 2 candidates for 1 needs at least 5"):
        next(arena.race(field, 1, "4 matches"))
    assert [*arena.race(field, 1, "5 matches")][-1].is_final
    with pytest.raises(WrongInput, match="keep is 2"):
        next(arena.race(field, 2, "4 matches"))


@pytest.mark.slow
def test_broken_programs_are_found_out_in_their_first_block(opened: Opened) -> None:
    arena = opened(workers=2)
    for program, expected in (
        ("from ballcourt import Bot\ndef broken(:\n", "SyntaxError"),
        (RAISES, "ZeroDivisionError"),
        (LOOPS, "did not say Hello within "),
        ("# a Bot\n", "defines no subclass of ballcourt.Bot"),
    ):
        found = arena.evaluate(program)
        assert (found.verdict, found.matches, found.new_matches) == (Conclusion.BROKEN, 2, 2)
        assert expected in found.faults[0]


@pytest.mark.slow
def test_a_lost_seat_is_kept_for_the_time_to_start_and_the_libraries_that_it_was_lost_with(
    opened: Opened, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(start_s: float) -> Assessment:
        return opened(cache=place / "kept", start_s=start_s).evaluate(RAISES, "2 matches")

    assert [asked(60.0).new_matches, asked(60.0).new_matches] == [2, 0]
    assert asked(30.0).new_matches == 2
    assert asked(30.0).new_matches == 0
    monkeypatch.setattr(evaluator, "distributions", lambda: ())
    assert (asked(30.0).new_matches, asked(30.0).new_matches) == (2, 0)
    sound = opened(cache=place / "kept", start_s=60.0)
    assert sound.evaluate("./low", "2 matches").new_matches == 2
    assert opened(cache=place / "kept", start_s=30.0).evaluate("./low", "2 matches").new_matches == 0


def test_what_is_known_of_a_candidate_is_played_again_when_asked_for(opened: Opened) -> None:
    arena = opened()
    first = arena.evaluate("./low", "4 matches")
    arena.evaluate("./any", "4 matches")
    assert arena.evaluate("./low", "4 matches", again=True) == first
    assert arena.evaluate("./any", "4 matches").new_matches == 0
    assert next(arena.race(["./low", "./any"], 1, "10 matches", again=True)).left[0].new_matches == 2


@pytest.mark.parametrize(
    ("blocks", "broken"),
    [
        ([(2, 2)], 0),
        ([(2, 0)] * 3, None),
        ([(2, 0)] * 4, 3),
        ([(2, 1)] * 4, 3),
        ([(1, 0), *[(2, 0)] * 9], None),
        ([], None),
    ],
    ids=["it never decided", "six lost", "eight lost", "the first at its start", "one kept", "nothing played"],
)
def test_a_bot_that_loses_some_of_its_first_seats_is_measured_and_not_called_broken(
    blocks: Sequence[tuple[int, int]], broken: int | None
) -> None:
    played = [KeptBlock(0.0, 2, 2, lost, mute, 0, 0) for lost, mute in blocks]
    verdict, evidence = verdict_of(played, Budget(gives_up=False))
    assert verdict is (Conclusion.OPEN if broken is None else Conclusion.BROKEN)
    assert evidence.blocks == (len(blocks) if broken is None else broken + 1)


def test_deals_follow_from_the_seed_whatever_was_asked_before(opened: Opened, place: Path) -> None:
    def seeds(cache: str, *asked: bool) -> list[set[int]]:
        arena = opened(cache=place / cache, seed=5)
        return [{one.seed for one in _played(arena, fresh=fresh)} for fresh in asked]

    bred, final = seeds("one", False, True)
    final_first, bred_after = seeds("other", True, False)
    assert (final_first, bred_after) == (final, bred)
    assert not bred & final


def _played(arena: Evaluator, *, fresh: bool) -> list[MatchRecord]:
    arena.evaluate("./low", "8 matches", fresh=fresh)
    return [
        record
        for deals in (["fresh-" + load_bot("./low").content_hash] if fresh else ["shared-000000"])
        for block in arena._ledger.blocks(arena._question, load_bot("./low").content_hash, deals).values()
        for record in block.unpacked()
    ]


def test_others_may_ask_while_the_reader_of_an_evaluation_waits(opened: Opened) -> None:
    arena = opened()
    watched = arena.watch("./low", "20 matches")
    assert [next(watched).matches, next(watched).matches] == [0, 2]
    with ThreadPoolExecutor(1) as other:
        assert other.submit(arena.evaluate, "./any", "4 matches").result(timeout=120).matches == 4
    assert [found.matches for found in watched] == [*range(4, 21, 2)]


@pytest.mark.slow
def test_of_two_processes_that_ask_the_same_one_plays_and_the_other_waits(place: Path) -> None:
    asked = f"'maya', opponents='random', sandbox=0, workers=1, cache={str(place / 'kept')!r}"
    program = (
        f"from ballcourt import Evaluator\narena = Evaluator({asked})\n"
        "for found in arena.watch('random', '40 matches'): print(found.matches, flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment) as first:
        assert first.stdout
        while int(first.stdout.readline()) < 2:
            pass
        with Evaluator("maya", opponents="random", sandbox=0, workers=1, cache=place / "kept") as arena:
            found = arena.evaluate("random", "40 matches")
    assert (found.matches, found.new_matches) == (40, 0)


@pytest.mark.slow
@pytest.mark.parametrize("waits", ["__import__('time').sleep(60)", "while True: pass"], ids=["sleeps", "computes"])
def test_a_program_that_does_not_say_hello_is_given_up(waits: str, opened: Opened) -> None:
    found = opened(start_s=0.5, workers=2).evaluate(f"{waits}\n{START}", "2 matches")
    assert (found.verdict, found.lost) == (Conclusion.BROKEN, 2)
    assert "did not say Hello within 500 ms" in found.faults[0]


def test_a_hopeless_program_is_given_up() -> None:
    lost = [KeptBlock(0.0, 2, 2, 0, 0, 0, 0)] * 9
    verdicts = [verdict_of(lost[:size], Budget(matches=400))[0] for size in range(10)]
    assert (verdicts[4], verdicts[9]) == (Conclusion.OPEN, Conclusion.HOPELESS)
    won_some = [KeptBlock(float(number % 3 == 0), 2, 2, 0, 0, 0, 0) for number in range(60)]
    assert verdict_of(won_some, Budget(matches=400))[0] is Conclusion.OPEN


def test_a_hopeless_program_is_measured_where_an_interval_is_asked_for() -> None:
    lost = [KeptBlock(0.0, 2, 2, 0, 0, 0, 0)] * 40
    assert verdict_of(lost, Budget(half_width=0.1, gives_up=False))[0] is Conclusion.PRECISE
    assert verdict_of(lost, Budget(half_width=0.1))[0] is Conclusion.HOPELESS


@pytest.mark.slow
def test_what_was_played_before_a_kill_is_not_played_again(place: Path) -> None:
    asked = f"'maya', opponents='random', sandbox=0, workers=1, cache={str(place / 'kept')!r}"
    program = (
        f"from ballcourt import Evaluator\narena = Evaluator({asked})\n"
        "for found in arena.watch('random', '400 matches'): print(found.matches, flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout
        while int(process.stdout.readline()) < 4:
            pass
        process.send_signal(signal.SIGKILL)
    with Evaluator("maya", opponents="random", sandbox=0, workers=1, cache=place / "kept") as arena:
        found = arena.evaluate("random", "4 matches")
    assert (found.matches >= 4, found.new_matches) == (True, 0)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"opponents": "ladder:none"}, "there is no ladder 'none'"),
        ({"opponents": "."}, None),
        ({"opponents": []}, "no opponents are named"),
        ({"seats": 9}, "bluff is not played by 9"),
        ({"seats": 0}, "bluff is not played by 0"),
        ({"sandbox": 7}, "tier is 7"),
        ({"clock": {"bank_ms": 0}}, "bank_ms"),
        ({"start_s": 0}, "start_s is 0"),
        ({"opponents": "nobody"}, "there is no bot 'nobody'"),
    ],
)
def test_wrong_settings_are_one_sentence(opened: Opened, settings: dict[str, object], sentence: str | None) -> None:
    if sentence is None:  # a folder of bots is right
        assert opened(**settings).evaluate("./low", "4 matches").matches == 4
        return
    with pytest.raises(WrongInput, match=sentence):
        opened(**settings)


@pytest.mark.parametrize(
    ("candidate", "limits", "sentence"),
    [
        (7, {}, "a candidate is int; give a folder"),
        ("some\nwords", {}, "names no Bot"),
        ("", {}, "an empty program names no Bot"),
        ("words.py", {}, "words.py names no Bot"),
        ("words.txt", {}, "words.txt is not a candidate; .* ends in .py"),
        ("nothing.py", {}, "cannot read nothing.py: No such file"),
        ("a" * 5000, {}, "there is no bot 'aaa"),
        ("./nothing", {}, "does not exist"),
        ("./empty", {}, "has no bot.toml"),
        ("./low", {"budget": "0 matches"}, "the budget is 0 matches; it must be above 0"),
        ("./low", {"budget": "much"}, "give a number and a unit"),
        ("./low", {"half_width": 2.0}, "half_width is 2; it must be above 0 and at most 0.5"),
        ("./low", {"better_than": -1.0}, "better_than is -1; it must be above 0 and at most 0.5"),
    ],
)
def test_wrong_questions_are_one_sentence(
    opened: Opened, place: Path, candidate: object, limits: dict[str, object], sentence: str
) -> None:
    (place / "empty").mkdir()
    for name in ("words.py", "words.txt"):
        (place / name).write_text("only words\n")
    with pytest.raises(WrongInput, match=sentence):
        opened().evaluate(candidate, **limits)  # type: ignore[arg-type]


def test_a_file_of_another_version_or_program_is_refused_and_stays_as_it_is(opened: Opened, place: Path) -> None:
    opened(cache=place / "kept").close()
    with sqlite3.connect(place / "kept") as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(WrongInput, match="was written by version 99 of its format"):
        opened(cache=place / "kept")
    with sqlite3.connect(place / "other") as base:
        base.execute("CREATE TABLE mine (x)")
    with pytest.raises(WrongInput, match="is a database of another program"):
        opened(cache=place / "other")
    (place / "text").write_text("words\n" * 1000)
    with pytest.raises(WrongInput, match="cannot be used to keep results"):
        opened(cache=place / "text")
    assert (place / "text").read_text() == "words\n" * 1000


def test_the_file_with_the_seeds_is_for_its_owner_alone(opened: Opened, place: Path) -> None:
    opened(cache=place / "kept")
    assert (place / "kept").stat().st_mode & 0o077 == 0


def test_points_stand_beside_duels_where_the_game_says_how_far_apart_they_are(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(find_game("bluff")), "points_spread", None)
    assert opened().evaluate("./low", "4 matches").by_points is None
    monkeypatch.setattr(type(find_game("bluff")), "points_spread", 10.0)
    ahead = opened().evaluate("./low", "20 matches").by_points
    assert ahead is not None
    assert -20 <= ahead.low < ahead.mean < ahead.high <= 20


@pytest.mark.parametrize("budget", ["0.1 seconds", "0.001 minutes, 10000 matches"])
def test_a_budget_by_the_clock_ends_with_what_is_known_then(opened: Opened, budget: str) -> None:
    found = opened().evaluate("./low", budget)
    assert found.verdict is Conclusion.SPENT
    assert opened().evaluate("./low", f"{max(2, found.matches)} matches").mean == (found.mean if found.matches else 0)


def test_a_budget_by_the_clock_ends_while_another_process_plays_too(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ledger, "turn", lambda *_: nullcontext(lambda: False))
    found = opened().evaluate("./low", "0.01 seconds")
    assert (found.verdict, found.matches) == (Conclusion.SPENT, 0)


def test_points_decide_where_asked(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    far = [KeptBlock(0.5, 2, 2, 0, 0, 0, 0, points=0.9)] * 60
    assert verdict_of(far, Budget(better_than=0.5))[0] is Conclusion.SHORT
    verdict, evidence = verdict_of(far, Budget(better_than=0.5, by=Measure.POINTS))
    assert (verdict, round(evidence.share, 9)) == (Conclusion.BETTER, 0.9)
    assert Budget(half_width=0.05, by=Measure.POINTS).width == pytest.approx(0.03, abs=0.001)
    assert Budget(half_width=0.5, by=Measure.POINTS).width == pytest.approx(0.5, abs=0.06)
    monkeypatch.setattr(type(find_game("bluff")), "points_spread", 10.0)
    found = opened().evaluate("./low", "20 matches", by="points")
    assert (found.by, found.verdict) == (Measure.POINTS, Conclusion.SPENT)
    assert found.by_points is not None
    assert margin_of(found.score, 10.0) == pytest.approx(found.by_points.mean)
    assert opened().evaluate("./low", "20 matches").mean == found.mean
    assert [*opened().race(["./low", "./any"], 1, "20 matches", by="points")][-1].left[0].by is Measure.POINTS


def test_points_cannot_decide_where_the_game_does_not_say_how_far_apart_they_are(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(find_game("bluff")), "points_spread", None)
    with pytest.raises(WrongInput, match=r"does not state how far apart points are \(points_spread\)"):
        opened().evaluate("./low", "4 matches", by="points")
    with pytest.raises(WrongInput, match="by is 'place'; it must be one of duels, points"):
        opened().race(["./low"], by="place").__next__()


def test_a_race_with_one_more_candidate_plays_that_one_alone(opened: Opened, place: Path) -> None:
    write_bot(place / "high", "high", "highest")
    kept = place / "kept"
    [*opened(cache=kept).race(["./low", "./any"], 1, "40 matches")]
    with closing(sqlite3.connect(kept)) as base:
        (before,) = base.execute("SELECT count(*) FROM block WHERE deals LIKE 'shared%'").fetchone()
        [*opened(cache=kept).race(["./low", "./any", "./high"], 2, "40 matches")]
        rows = base.execute("SELECT candidate FROM block WHERE deals LIKE 'shared%'").fetchall()
    new = [candidate for (candidate,) in rows if candidate == load_bot(place / "high").content_hash]
    assert (len(rows) - before, len({candidate for (candidate,) in rows})) == (len(new), 3)
