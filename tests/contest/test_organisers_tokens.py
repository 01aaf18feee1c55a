"""The tokens that an organiser makes for others by `contest token`."""

import json
import time
from pathlib import Path

import pytest

from ballcourt.cli.contest import token
from ballcourt.contest.people.tokens import DAY_S, Scope, bearer_of
from ballcourt.contest.refusals import ContestError
from tests.contest.made import Made


def test_a_token_may_be_for_one_bot_and_a_few_days(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made.person("ann", "reds")
    file, now = tmp_path / "cup" / "contest.toml", time.time()
    token(file, "ann", "ci", examine=False, bot="rocket", days=3, as_json=True)
    secret = json.loads(capsys.readouterr().out)["token"]
    with made.contest.store.reading() as connection:
        found = bearer_of(connection, secret, now + 2.9 * DAY_S)
        assert found and found.person.bot == "rocket" and Scope.SUBMIT in found.scopes
        assert bearer_of(connection, secret, now + 3.1 * DAY_S) is None
    made.person("olga", organiser=True)
    with pytest.raises(ContestError, match="leave out --bot or --examine"):
        token(file, "olga", "far", examine=True, bot="rocket", days=3, as_json=True)
    with pytest.raises(ContestError, match="bot is 'a b'"):
        token(file, "ann", "ci", examine=False, bot="a b", days=3, as_json=True)
