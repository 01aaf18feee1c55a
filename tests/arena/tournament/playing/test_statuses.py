"""What the owners of remote bots are shown about a run."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    EntrantJudged,
    Finished,
    MatchPlayed,
    MatchStarted,
    OrganiserDecided,
    Planned,
    RunEvent,
)
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.organiser.decide import Organiser
from ballcourt.arena.tournament.playing.statuses import BotStatuses
from ballcourt.arena.workers.orders import Told
from ballcourt.v1.following_pb2 import EventStatus, FinalPlace, FinalRating
from ballcourt.v1.protocol_pb2 import Termination
from tests.arena.tournament.conftest import write_bot
from tests.arena.tournament.in_process import events

REMOTE = ("ann", "bob")


class Owners:
    """What the owners of ann and bob have been shown."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.statuses: dict[str, EventStatus] = {}
        self.follower = BotStatuses(self._tell)

    def _tell(self, told: Told) -> None:
        self.told.append(told)
        self.statuses |= {name: EventStatus.FromString(status) for name, status in told.statuses.items()}

    def take(self, event: RunEvent) -> None:
        """Handle an event in which ann and bob are remote bots."""
        if isinstance(event, Planned | OrganiserDecided | Finished) and event.tournament:
            event = replace(event, tournament=remotely(event.tournament))
        self.follower(event)


def remotely(planned: Plan) -> Plan:
    return replace(planned, entrants=tuple(replace(bot, remote=bot.bot.name in REMOTE) for bot in planned.entrants))


@pytest.fixture
def cup(tmp_path: Path) -> Event:
    bots = tuple(write_bot(tmp_path / name, name) for name in ("ann", "bob", "cid"))
    return Event().replaced(game="bluff", bots=bots, seats=2, rounds=2, seed=5, format="round-robin")


def following(owners: Owners, running: Iterator[RunEvent], stop: Callable[[RunEvent], bool]) -> RunEvent:
    """Report a run to the owners up to an event, and return that."""
    for event in running:
        owners.take(event)
        if stop(event):
            return event
    raise AssertionError("it did not happen")


def test_a_bot_learns_the_number_of_its_own_matches_and_of_those_that_count(tmp_path: Path, cup: Event) -> None:
    owners, running = Owners(), events(tmp_path / "out", cup)
    following(owners, running, lambda event: isinstance(event, Planned))
    assert {*owners.statuses} == {*REMOTE}
    assert all(
        (one.begun, one.exact, one.matches, one.played) == (True, True, 8, 0) for one in owners.statuses.values()
    )
    following(owners, running, lambda event: isinstance(event, Finished))
    assert [owners.statuses[name].played for name in REMOTE] == [8, 8]


def test_a_bot_learns_its_opponents_while_a_match_is_played(tmp_path: Path, cup: Event) -> None:
    owners = Owners()
    following(owners, events(tmp_path / "out", cup), lambda event: isinstance(event, Planned))
    owners.take(MatchStarted("b000000-r0", "bluff", ("cid", "ann")))
    owners.take(MatchStarted("b000001-r0", "bluff", ("ann", "bob")))
    assert [[*match.opponents] for match in owners.statuses["ann"].running] == [["cid"], ["bob"]]
    assert [[*match.opponents] for match in owners.statuses["bob"].running] == [["ann"]]
    owners.take(BlockVoided(("b000000-r0", "b000000-r1"), "the worker died", ()))
    assert [[*match.opponents] for match in owners.statuses["ann"].running] == [["bob"]]


def test_a_match_is_told_to_its_own_bots_only(tmp_path: Path, cup: Event) -> None:
    owners = Owners()
    following(owners, events(tmp_path / "out", cup), lambda event: isinstance(event, Planned))
    owners.take(MatchStarted("b000000-r0", "bluff", ("cid", "ann")))
    assert [*owners.told[-1].statuses] == ["ann"]


def test_matches_and_faults_that_are_void_no_longer_count(tmp_path: Path, cup: Event) -> None:
    owners, running = Owners(), events(tmp_path / "out", cup)
    played = following(owners, running, lambda event: isinstance(event, MatchPlayed))
    assert isinstance(played, MatchPlayed)
    played.record.results[0].termination = Termination.TERMINATION_TIMEOUT
    owners.take(replace(played, key="b000009-r0"))
    first, second = played.bots
    assert [(owners.statuses[name].played, owners.statuses[name].faults) for name in (first, second)] == [
        (2, 1),
        (2, 0),
    ]
    owners.take(BlockVoided(("b000009-r0",), "the worker died", (played.record,)))
    assert [(owners.statuses[name].played, owners.statuses[name].faults) for name in (first, second)] == [
        (1, 0),
        (1, 0),
    ]


def test_matches_of_an_earlier_run_are_told_at_once(tmp_path: Path, cup: Event) -> None:
    running = events(tmp_path / "out", cup)
    following(Owners(), running, lambda event: isinstance(event, MatchPlayed) and event.key == "b000003-r1")
    running.close()  # type: ignore[attr-defined]
    owners = Owners()
    following(owners, events(tmp_path / "out", cup), lambda event: isinstance(event, MatchPlayed) and event.is_new)
    told = [one for one in owners.told if "ann" in one.statuses]
    counts = [EventStatus.FromString(one.statuses["ann"]).played for one in told]
    assert counts[:2] == [0, counts[1]]
    assert counts[1] > 1, "what an earlier run played comes in one piece"


def test_a_withdrawal_shortens_what_others_play_and_is_told_to_the_bot(tmp_path: Path, cup: Event) -> None:
    owners, running = Owners(), events(tmp_path / "out", cup)
    following(owners, running, lambda event: isinstance(event, MatchPlayed))
    Organiser(tmp_path / "out", "ill").withdraw("bob")
    following(owners, running, lambda event: isinstance(event, Finished))
    assert owners.statuses["bob"].notice == "is withdrawn by the organiser"
    assert owners.told[-1].out == {"bob"}
    ann = owners.statuses["ann"]
    assert ann.played == ann.matches < 8


def test_a_verdict_makes_the_length_uncertain_and_is_told_to_the_bot(tmp_path: Path, cup: Event) -> None:
    owners = Owners()
    following(owners, events(tmp_path / "out", cup), lambda event: isinstance(event, Planned))
    owners.take(EntrantJudged("bob", "1", "is disqualified: 8 of its 8 matches had a fault"))
    assert owners.statuses["bob"].notice.startswith("is disqualified")
    assert owners.statuses["ann"].notice == ""
    assert not owners.statuses["ann"].exact


def test_the_end_has_the_place_and_the_rating_of_each_bot(tmp_path: Path, cup: Event) -> None:
    owners = Owners()
    following(owners, events(tmp_path / "out", cup), lambda event: isinstance(event, Finished))
    owners.follower.over({"ann": FinalPlace(place=2, bots=3)}, {"bob": [FinalRating(table="bluff", rank=1)]})
    assert owners.statuses["ann"].over and owners.statuses["ann"].place.place == 2
    assert not owners.statuses["ann"].ratings
    assert [row.rank for row in owners.statuses["bob"].ratings] == [1]


def test_where_results_decide_who_plays_the_number_of_matches_is_not_known(tmp_path: Path, cup: Event) -> None:
    owners = Owners()
    settings = cup.replaced(format="swiss")
    following(owners, events(tmp_path / "out", settings), lambda event: isinstance(event, Planned))
    assert owners.statuses["ann"].matches == 0
