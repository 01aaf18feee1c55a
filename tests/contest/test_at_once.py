"""Fifty requests at the same time: every limit lets in as many as it says, and not one more."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from sqlalchemy import func, select

from ballcourt.contest.decisions.inviting import Inviting
from ballcourt.contest.people.accounts import AccountRole, Member
from ballcourt.contest.people.tokens import MOST_TOKENS, tokens_of
from ballcourt.contest.store.schema import SESSIONS, SUBMISSIONS, UPLOADS
from ballcourt.contest.submissions.uploads import OF_ACCOUNT
from ballcourt.contest.web.viewers import COOKIE
from tests.contest.made import Made, bot_archive, made_in, phase
from tests.contest.test_api import bearer, served

AT_ONCE = 50
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


def all_at_once(url: str, request: Callable[[int], tuple[str, str, bytes, dict[str, str]]]) -> Counter[int]:
    """Send fifty requests at the same time; return how often each status came."""

    def one(number: int) -> int:
        method, path, body, headers = request(number)
        connection = HTTPConnection(url.removeprefix("http://"), timeout=600)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return Counter(threads.map(one, range(AT_ONCE)))


def check_limits(made: Made) -> None:
    """Use every limit of a contest up at once; it allows teams of many bots."""
    teams = {"reds": (phase(accepted=4, attempts=50), 4), "blues": (phase(accepted=50, attempts=6), 6)}
    for team, (limited, most) in teams.items():
        people = [made.person(f"{team}-{number}", team) for number in range(1)]
        contest = replace(made.contest, settings=made.contest.settings.replaced(phase=(limited,)))
        with served(replace(made, contest=contest)) as url:
            found = all_at_once(url, _entering(made, people))
        with made.contest.store.reading() as connection:
            mine = select(SUBMISSIONS.c.number).where(SUBMISSIONS.c.team == people[0].team)
            numbers = sorted(connection.execute(mine).scalars())
        assert numbers == [*range(1, most + 1)], found
        assert found == {201: most, 429: AT_ONCE - most}, "one account sent all, and each refusal was a limit"
    ann, bob = people[0], made.person("bob", "browns")  # whose team has entered nothing
    (invited,) = Inviting(made.contest, AccountRole.CONTESTANT, 1000).invite([("cat", "greens")])
    cookie = made.session(ann)
    with served(made) as url:
        link = urlencode({"link": invited.secret}).encode()
        assert all_at_once(url, lambda _: ("POST", "/sign-in", link, FORM)) == {303: 1, 404: AT_ONCE - 1}
        signed_in = {**FORM, "Cookie": f"{COOKIE}={cookie}"}
        tokens = all_at_once(url, lambda _: ("POST", "/account/tokens", b"label=x", signed_in))
        headers = {**bearer(made, bob), "Content-Type": "application/json"}
        announced = all_at_once(
            url, lambda n: ("POST", "/api/v1/uploads", f'{{"bytes":9,"sha256":"{n:064x}"}}'.encode(), headers)
        )
    with made.contest.store.reading() as connection:
        assert len(tokens_of(connection, ann.account)) == MOST_TOKENS, tokens
        on_their_way = select(func.count()).select_from(UPLOADS).where(UPLOADS.c.account == bob.account)
        assert connection.execute(on_their_way).scalar_one() == OF_ACCOUNT, announced
        assert announced == {201: OF_ACCOUNT, 429: AT_ONCE - OF_ACCOUNT}
        assert connection.execute(select(func.count()).select_from(SESSIONS)).scalar_one() == 2


def _entering(made: Made, people: Sequence[Member]) -> Callable[[int], tuple[str, str, bytes, dict[str, str]]]:
    """Return what enters a bot of its own for each number."""
    tokens = [bearer(made, person) for person in people]

    def entering(number: int) -> tuple[str, str, bytes, dict[str, str]]:
        who = people[number % len(people)]
        archive = bot_archive("1", f"{who.handle}-{number}")
        asked = {"bytes": len(archive), "sha256": sha256(archive).hexdigest(), "bot": f"{who.team_name}-{number}"}
        return "PUT", f"/api/v1/submissions?{urlencode(asked)}", archive, tokens[number % len(people)]

    return entering


@pytest.mark.slow
def test_fifty_requests_at_once_get_as_much_as_limits_allow(tmp_path: Path) -> None:
    check_limits(made_in(tmp_path / "cup", teams={"members": 60, "bots": 60}))
