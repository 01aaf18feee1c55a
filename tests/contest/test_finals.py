"""The field of the finals, near copies, and copies of a contest."""

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.arrivals.handed import files_of
from ballcourt.arena.tournament.event.reading import read_event
from ballcourt.arena.tournament.organiser.signing import write_key
from ballcourt.contest.backup import back_up
from ballcourt.contest.decisions.duplicates import near_copies
from ballcourt.contest.decisions.entrants import check_entrants, write_entrants
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.work import WorkFinding, lease, settle
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestError, ContestFileError, StateError
from ballcourt.contest.settings import TeamsTable
from ballcourt.contest.store.contest import open_contest
from ballcourt.contest.store.schema import AUDIT
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.submissions import choose
from ballcourt.contest.visible import Visible
from tests.contest.made import Made, bot_archive, made_in
from tests.contest.test_pages import browser, text

PROGRAM = "".join(f"line{number} = {number}\n" for number in range(60))


def accept(
    made: Made, who: Member, bot: str, version: str = "1", program: str = PROGRAM, data: bytes = b"", *, code: str = ""
) -> str:
    """Enter a bot, and accept it as an examiner does, with the hash `code` of its files; return the submission."""
    submission = made.enter(who, bot_archive(version, bot), bot)
    made.clock.now += 1
    output = made.contest.ladder.output
    folder = output / "arrivals" / "new"
    folder.mkdir(parents=True)
    toml = f'name = "{bot}"\nversion = "{version}"\ncommand = ["{{python}}", "bot.py"]\ngames = ["maya"]\n'
    (folder / "bot.toml").write_text(toml)
    (folder / "bot.py").write_text(program)
    if data:
        (folder / "net.bin").write_bytes(data)
    found = load_bot(folder).content_hash
    folder.rename(files_of(output, found))
    made.accept(found, version, code=code)
    return submission


@pytest.mark.slow
def test_the_field_has_the_chosen_version_of_each_bot_and_is_a_signed_tournament_file(
    made: Made, ann: Member, bob: Member, tmp_path: Path
) -> None:
    first = accept(made, ann, "ann-bot", "1")
    accept(made, ann, "ann-bot", "2", PROGRAM + "x = 1\n")
    accept(made, bob, "bob-bot", "1")
    accept(made, bob, "bob-bot", "2", PROGRAM + "x = 1\n")
    assert ann.team
    choose(made.contest, ann.team, "ann-bot", first)
    key, field = tmp_path / "key.pem", tmp_path / "finals.toml"
    public = write_key(key)
    with pytest.raises(StateError, match="phase training is open until"):
        write_entrants(made.contest, field, key, "olga", "the season is over")
    made.clock.now += 10**7
    assert write_entrants(made.contest, field, key, "olga", "the season is over") == (2, public)
    tables = read_event(field).bot
    assert tables
    assert [(table.owner, load_bot(Path(table.path)).version) for table in tables] == [("reds", "1"), ("blues", "2")]
    assert all(load_bot(Path(table.path)).content_hash == table.hash for table in tables)
    digest = check_entrants(field, public)
    assert digest in made.read(AUDIT.select()).one().details
    field.write_text(field.read_text().replace("reds", "blues"))
    with pytest.raises(ContestError, match="was changed since it was signed"):
        check_entrants(field, public)
    with pytest.raises(StateError, match="cannot be changed any more"):
        choose(made.contest, ann.team, "ann-bot", first)


def test_a_submission_that_waits_keeps_the_field_open(made: Made, tmp_path: Path) -> None:
    made.enter(made.person("ann", "reds"), bot_archive())
    made.clock.now += 10**7
    write_key(tmp_path / "key.pem")
    with pytest.raises(StateError, match="being examined, also again: 1"):
        write_entrants(made.contest, tmp_path / "finals.toml", tmp_path / "key.pem", "olga", "over")


def test_near_copies_of_other_teams_are_found_and_own_versions_are_not(made: Made) -> None:
    ann, bob, cat = (made.person(name, f"{name}s") for name in ("ann", "bob", "cat"))
    accept(made, ann, "ann-bot")
    accept(made, bob, "bob-bot", program="\n\n" + PROGRAM.replace("line", "  line") + "x = 1\n")
    accept(made, cat, "cat-bot", program=PROGRAM.replace("=", "=="))
    (pair,) = near_copies(made.contest)
    assert (pair.first, pair.second) == ("anns ann-bot 1", "bobs bob-bot 1")


def test_what_all_began_with_does_not_make_bots_alike(made: Made, tmp_path: Path) -> None:
    ann, bob, cat, dan = (made.person(name, f"{name}s") for name in ("ann", "bob", "cat", "dan"))
    own = "".join(f"own {number}\n" for number in range(20))
    accept(made, ann, "ann-bot", program=PROGRAM + own)
    accept(made, bob, "bob-bot", program=PROGRAM + own)
    accept(made, cat, "cat-bot", code="ab" * 32)
    accept(made, dan, "dan-bot", code="ab" * 32)
    (tmp_path / "starter").mkdir()
    (tmp_path / "starter" / "bot.py").write_text(PROGRAM)
    (pair,) = near_copies(made.contest, base=tmp_path / "starter")
    assert (pair.first, pair.second) == ("anns ann-bot 1", "bobs bob-bot 1")
    assert len([*near_copies(made.contest, 0.3)]) > 2
    with pytest.raises(ContestError, match="which is not a folder; name that of the bot that all began with"):
        [*near_copies(made.contest, base=tmp_path / "nothing")]


@pytest.mark.parametrize(
    "data", [b"\xff\xfe" * 100, b"%d\n" * 600_000, b"\xff" + bytes(range(256)) * 6000], ids=["small", "text", "large"]
)
def test_data_of_another_team_is_found_though_the_program_is_another_one(made: Made, data: bytes) -> None:
    ann, bob, cat = (made.person(name, f"{name}s") for name in ("ann", "bob", "cat"))
    accept(made, ann, "ann-bot", data=data)
    accept(made, bob, "bob-bot", program="another = 1\n" * 9, data=data)
    accept(made, cat, "cat-bot", program="a third = 1\n" * 9, data=b"\xff" + data)
    (pair,) = near_copies(made.contest)
    assert (pair.first, pair.second, pair.share) == ("anns ann-bot 1", "bobs bob-bot 1", 1.0)


def test_the_organiser_sees_the_same_files_at_once_and_an_older_version_that_was_copied(
    made: Made, ann: Member, bob: Member, olga: Member
) -> None:
    accept(made, ann, "ann-bot", code="ab" * 32)
    accept(made, ann, "ann-bot", "2", program="changed = 1\n" * 20, code="cd" * 32)
    organiser = browser(made, olga)
    assert "ann-bot" not in words(organiser, "/organiser")
    accept(made, bob, "bob-bot", program=PROGRAM + "x = 1\n" * 20, code="ab" * 32)
    assert "reds : ann-bot , submission 1 (accepted); blues : bob-bot , submission 1 (accepted)" in words(
        organiser, "/organiser"
    )
    (pair,) = near_copies(made.contest)
    assert (pair.first, pair.second, pair.share) == ("reds ann-bot 1", "blues bob-bot 1", 1.0)


def test_the_organiser_sees_the_archive_of_another_team_before_it_is_examined(
    made: Made, ann: Member, bob: Member, olga: Member
) -> None:
    made.playing(ann)
    made.clock.now += 1
    made.enter(bob, bot_archive(), "other")
    assert "blues : other , submission 1 (waiting)" in words(browser(made, olga), "/organiser")
    (pair,) = near_copies(made.contest)
    assert (pair.first, pair.second) == ("reds mine 1", "blues other (submission 1, waiting)")


def words(client: TestClient, address: str) -> str:
    return " ".join(text(client.get(address)).split())


def test_files_of_another_team_are_refused_where_the_contest_says_so(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams=TeamsTable(bots=2, copies="refused"))
    ann, bob = made.person("ann", "reds"), made.person("bob", "blues")
    accept(made, ann, "ann-bot", code="ab" * 32)
    own = accept(made, ann, "ann-two", code="ab" * 32)
    copied = accept(made, bob, "bob-bot", code="ab" * 32)
    other = accept(made, bob, "bob-two", code="cd" * 32)
    found = [Visible(made.contest, who).submission(one) for who, one in ((ann, own), (bob, copied), (bob, other))]
    assert [one.state for one in found] == ["accepted", "refused", "accepted"]
    assert "another team entered before" in found[1].sentence
    assert [bot.name for bot in Visible(made.contest, bob).bots()] == ["bob-two"], "a copy claims no name"


def test_files_that_were_refused_are_no_reason_to_refuse_another_team(tmp_path: Path) -> None:
    made = made_in(tmp_path / "cup", teams=TeamsTable(copies="refused"))
    ann, bob = made.person("ann", "reds"), made.person("bob", "blues")
    made.enter(ann, bot_archive("1", "ann-bot"), "ann-bot")
    refused = WorkFinding(False, "it hangs", "{}", BotVersion("ann-bot", "1", "1" * 64), "ab" * 32)
    assert settle(made.contest, made.leased(), refused) is SubmissionState.REFUSED
    own = accept(made, bob, "bob-bot", code="ab" * 32)
    assert Visible(made.contest, bob).submission(own).state is SubmissionState.ACCEPTED


def test_a_copy_of_a_contest_is_a_contest(made: Made, ann: Member, tmp_path: Path) -> None:
    made.enter(ann, bot_archive())
    back_up(made.contest, tmp_path / "copy")
    with open_contest(tmp_path / "copy" / "contest.toml") as copy:
        assert [*complaints(copy)] == []
        assert lease(replace(copy, now=made.clock), "test")
    with pytest.raises(ContestFileError, match="exists; name a new folder"):
        back_up(made.contest, tmp_path / "copy")


def test_a_changed_decision_and_a_changed_archive_are_noticed(made: Made) -> None:
    made.enter(made.person("ann", "reds"), bot_archive())
    for archive in made.contest.files.glob("archives/*/*"):
        archive.write_bytes(b"x")
    assert ["was changed" in line for line in complaints(made.contest)] == [True]


def test_there_is_no_field_while_a_phase_is_open(made: Made, ann: Member, tmp_path: Path) -> None:
    accept(made, ann, "mine")
    write_key(tmp_path / "key.pem")
    with pytest.raises(StateError, match="the field is fixed when it has closed"):
        write_entrants(made.contest, tmp_path / "finals.toml", tmp_path / "key.pem", "olga", "over")
    assert not (tmp_path / "finals.toml").exists()
