"""Disqualified teams and bots, released names, and the trail of the ladder, which decides what plays."""

import json
import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import select

from ballcourt.arena.bots.entrant import LADDER_ITSELF, Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.arrivals.handed import ANSWERS
from ballcourt.arena.ladder.roster import FAULTS, Roster
from ballcourt.arena.tournament.decisions.changes import joining, withdrawing
from ballcourt.arena.tournament.decisions.trail import Trail, read_trail
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.arena.tournament.organiser.signing import write_key
from ballcourt.contest.backup import back_up
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.decisions.duplicates import near_copies
from ballcourt.contest.decisions.entrants import check_entrants, write_entrants
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.listing import Asked
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.teams import leave_team
from ballcourt.contest.refusals import ContestError, NotThereError, StateError
from ballcourt.contest.store.schema import AUDIT, SCRIMMAGES, SUBMISSIONS
from ballcourt.contest.submissions.following import follow_ladder
from ballcourt.contest.submissions.scrimmages import ask
from ballcourt.contest.submissions.states import SubmissionState, move
from ballcourt.contest.submissions.submissions import choose
from ballcourt.contest.submissions.work_queue import WorkKind, enqueue
from ballcourt.contest.visible import Visible
from tests.contest.made import Made, bot_archive, made_in
from tests.contest.test_finals import accept
from tests.contest.test_pages import browser, text
from tests.contest.test_remote_bots import programs


def let_in(made: Made, submission: str) -> BotVersion:
    """Add an accepted submission to the ladder, which answers; return what plays."""
    row = made.read(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one()
    bot, output = BotVersion(row.bot, row.version, row.content_hash), made.contest.ladder.output
    output.mkdir(parents=True, exist_ok=True)
    table = BotTable(path=f"arrivals/{row.content_hash}", owner="reds")
    Trail(output).decide("add", "it was handed over", joining(table, Entrant(bot, owner="reds"), f"reds/{row.bot}"))
    with (output / ANSWERS).open("a") as file:
        file.write(f'{{"submission":"{submission}","outcome":"joined","decision":1}}\n')
    return bot


def let_go(made: Made, bot: BotVersion, rule: str = "") -> None:
    """Withdraw a version, or retire it by a rule of the ladder; no server runs."""
    who = LADDER_ITSELF if rule else "olga"
    Trail(made.contest.ladder.output).decide("withdraw", "cheated", withdrawing(bot, rule=rule), who)


def state(made: Made, submission: str) -> str:
    return str(made.read(select(SUBMISSIONS.c.state).where(SUBMISSIONS.c.id == submission)).scalar_one())


def field(made: Made, folder: Path) -> str:
    """Return the field of the finals."""
    key = folder / "key.pem"
    if not key.exists():
        write_key(key)
    made.clock.now += 10**7
    write_entrants(made.contest, folder / "finals.toml", key, "olga", "over")
    made.clock.now -= 10**7
    return (folder / "finals.toml").read_text()


@pytest.fixture
def played(made: Made, ann: Member, bob: Member) -> tuple[str, str]:
    """Two versions of a bot of the reds, of which a rule retired the first, and a bot of the blues; no server runs."""
    first, second = accept(made, ann, "ann-bot"), accept(made, ann, "ann-bot", "2", "x = 1\n")
    accept(made, bob, "bob-bot", program="y = 1\n")
    old = let_in(made, first)
    let_in(made, second)
    let_go(made, old, "versions")
    return first, second


def withdrawn(made: Made, submission: str, rule: str = "") -> None:
    row = made.read(select(SUBMISSIONS).where(SUBMISSIONS.c.id == submission)).one()
    let_go(made, BotVersion(row.bot, row.version, row.content_hash), rule)


def test_no_version_of_a_bot_whose_newest_was_withdrawn_is_in_the_field_though_no_server_runs(
    made: Made, ann: Member, played: tuple[str, str], tmp_path: Path
) -> None:
    assert "ann-bot 2" in field(made, tmp_path)
    withdrawn(made, played[1])
    text = field(made, tmp_path)
    assert "ann-bot" not in text and "bob-bot 1" in text
    accept(made, ann, "ann-bot", "3", "z = 1\n")
    assert "ann-bot 3" in field(made, tmp_path), "a version that came after that may play"


def test_a_chosen_version_that_was_withdrawn_gives_way_to_the_newest(
    made: Made, ann: Member, played: tuple[str, str], tmp_path: Path
) -> None:
    choose(made.contest, str(ann.team), "ann-bot", played[0])
    assert "ann-bot 1" in field(made, tmp_path)
    with made.contest.store.writing() as connection:
        move(connection, played[0], SubmissionState.WITHDRAWN, made.clock.now)
    found = field(made, tmp_path)
    assert "ann-bot 2" in found and "ann-bot 1" not in found


def test_a_field_that_another_key_has_signed_is_refused(made: Made, played: tuple[str, str], tmp_path: Path) -> None:
    field(made, tmp_path)
    file, public = tmp_path / "finals.toml", write_key(tmp_path / "other.pem")
    own, _ = (tmp_path / "finals.toml.sig").read_text().split()
    assert check_entrants(file, own) == sha256(file.read_bytes()).hexdigest()
    with pytest.raises(ContestError, match=f"is signed by another key than {public}"):
        check_entrants(file, public)
    (tmp_path / "finals.toml.sig").write_text(f"{own}\n")
    with pytest.raises(ContestError, match="is signed by another key than"):
        check_entrants(file, own)


def test_the_finals_have_the_rules_of_the_ladder_and_the_chain_says_which_field_was_signed(
    made: Made, played: tuple[str, str], tmp_path: Path
) -> None:
    text = field(made, tmp_path)
    found, ladder = tomllib.loads(text), made.contest.ladder.to_table()
    assert "faults" in found and "sandbox" in found
    for part in ("game", "seats", "options", "clock", "faults", "sandbox", "logs"):
        assert found.get(part) == ladder.get(part), part
    (row,) = made.read(select(AUDIT).where(AUDIT.c.action == "entrants")).all()
    public, _ = (tmp_path / "finals.toml.sig").read_text().split()
    expected = {"sha256": sha256(text.encode()).hexdigest(), "signer": public, "entrants": len(found["bot"])}
    assert json.loads(row.details) == expected and expected["entrants"] == 2


def test_the_field_names_bots_and_versions_and_no_place_of_this_machine(
    made: Made, ann: Member, played: tuple[str, str], tmp_path: Path
) -> None:
    text = field(made, tmp_path)
    found = made.read(select(SUBMISSIONS.c.content_hash).where(SUBMISSIONS.c.id == played[1])).scalar_one()
    assert f"# reds: ann-bot 2, {found}\n" in text
    assert str(tmp_path) not in text and '"path" = "./cup/' in text
    assert found in browser(made, ann).get(f"/submissions/{played[1]}").text


@pytest.mark.parametrize("reads", ["follow", "verify", "near", "backup", "choose"])
def test_who_asks_about_a_contest_learns_what_the_trail_says(
    made: Made, ann: Member, played: tuple[str, str], tmp_path: Path, reads: str
) -> None:
    withdrawn(made, played[1])

    def choosing() -> None:
        with pytest.raises(StateError, match="was not withdrawn"):
            choose(made.contest, str(ann.team), "ann-bot", played[1])

    asking: dict[str, Callable[[], object]] = {
        "follow": lambda: follow_ladder(made.contest),
        "verify": lambda: [*complaints(made.contest)],
        "near": lambda: [*near_copies(made.contest)],
        "backup": lambda: back_up(made.contest, tmp_path / "copy"),
        "choose": choosing,
    }
    asking[reads]()
    assert [state(made, one) for one in played] == ["retired", "withdrawn"]


def test_a_version_that_is_withdrawn_before_the_contest_has_read_the_answer_is_withdrawn(
    made: Made, ann: Member
) -> None:
    submission = accept(made, ann, "ann-bot")
    let_in(made, submission)
    withdrawn(made, submission)
    follow_ladder(made.contest)
    assert state(made, submission) == "withdrawn"


def test_a_version_that_the_ladder_disqualifies_is_retired(made: Made, played: tuple[str, str]) -> None:
    withdrawn(made, played[1], rule=FAULTS)
    follow_ladder(made.contest)
    assert state(made, played[1]) == "retired"


def test_a_version_that_the_ladder_disqualifies_is_in_the_finals_only_if_its_team_chooses_it_after_that(
    made: Made, ann: Member, played: tuple[str, str], tmp_path: Path
) -> None:
    choose(made.contest, str(ann.team), "ann-bot", played[1])
    withdrawn(made, played[1], rule=FAULTS)
    found = field(made, tmp_path)
    assert "ann-bot" not in found and "bob-bot 1" in found, "no older version plays in its stead"
    for submission, version in zip(reversed(played), "21", strict=True):
        choose(made.contest, str(ann.team), "ann-bot", submission)
        assert f"ann-bot {version}" in field(made, tmp_path)


def test_a_version_that_follows_one_that_the_ladder_disqualified_is_in_the_finals(
    made: Made, ann: Member, played: tuple[str, str], tmp_path: Path
) -> None:
    withdrawn(made, played[1], rule=FAULTS)
    accept(made, ann, "ann-bot", "3", "z = 1\n")
    assert "ann-bot 3" in field(made, tmp_path)


def test_the_api_refuses_to_choose_a_withdrawn_version(made: Made, ann: Member, played: tuple[str, str]) -> None:
    withdrawn(made, played[1])
    answer = programs(made, ann).put("bots/ann-bot/chosen", json={"submission": played[1]})
    assert (answer.status_code, answer.json()["error"]) == (409, "state")
    assert programs(made, ann).put("bots/ann-bot/chosen", json={"submission": played[0]}).status_code == 204


@pytest.mark.parametrize("name", ["reds", "ann-bot"])
def test_who_is_disqualified_plays_nothing_and_enters_nothing_by_no_member_and_under_no_version(
    made: Made, ann: Member, played: tuple[str, str], tmp_path: Path, name: str
) -> None:
    dave = made.person("dave", "reds")
    waiting = made.enter(dave, bot_archive("3", "ann-bot"), "ann-bot")
    assert "is disqualified" in Decider(made.contest, "olga").disqualify(name, "cheated")
    roster = Roster(read_trail(made.contest.ladder.output))
    assert not roster.playing
    assert [state(made, one) for one in (*played, waiting)] == ["withdrawn", "withdrawn", "cancelled"]
    assert "ann-bot" not in field(made, tmp_path)
    for person in (ann, dave):
        with pytest.raises(StateError, match="is disqualified; ask the organiser"):
            made.enter(person, bot_archive("4", "ann-bot"), "ann-bot")
    with pytest.raises(StateError, match=r"does not play|is disqualified"):
        ask(made.contest, dave, "bob-bot", "ann-bot")
    with pytest.raises(StateError):
        choose(made.contest, str(ann.team), "ann-bot", played[0])
    assert [*complaints(made.contest)] == []
    Decider(made.contest, "olga").reinstate(name, "it was a mistake")
    accept(made, ann, "ann-bot", "5", "v = 1\n")
    assert "ann-bot 5" in field(made, tmp_path)


@pytest.mark.parametrize("name", ["reds", "mine"])
def test_scrimmages_that_wait_for_who_is_disqualified_are_cancelled(
    made: Made, ann: Member, bob: Member, name: str
) -> None:
    made.playing(ann)
    made.playing(bob, "other")
    for asking, opponent in ((ann, "other"), (bob, "mine"), (bob, "random")):
        ask(made.contest, asking, opponent)
    Decider(made.contest, "olga").disqualify(name, "cheated")
    assert made.read(select(SCRIMMAGES.c.state).order_by(SCRIMMAGES.c.state)).scalars().all() == [
        "cancelled",
        "cancelled",
        "waiting",
    ]


def test_members_of_a_disqualified_team_cannot_go_on_as_another_one(made: Made, ann: Member) -> None:
    Decider(made.contest, "olga").disqualify("reds", "cheated")
    with made.contest.store.writing() as connection, pytest.raises(StateError, match="team reds is disqualified"):
        leave_team(connection, str(ann.team), ann.account, made.clock.now)


@pytest.mark.parametrize("name", ["reds", "mine"])
def test_what_is_examined_while_its_team_or_bot_is_disqualified_is_refused(made: Made, ann: Member, name: str) -> None:
    made.accepted(ann)
    submission = made.enter(ann, bot_archive("2"))
    leased = made.leased()
    Decider(made.contest, "olga").disqualify(name, "cheated")
    made.settle(leased, "1" * 64, "2")
    assert state(made, submission) == "refused"


@pytest.mark.parametrize("name", ["reds", "ann-bot"])
def test_what_the_ladder_lets_in_after_a_disqualification_is_withdrawn_there(
    made: Made, ann: Member, tmp_path: Path, name: str
) -> None:
    submission = accept(made, ann, "ann-bot")
    Decider(made.contest, "olga").disqualify(name, "cheated")
    with pytest.raises(StateError, match="no bot has been accepted"):
        field(made, tmp_path)
    let_in(made, submission)
    with pytest.raises(StateError, match="no bot has been accepted"):
        field(made, tmp_path)
    Handover(made.contest).step()
    assert not Roster(read_trail(made.contest.ladder.output)).playing


def test_a_released_bot_makes_room_for_another_and_its_name_stays_with_its_team(
    made: Made, ann: Member, bob: Member, played: tuple[str, str]
) -> None:
    with pytest.raises(StateError, match="or ask the organiser to release its name"):
        made.enter(ann, bot_archive("1", "other"), "other")
    Decider(made.contest, "olga").release("ann-bot", "it was a mistake")
    assert state(made, played[1]) == "withdrawn"
    other = accept(made, ann, "other", program="w = 1\n")
    assert state(made, other) == "accepted"
    with pytest.raises(StateError, match="belongs to another team"):
        made.enter(bob, bot_archive("1", "ann-bot"), "ann-bot")
    with pytest.raises(StateError, match="has other already"):
        made.enter(ann, bot_archive("9", "ann-bot"), "ann-bot")
    Decider(made.contest, "olga").release("other", "back again")
    back = accept(made, ann, "ann-bot", "9", "u = 1\n")
    assert state(made, back) == "accepted"
    with pytest.raises(StateError, match="has ann-bot already"):
        made.enter(ann, bot_archive("1", "third"), "third")


def test_a_ruling_names_what_it_is_about(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup")
    ann = made.person("ann", "reds")
    accept(made, ann, "reds")
    decider = Decider(made.contest, "olga")
    with pytest.raises(ContestError, match="write team:reds or bot:reds"):
        decider.disqualify("reds", "cheated")
    with pytest.raises(NotThereError, match="no team and no bot greens"):
        decider.disqualify("greens", "cheated")
    with pytest.raises(ContestError, match="reason"):
        decider.disqualify("bot:reds", " ")
    assert decider.disqualify("bot:reds", "cheated") == "bot reds is disqualified"
    with pytest.raises(StateError, match="bot reds is disqualified; only one that is active may be disqualified"):
        decider.disqualify("bot:reds", "cheated")
    with pytest.raises(StateError, match="team reds is active; only one that is disqualified"):
        decider.reinstate("team:reds", "why")


def test_the_organiser_rules_on_the_page(made: Made, ann: Member, olga: Member) -> None:
    page = browser(made, olga)
    for action, name in (("disqualify", "reds"), ("reinstate", "team:reds")):
        answer = page.post("/organiser/ruling", data={"name": name, "reason": "cheated", "action": action})
        assert answer.status_code == 303
    assert "disqualify team reds" in " ".join(text(page.get("/organiser")).split())
    refused = browser(made, ann).post("/organiser/ruling", data={"name": "reds", "reason": "x", "action": "disqualify"})
    assert refused.status_code == 403


def test_counts_and_lists_are_of_all_submissions_not_of_a_page(made: Made, ann: Member, olga: Member) -> None:
    first = made.accepted(ann)
    row = {**made.read(select(SUBMISSIONS)).one()._mapping}
    with made.contest.store.writing() as connection:
        for number in range(2, 253):
            state, bot = "failed" if number == 2 else "waiting", "late" if number == 2 else "bulk"
            about = {"id": f"{number:016x}", "number": number, "state": state, "bot": bot, "version": ""}
            connection.execute(SUBMISSIONS.insert().values(**{**row, **about, "created": row["created"] + number}))
            if state == "waiting":
                enqueue(connection, WorkKind.EXAM, f"{number:016x}", str(ann.team), row["created"] + number)
    seen = Visible(made.contest, olga)
    assert seen.counts() == {"accepted": 1, "failed": 1, "waiting": 250}
    pages = [seen.listed(Asked(page=page)).rows for page in range(4)]
    assert [seen.listed(Asked(page=page)).has_more for page in range(4)] == [True, True, False, False]
    assert [len(page) for page in pages] == [100, 100, 52, 0]
    assert [one.place for one in pages[1][:2]] == [149, 148], "the oldest is taken up first"
    assert [one.id for one in seen.submissions(bot="late")] == [f"{2:016x}"]
    assert {one.number for one in seen.listed(Asked("LAT")).rows} == {2}
    assert [one.id for one in seen.listed(Asked(state="accepted")).rows] == [first]
    assert seen.listed(Asked("%")).rows == []
    page = browser(made, olga)
    assert "250" in text(page.get("/organiser"))
    assert f"/submissions/{2:016x}" in page.get("/submissions?search=late").text
    assert "Examine it again" in page.get(f"/submissions/{2:016x}").text
    assert "page=1" in page.get("/submissions").text and "page=1" not in page.get("/submissions?state=failed").text
    assert f"/submissions/{first}" in browser(made, ann).get("/my-bots/mine").text, "older than a hundred others"


def test_a_team_counts_and_finds_its_own_submissions_alone(made: Made, ann: Member, bob: Member) -> None:
    made.accepted(ann)
    made.playing(bob, "other")
    assert Visible(made.contest, ann).counts()["accepted"] == 1
    assert Visible(made.contest, ann).listed(Asked("blues")).rows == []
    assert Visible(made.contest, None).counts() == {}


def test_the_field_is_fixed_when_nothing_is_examined_and_a_change_of_one_letter_breaks_its_signature(
    made: Made, ann: Member, tmp_path: Path
) -> None:
    made.playing(ann)
    made.enter(ann, bot_archive("2"))
    leased = made.leased()
    with pytest.raises(StateError, match="wait or are being examined, also again: 1"):
        field(made, tmp_path)
    made.clock.now -= 10**7
    made.settle(leased, "ab" * 32, "2")
    found, file = field(made, tmp_path), tmp_path / "finals.toml"
    public = file.with_name("finals.toml.sig").read_text().split()[0]
    assert check_entrants(file, public) == sha256(found.encode()).hexdigest()
    file.write_text(found.replace("reds", "red5"))
    with pytest.raises(ContestError, match="was changed since it was signed"):
        check_entrants(file, public)
