"""Scrimmages: who may ask for one, who sees it, how it is played, and that it counts nowhere."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, insert, select, update

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.records.store import read_record
from ballcourt.arena.secrets import new_id
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.examining.desks import OwnDesk
from ballcourt.contest.examining.examiner import Examiner
from ballcourt.contest.examining.far_desk import FarDesk
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.work import LEASE_S, MOST_TRIES, WorkFinding, lease, settle
from ballcourt.contest.people.accounts import AccountState, Member
from ballcourt.contest.refusals import ContestError, LimitError, NotThereError, StateError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import HOOKS, OUTBOX, SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.allowance import allowance
from ballcourt.contest.submissions.scrimmages import ScrimmageState, ask, cancel_scrimmage, publish, set_open
from ballcourt.contest.submissions.work_queue import WorkKind
from ballcourt.contest.visible import Visible
from ballcourt.contest.visible_scrimmages import ScrimmageView, VisibleScrimmages
from ballcourt.evaluation.scrimmage import Bout, BoutOutcome, keep
from tests.arena.conftest import need_sandbox
from tests.arena.recorded import recorded
from tests.contest.made import Made, UnpackedAtOnce, bot_archive, packed, phase
from tests.contest.test_api import served
from tests.contest.test_examiners_elsewhere import examining, finish
from tests.contest.test_pages import browser, text
from tests.leaderboard.pages.made_site import bluff

RESULT = "1. mine 1 with 3 points, 2. rock 1 with 1 points"
WON = BoutOutcome(result=RESULT)


@pytest.fixture
def ann(made: Made) -> Member:
    person = made.person("ann", "reds")
    made.playing(person)
    return person


@pytest.fixture
def bob(made: Made, ann: Member) -> Member:
    person = made.person("bob", "blues")
    made.playing(person, "rock")
    return person


class Played:
    """A match that is over, of which a record and logs are kept."""

    is_over = True

    def __init__(self, bout: Bout, outcome: BoutOutcome | None) -> None:
        self.bout = bout
        self._outcome = outcome

    def outcome(self) -> BoutOutcome:
        if self._outcome is None:
            raise ArenaError("the match ended with exit code -9")
        record = recorded(self.bout.key)
        record.logs.extend([f"seat {seat}" for seat in range(len(record.entrants))])
        keep(Path(self.bout.records), record, [seat == 0 for seat in range(len(record.entrants))])
        return self._outcome

    def end(self) -> None:
        pass


def play(made: Made, scratch: Path, outcome: BoutOutcome | None = WON) -> list[Bout]:
    """Play the next scrimmage as an examiner; return what it began."""
    begun: list[Bout] = []

    def start(bout: Bout) -> Played:
        begun.append(bout)
        return Played(bout, outcome)

    desk = OwnDesk(made.contest, Handover(made.contest, lambda *_: Path()))
    examiner = Examiner(desk, scratch, unpack=UnpackedAtOnce, play=start)
    for _ in range(3):
        examiner.step()
    return begun


def seen(made: Made, who: Member | None, scrimmage: str) -> ScrimmageView:
    return VisibleScrimmages(made.contest, who).one(scrimmage)


def test_a_scrimmage_is_played_by_the_versions_of_the_ladder_and_under_its_conditions(
    made: Made, ann: Member, bob: Member, tmp_path: Path
) -> None:
    scrimmage = ask(made.contest, ann, "Rock")
    assert seen(made, ann, scrimmage).place == 0
    with bluff():
        (bout,) = play(made, tmp_path)
    hashes = made.read(select(SUBMISSIONS.c.content_hash).order_by(SUBMISSIONS.c.bot)).scalars().all()
    ladder = made.contest.ladder
    assert [table.hash for table in bout.bots] == hashes
    assert (bout.clock, bout.sandbox, bout.setups[0].game) == (ladder.clock, ladder.sandbox, ("maya",))
    found = seen(made, ann, scrimmage)
    assert (found.state, found.sentence, found.opponent) == (ScrimmageState.PLAYED, RESULT, "rock")
    assert not (ladder.output / "records").exists(), "it counts nowhere"


def test_a_list_of_scrimmages_has_the_places_of_those_that_wait_by_as_many_queries_as_one_scrimmage(
    made: Made, ann: Member, bob: Member
) -> None:
    statements: list[str] = []
    asked = [ask(made.contest, ann, "rock") for _ in range(3)]
    cancel_scrimmage(made.contest, asked.pop(1))
    of_others = ask(made.contest, bob, "mine")
    event.listen(made.contest.store.engine, "before_cursor_execute", lambda *about: statements.append(about[2]))
    seen(made, ann, asked[0])
    once = len(statements)
    found = {one.id: one.place for one in VisibleScrimmages(made.contest, ann).all()}
    assert len(statements) == 2 * once
    assert [found[one] for one in asked] == [0, 1] and [*found.values()].count(None) == 2
    assert found[of_others] is None, "another team's queue is not ours to see"


def test_many_matches_against_a_resident_are_one_scrimmage_whose_feedback_is_private(
    made: Made, ann: Member, bob: Member, tmp_path: Path
) -> None:
    with pytest.raises(ContestError, match="40 matches against rock are too many"):
        ask(made.contest, ann, "rock", matches=40)
    with pytest.raises(ContestError, match="matches is 201; it must be a whole number from 1 to 200"):
        ask(made.contest, ann, "random", matches=201)
    scrimmage = ask(made.contest, ann, "random", matches=40)
    with bluff():
        (bout,) = play(made, tmp_path)
    assert (bout.matches, bout.bots[1].path) == (40, "random")
    assert seen(made, ann, scrimmage).matches == 40
    with pytest.raises(NotThereError):
        seen(made, bob, scrimmage)
    with made.contest.store.reading() as connection:
        left = allowance(connection, made.contest, str(ann.team))
    assert left and left.scrimmages.used == 1


def test_only_the_team_that_asked_sees_how_it_went_until_both_publish_it(
    made: Made, ann: Member, bob: Member, tmp_path: Path
) -> None:
    scrimmage = ask(made.contest, ann, "rock")
    with bluff():
        play(made, tmp_path)
    viewers = [None, made.person("eve", "greens"), bob, ann, made.person("olga", organiser=True)]

    def visible(contest: Contest = made.contest) -> list[str]:
        return [all_of(VisibleScrimmages(contest, who), scrimmage) for who in viewers]

    private = ["", "", "page", "page result replay log", "page result replay log"]
    assert visible() == private
    publish(made.contest, scrimmage, str(ann.team))
    assert visible() == private, "the other team has not agreed"
    page = browser(made, bob).get(f"/scrimmages/{scrimmage}")
    assert "Publish it" in text(page) and "points" not in text(page)
    assert browser(made, bob).post(f"/scrimmages/{scrimmage}/publish").status_code == 303
    public = ["page result replay"] * 3 + ["page result replay log"] * 2
    assert visible() == public, "what a bot printed stays its team's"
    for changes in ({"replays": "hidden"}, {"board": "anonymous"}):
        assert visible(hiding(made, **changes)) == ["", "", *public[2:]]


def all_of(visible: VisibleScrimmages, scrimmage: str) -> str:
    """Return what a viewer sees of a scrimmage, in words."""
    found = []
    with suppress(ContestError):
        found += ["page", "result"] if visible.one(scrimmage).sentence else ["page"]
    with suppress(ContestError):
        found += ["replay"] if visible.replay(scrimmage) else []
    with suppress(ContestError):
        found += ["log"] if visible.logs(scrimmage) else []
    return " ".join(found)


def test_a_record_keeps_nothing_that_belongs_to_the_other_author(tmp_path: Path) -> None:
    with bluff():
        record = recorded("m1")
        record.logs.extend(["mine", "theirs"])
        for seat in (0, 1):
            record.faults.add(seat=seat, stderr_tail="what it printed", detail="it crashed").last.add(request=b"cards")
            number = [*record.decisions.seats].index(seat)
            record.decisions.thoughts[number] = f"thought of {seat}"
            record.packages[seat].lines.append("six==1.16.0")
        own = [seat == 0 for seat in range(len(record.entrants))]
        keep(tmp_path, record, own)
        kept = read_record(tmp_path / "m1.match")
    assert [(fault.stderr_tail, len(fault.last)) for fault in kept.faults] == [("what it printed", 1), ("", 0)]
    assert [*kept.decisions.thoughts.values()] == ["thought of 0"]
    assert [*kept.packages] == [0]
    assert {file.name for file in tmp_path.iterdir()} == {"m1.match", "m1-seat0.txt"} and not kept.logs


def test_what_cannot_be_asked_for_is_refused_with_a_sentence(made: Made, ann: Member, bob: Member) -> None:
    refused = {
        "nobody": (ann, "nobody", ""),
        "no bot yours": (ann, "rock", "yours"),
        "in no team": (made.person("carl"), "rock", ""),
        "has no bot yet": (made.person("eve", "greens"), "rock", ""),
    }
    for words, (who, opponent, bot) in refused.items():
        with pytest.raises(ContestError, match=words):
            ask(made.contest, who, opponent, bot)
    assert ask(made.contest, ann, "mine"), "a bot may play against itself"
    set_standing_of(made, "blues")
    with pytest.raises(StateError, match="team blues is suspended"):
        ask(made.contest, ann, "rock")
    with pytest.raises(StateError, match="team blues is suspended"):
        ask(made.contest, bob, "mine")


@pytest.mark.slow
def test_a_bot_that_does_not_play_in_the_ladder_plays_no_scrimmages(made: Made, ann: Member, bob: Member) -> None:
    with made.contest.store.writing() as connection:
        connection.execute(update(SUBMISSIONS).where(SUBMISSIONS.c.bot == "rock").values(state="withdrawn"))
    for who, opponent in ((ann, "rock"), (bob, "mine")):
        with pytest.raises(StateError, match="rock does not play in the ladder now"):
            ask(made.contest, who, opponent)


@pytest.mark.slow
def test_a_team_that_takes_none_is_asked_for_none_and_those_that_wait_are_taken_back(
    made: Made, ann: Member, bob: Member, tmp_path: Path
) -> None:
    asked = ask(made.contest, ann, "rock")
    client = browser(made, bob)
    assert asked in client.get("/scrimmages").text, "it sees that it was asked"
    assert client.post("/scrimmages/open", data={"takes": "false"}).status_code == 303
    assert seen(made, ann, asked).state is ScrimmageState.CANCELLED
    assert play(made, tmp_path) == []
    with pytest.raises(StateError, match="team blues takes no scrimmages"):
        ask(made.contest, ann, "rock")
    assert ask(made.contest, bob, "mine"), "it may ask others"
    set_open(made.contest, bob, is_open=True)
    assert ask(made.contest, ann, "rock")


def test_the_limit_of_scrimmages_counts_24_hours_and_neither_failed_nor_cancelled_ones(
    made: Made, ann: Member, tmp_path: Path
) -> None:
    small = replace(made, contest=hiding(made, scrimmages=2))
    cancel_scrimmage(small.contest, ask(small.contest, ann, "random"))
    failed = ask(small.contest, ann, "random")
    for _ in range(MOST_TRIES):
        play(small, tmp_path, None)
    assert seen(small, ann, failed).state is ScrimmageState.FAILED
    for _ in range(2):
        ask(small.contest, ann, "random")
    with pytest.raises(LimitError, match="at most 2 within 24 hours, and 2 were asked for; the next is free at"):
        ask(small.contest, ann, "random")
    Decider(small.contest, "olga").grant("reds", 0, 0, "why", scrimmages=1)
    assert ask(small.contest, ann, "random")
    others = Visible(small.contest, small.person("cat", "greens")).allowance()
    assert others and others.scrimmages.used == 0
    made.clock.now += 86_401
    assert ask(small.contest, ann, "random")


def test_submissions_come_before_scrimmages(made: Made, ann: Member) -> None:
    ask(made.contest, ann, "random")
    made.enter(ann, bot_archive("2"))
    kinds = []
    while leased := lease(made.contest, "examiner"):
        kinds.append(leased.kind)
        settle(made.contest, leased, WorkFinding(False, "no"))
    assert kinds == [WorkKind.EXAM, WorkKind.SCRIMMAGE]


def test_a_team_keeps_one_examiner_busy_whatever_it_asks_for(made: Made, ann: Member, bob: Member) -> None:
    for number in range(3):
        ask(made.contest, ann, "random")
        made.enter(ann, bot_archive(str(number + 2)))
    made.enter(bob, bot_archive("2", "rock"), "rock")
    taken = [lease(made.contest, f"examiner {number}") for number in range(3)]
    assert sorted(one.team_name if one else "" for one in taken) == ["", "blues", "reds"]


def test_a_scrimmage_whose_examiner_is_gone_is_taken_up_by_another(made: Made, ann: Member) -> None:
    scrimmage = ask(made.contest, ann, "random")
    first = lease(made.contest, "one")
    made.clock.now += LEASE_S + 1
    second = lease(made.contest, "two")
    assert first and second and (first.subject, second.fence) == (second.subject, 2)
    assert settle(made.contest, first, WorkFinding(True, "an old answer")) is None
    assert settle(made.contest, second, WorkFinding(True, RESULT)) is ScrimmageState.PLAYED
    assert seen(made, ann, scrimmage).sentence == RESULT


@pytest.mark.slow
def test_what_waits_can_be_taken_back_by_its_team_and_nothing_is_published_before_it_is_played(
    made: Made, ann: Member, bob: Member
) -> None:
    scrimmage = ask(made.contest, ann, "rock")
    assert browser(made, bob).post(f"/scrimmages/{scrimmage}/cancel").status_code == 404
    with pytest.raises(StateError, match="this one is waiting"):
        publish(made.contest, scrimmage, str(ann.team))
    assert browser(made, ann).post(f"/scrimmages/{scrimmage}/cancel").status_code == 303
    assert lease(made.contest, "one") is None
    with pytest.raises(StateError, match="only a scrimmage that waits"):
        cancel_scrimmage(made.contest, scrimmage)


def test_both_teams_are_told_when_it_was_played_and_not_how_it_went(made: Made, ann: Member, bob: Member) -> None:
    with made.contest.store.writing() as connection:
        for who in (ann, bob):
            hook = {"id": new_id(), "team": who.team, "url": "https://example.org", "secret": "x", "failures": 0}
            connection.execute(insert(HOOKS).values(**hook, created=made.clock.now))
    ask(made.contest, ann, "rock")
    leased = lease(made.contest, "one")
    assert leased
    settle(made.contest, leased, WorkFinding(True, RESULT))
    told = [json.loads(body) for body in made.read(select(OUTBOX.c.body)).scalars()]
    assert [one["type"] for one in told] == ["scrimmage.played"] * 2
    assert "points" not in json.dumps(told)


def hiding(made: Made, **changes: object) -> Contest:
    """Return the contest with other settings of its phase."""
    return replace(made.contest, settings=made.contest.settings.replaced(phase=(phase(**changes),)))


def set_standing_of(made: Made, team: str) -> None:
    with made.contest.store.writing() as connection:
        connection.execute(update(TEAMS).where(TEAMS.c.name == team).values(state=AccountState.SUSPENDED))


TALKING = """from ballcourt import Bot, Decision, run


class Talking(Bot):
    def choose(self, decision: Decision) -> int:
        print("my cards", flush=True)
        return decision.legal[0]


run(Talking)
"""


@pytest.mark.slow
def test_real_bots_play_in_the_sandbox_of_the_ladder_also_for_an_examiner_elsewhere(
    made: Made, olga: Member, tmp_path: Path
) -> None:
    need_sandbox()
    ann = made.person("ann", "reds")
    files = {"bot.toml": 'name = "mine"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n', "bot.py": TALKING}
    for name, content in files.items():
        (made_folder(tmp_path / "mine") / name).write_text(content)
    made.playing(ann, archive=packed(files), content_hash=load_bot(tmp_path / "mine").content_hash)
    evaluated = ask(made.contest, ann, "random", matches=4)
    scrimmages = [ask(made.contest, ann, opponent) for opponent in ("random", "mine")]
    with served(made) as address:
        far = made_folder(tmp_path / "far")
        examiner = Examiner(FarDesk(ContestServer(address, examining(made, olga)), far), far)
        finish(examiner)
        finish(examiner)
    told = seen(made, ann, evaluated)
    assert told.state is ScrimmageState.PLAYED and "of its duels" in told.sentence, told.sentence
    assert b"points in a match" in VisibleScrimmages(made.contest, ann).logs(evaluated)["feedback"]
    finish(Examiner(OwnDesk(made.contest, Handover(made.contest)), made_folder(tmp_path / "near")))
    for scrimmage, opponent, seats in zip(scrimmages, ("random", "mine"), (1, 2), strict=True):
        found = seen(made, ann, scrimmage)
        assert found.state is ScrimmageState.PLAYED and f"{opponent} 1 with" in found.sentence, found.sentence
        logs = VisibleScrimmages(made.contest, ann).logs(scrimmage)
        assert len(logs) == seats and all(log.startswith(b"my cards") for log in logs.values())
        record = read_record(VisibleScrimmages(made.contest, ann).replay(scrimmage))
        assert (record.game, record.sandbox_tier, len(record.faults)) == ("maya", 1, 0)
    assert {one.name for one in (made.contest.path.parent / "ladder").iterdir()} <= {"arrivals"}


def made_folder(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder
