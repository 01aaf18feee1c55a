"""Bots that another program hands over to a ladder: let in without a check, answered, kept apart by owner."""

import shutil
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.ladder.arrivals.building import Unbuilt
from ballcourt.arena.ladder.arrivals.exam import Arriving
from ballcourt.arena.ladder.arrivals.handed import (
    ANSWERS,
    HANDED,
    ArrivalAnswer,
    ArrivalsError,
    Handed,
    HandedArrivals,
    files_of,
    follow_answers,
    hand_over,
)
from ballcourt.arena.ladder.arrivals.interface import Refused
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.models import ModelError
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.folder.events import BotRefused, MatchPlayed
from ballcourt.engine.registry import find_game
from tests.arena.conftest import PATIENCE_S
from tests.arena.ladder.arrivals.test_admission import steps
from tests.arena.ladder.in_process import Looked, play, put, settings_in


@pytest.fixture
def settings(tmp_path: Path) -> LadderFile:
    found = settings_in(tmp_path)
    found.output.mkdir()
    return found


def hand(settings: LadderFile, name: str, owner: str, version: str = "1", submission: str = "", **files: str) -> None:
    """Hand a bot over, as another program does that has examined it."""
    made = put(settings.output / "made", f"{name}-{version}", name, version, owner=owner, **files)
    bot = load_bot(made)
    home = files_of(settings.output, bot.content_hash)
    if not home.exists():
        shutil.copytree(made, home)
    common = {"name": name, "version": version, "hash": bot.content_hash, "owner": owner}
    hand_over(settings.output, Handed.read({"submission": submission or f"{owner} {name} {version}"} | common, "line"))


def answers(settings: LadderFile) -> list[ArrivalAnswer]:
    return [answer for _, answer in follow_answers(settings.output).added()]


def refusals(settings: LadderFile, number: int) -> list[BotRefused]:
    """Play until this number of bots have been refused."""
    with closing(play(settings, seconds=PATIENCE_S)) as events:
        return [*islice((event for event in events if isinstance(event, BotRefused)), number)]


def unchecked(arriving: Arriving) -> Looked:
    raise AssertionError(f"{arriving.source} is examined again")


def test_bots_that_were_handed_over_play_without_a_check_and_are_answered(settings: LadderFile) -> None:
    hand(settings, "ann", "reds", submission="s1")
    hand(settings, "bob", "blues", submission="s2")
    played = [event for event in play(settings, matches=8, begin=unchecked) if isinstance(event, MatchPlayed)]
    seated = {(bot.name, bot.owner) for event in played for bot in event.record.entrants}
    assert seated == {("ann", "reds"), ("bob", "blues")}
    assert answers(settings) == [
        ArrivalAnswer(submission="s1", outcome="joined", decision=1),
        ArrivalAnswer(submission="s2", outcome="joined", decision=2),
    ]
    list(play(settings, matches=16, begin=unchecked))
    assert len(answers(settings)) == 2, "each is answered once"
    assert len(read_trail(settings.output)) == 2


def test_bots_of_one_owner_are_kept_apart_at_tables(settings: LadderFile) -> None:
    for name, owner in (("r1", "reds"), ("r2", "reds"), ("b1", "blues"), ("b2", "blues")):
        hand(settings, name, owner)
    put(settings.bots, "solo")
    played = [event for event in play(settings, matches=80) if isinstance(event, MatchPlayed)]
    tables = {frozenset(bot.owner for bot in event.record.entrants) for event in played}
    assert tables == {frozenset(pair) for pair in (("reds", "blues"), ("reds", "solo"), ("blues", "solo"))}


def test_a_name_belongs_to_the_owner_whose_bot_had_it_first(settings: LadderFile) -> None:
    for number, owner in enumerate(("reds", "blues"), start=1):
        hand(settings, "ann", owner, version=str(number))
    put(settings.bots, "ann", version="3")
    refused = refusals(settings, 2)
    refusal = "the name ann belongs to reds; choose another name"
    assert {(event.place, event.sentence) for event in refused} == {("blues/ann", refusal), ("ann", refusal)}
    assert answers(settings)[0] == ArrivalAnswer(submission="blues ann 2", outcome="refused", sentence=refusal)


def test_a_version_that_has_played_with_other_files_is_refused(settings: LadderFile) -> None:
    hand(settings, "ann", "reds", submission="s1", data="1")
    hand(settings, "ann", "reds", submission="s2", data="2")
    refusals(settings, 1)
    first, second = answers(settings)
    assert (first.submission, first.outcome) == ("s1", "joined")
    assert second.submission == "s2" and second.sentence.startswith("ann 1 has played here with other files")


def test_only_the_newest_versions_of_an_owners_bot_stay(settings: LadderFile) -> None:
    for version in ("1", "2", "3"):
        hand(settings, "ann", "reds", version)
    hand(settings, "amy", "reds")
    list(play(settings, matches=4))
    playing = [str(version.bot) for version in Roster(read_trail(settings.output)).playing]
    assert playing == ["ann 2", "ann 3", "amy 1"]
    assert len(answers(settings)) == 4, "that of ann 1 too, which joined and retired"


def test_a_bot_whose_files_are_not_there_or_are_of_another_bot_is_refused(settings: LadderFile) -> None:
    hand(settings, "ann", "reds")
    (home,) = (settings.output / "arrivals").iterdir()
    lines = [("s2", home.name, "amy"), ("s3", "0" * 64, "ann")]
    for submission, found, name in lines:
        hand_over(settings.output, Handed(submission=submission, name=name, version="1", hash=found, owner="reds"))
    decided = steps(HandedArrivals(settings.output, [find_game("bluff")]), number=1)
    reasons = [found.sentence for found in decided if isinstance(found, Refused)]
    assert reasons[0] == "it was handed over as amy 1, and its bot.toml says ann 1"
    assert [answer.submission for answer in answers(settings)] == ["s2"], "s3 waits until ann 1 is in the roster"


def test_a_line_that_is_still_being_written_is_read_later(settings: LadderFile) -> None:
    hand(settings, "ann", "reds")
    path = settings.output / HANDED
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    arrivals = HandedArrivals(settings.output, [find_game("bluff")])
    assert steps(arrivals) == []
    hand_over(settings.output, Handed.model_validate_json(whole))
    assert len(steps(arrivals, number=1)) == 1
    assert path.read_bytes() == whole, "what a crash cut short is removed"


def test_lines_that_cannot_be_read_are_named(settings: LadderFile) -> None:
    (settings.output / HANDED).write_text('{"submission": "s1"}\n')
    with pytest.raises(ArrivalsError, match=r"arrivals\.jsonl is damaged in line 1; restore it from a copy"):
        steps(HandedArrivals(settings.output, [find_game("bluff")]))
    (settings.output / ANSWERS).write_text("?\n")
    with pytest.raises(ArrivalsError, match=r"arrivals\.answers\.jsonl is damaged in line 1"):
        HandedArrivals(settings.output, [find_game("bluff")])


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("hash", "abc", "it must be 64 hexadecimal digits in lower case"),
        ("owner", "ladder", "and not ladder, which owns the residents"),
        ("owner", "", "it must be a name"),
        ("name", "a/b", "it must be 1 to 40 letters"),
        ("version", "", "it must be 1 to 40 letters"),
        ("submission", "a\nb", "without control characters"),
    ],
)
def test_what_cannot_be_handed_over_is_said_in_a_sentence(key: str, value: str, sentence: str) -> None:
    values = {"submission": "s1", "name": "ann", "version": "1", "hash": "0" * 64, "owner": "reds", key: value}
    with pytest.raises(ModelError, match=sentence):
        Handed.read(values, "the line")


def test_a_bot_whose_files_are_lost_retires_and_comes_back_when_it_is_handed_over_again(settings: LadderFile) -> None:
    for name in ("ann", "bob", "cid"):
        hand(settings, name, f"{name}s")
    list(play(settings, matches=4))
    lost = Roster(read_trail(settings.output)).playing[0]
    home = settings.output / lost.table.path
    kept = home.rename(settings.output / "kept")
    list(play(settings, matches=20))
    assert read_trail(settings.output)[-1].reason == f"its copy {lost.table.path} is missing or damaged"
    kept.rename(home)
    hand(settings, "ann", "anns", submission="again")
    list(play(settings, matches=60))
    assert answers(settings)[-1].submission == "again" and answers(settings)[-1].outcome == "joined"


class Building:
    """A build that is over when the test says so."""

    def __init__(self, unbuilt: Unbuilt) -> None:
        self.owner = unbuilt.owner
        self.is_over = False
        self.was_ended = False

    def outcome(self) -> str:
        return ""

    def end(self) -> None:
        self.was_ended = True


def hand_with_build(settings: LadderFile, name: str, owner: str, step: str = "true") -> None:
    """Hand over a bot with a build step, which this machine has not built."""
    made = put(settings.output / "made", name, owner=owner)
    with (made / "bot.toml").open("a") as file:
        file.write(f'build = ["sh", "-c", "{step}"]\n')
    found = load_bot(made).content_hash
    shutil.copytree(made, files_of(settings.output, found))
    hand_over(settings.output, Handed(submission=name, name=name, version="1", hash=found, owner=owner))


def test_one_owners_slow_builds_hold_up_no_bot_of_another(settings: LadderFile) -> None:
    begun: list[Building] = []

    def build(unbuilt: Unbuilt) -> Building:
        begun.append(Building(unbuilt))
        return begun[-1]

    for number in range(10):
        hand_with_build(settings, f"r{number}", "reds")
    hand_with_build(settings, "ann", "blues")
    hand(settings, "bob", "greens")
    arrivals = HandedArrivals(settings.output, [find_game("bluff")], settings.sandbox, build)
    assert [found.bot.name for found in steps(arrivals) if isinstance(found, Version)] == ["bob"]
    assert [one.owner for one in begun] == ["reds", "blues"], "of each owner, one is built at a time"
    begun[1].is_over = True
    assert {found.bot.name for found in steps(arrivals) if isinstance(found, Version)} == {"ann", "bob"}
    begun[0].is_over = True
    list(steps(arrivals))
    assert [one.owner for one in begun] == ["reds", "blues", "reds"]
    arrivals.close()
    assert [one.was_ended for one in begun] == [False, False, True]


def test_a_bot_that_this_machine_cannot_build_is_refused_and_the_ladder_plays_on(
    settings: LadderFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "cache"))
    hand_with_build(settings, "ann", "reds", "exit 1")
    hand_with_build(settings, "bob", "blues")
    hand(settings, "cid", "greens")
    refused = refusals(settings, 1)[0]
    assert (refused.place, refused.sentence[:28]) == ("reds/ann", "bot ann cannot be built: 'sh")
    played = next(event for event in play(settings, seconds=PATIENCE_S) if isinstance(event, MatchPlayed))
    assert {bot.name for bot in played.record.entrants} == {"bob", "cid"}
