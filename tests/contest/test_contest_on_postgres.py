"""A contest whose database is a real PostgreSQL server: exact limits, one holder for each submission, one chain."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.bots.version import BotVersion
from ballcourt.contest.create import make_contest
from ballcourt.contest.decisions.audit import first_break
from ballcourt.contest.decisions.deciding import Decider
from ballcourt.contest.examining.work import LEASE_S, Leased, WorkFinding, lease, settle
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.refusals import ContestFileError, LimitError
from ballcourt.contest.store.contest import open_contest
from ballcourt.contest.store.opening import open_store
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.submissions import enter
from ballcourt.contest.visible import Visible
from tests.contest.made import Made, bot_archive, made_in
from tests.contest.test_at_once import check_limits
from tests.contest.test_unkept_characters import check_texts
from tests.leaderboard.postgres import Server, running_server

pytestmark = pytest.mark.slow
AT_ONCE = 12


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as running:
        yield running


@pytest.fixture
def made(server: Server, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Made]:
    found = made_in(tmp_path / "cup", teams={"members": 60, "bots": 60})
    store = open_store(server.database(request.node.name[:60]), tmp_path, create=True)
    found.contest.store.close()
    yield Made(replace(found.contest, store=store), found.clock)
    store.close()


def test_a_contest_is_made_in_an_empty_database_of_a_server_and_in_no_other(server: Server, tmp_path: Path) -> None:
    url = server.database("made")

    def make(name: str) -> None:
        make_contest(tmp_path / name, name, "http://127.0.0.1:8000", "maya", database=url, unconfined=True)

    make("cup")
    with open_contest(tmp_path / "cup" / "contest.toml") as found:
        Made(found).person("ann", "reds")
    with pytest.raises(ContestFileError, match="holds a contest already; name another database"):
        make("other")
    assert [path.name for path in tmp_path.iterdir()] == ["cup"]


@pytest.mark.gate
def test_limits_are_exact_and_each_submission_has_one_holder(made: Made) -> None:
    people = [made.person(f"p{number:02}", f"t{number % 2}") for number in range(AT_ONCE)]
    uploads = [made.upload(one, bot_archive(str(n), f"b{n:02}")) for n, one in enumerate(people)]

    def one(number: int) -> str:
        try:
            return enter(made.contest, people[number], uploads[number], f"b{number:02}")
        except LimitError:
            return ""

    with ThreadPoolExecutor(AT_ONCE) as threads:
        entered = [*filter(None, threads.map(one, range(AT_ONCE)))]
        assert len(entered) == 10, "5 of each team"
        leased = [*filter(None, threads.map(lambda n: lease(made.contest, str(n)), range(AT_ONCE)))]
    assert len({one.team for one in leased}) == len(leased) <= 2, "a team has one that is examined"


def test_what_is_lost_is_taken_up_again_and_an_old_answer_is_thrown_away(made: Made, ann: Member) -> None:
    submission = made.enter(ann, bot_archive())
    first = lease(made.contest, "one")
    made.clock.now += LEASE_S + 1
    second = lease(made.contest, "two")
    assert isinstance(first, Leased) and isinstance(second, Leased)
    assert settle(made.contest, first, WorkFinding(True, "", "", BotVersion("mine", "1", "0" * 64))) is None
    assert (
        settle(made.contest, second, WorkFinding(True, "", "", BotVersion("mine", "1", "0" * 64)))
        is SubmissionState.ACCEPTED
    )
    states = [one.state for one in Visible(made.contest, ann).states(submission)]
    assert states == ["waiting", "examining", "waiting", "examining", "accepted"]


def test_fifty_requests_at_once_get_as_much_as_limits_allow(made: Made) -> None:
    check_limits(made)


def test_no_character_gets_other_words_than_ours_out_of_a_contest(made: Made) -> None:
    check_texts(made)


def test_decisions_at_the_same_time_make_one_chain(made: Made) -> None:
    made.person("ann", "reds")
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(lambda n: Decider(made.contest, "olga").grant("reds", 1, n, "why"), range(AT_ONCE)))
    with made.contest.store.reading() as connection:
        assert first_break(connection) == 0
    left = Visible(made.contest, made.person("ann", "reds")).allowance()
    assert left and left.accepted.most == 5 + AT_ONCE
