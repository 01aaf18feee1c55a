"""`ballcourt admin token`: its input and output."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.remote.tokens import TokenFile
from tests.cli.conftest import Refused, Run


def test_only_the_token_goes_to_stdout(succeeds: Run, place: Path) -> None:
    result = succeeds("admin token new alice-bot --owner alice")
    secret = result.stdout.strip()
    kept = TokenFile(place / "tokens.json").find(secret)
    assert kept
    assert f"token {kept.id} lets alice-bot of alice in; it is shown only this once" in result.stderr


def test_tokens_are_listed_with_their_state(succeeds: Run, place: Path) -> None:
    succeeds("admin token new alice-bot --owner alice --tokens other.json")
    secret = succeeds("admin token new bob-bot --owner bob --tokens other.json").stdout.strip()
    first, second = (
        entry["id"] for entry in json.loads(succeeds("admin token list --tokens other.json --json").stdout)
    )
    succeeds("admin", "token", "revoke", first, "--tokens", "other.json")
    listed = succeeds("admin token list --tokens other.json").stdout
    heading, alices, bobs = (line.split() for line in listed.splitlines())
    assert heading == ["id", "bot", "owner", "created", "revoked"]
    assert (alices[0], len(alices), bobs[0], len(bobs)) == (first, 5, second, 4)
    assert secret not in listed
    assert not (place / "tokens.json").exists()


def test_programs_get_json(run: Run, place: Path) -> None:
    made = json.loads(run("admin token new alice-bot --owner alice --json").stdout)
    assert (made["bot"], made["owner"], made["revoked"]) == ("alice-bot", "alice", "")
    found = TokenFile(place / "tokens.json").find(made["token"])
    assert found
    revoked = json.loads(run("admin", "token", "revoke", found.id, "--json").stdout)
    assert (revoked["id"], bool(revoked["revoked"])) == (found.id, True)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("admin token new", "Missing argument"),
        ("admin token new alice-bot", "Missing option '--owner'"),
        ("admin token new ../x --owner alice", "the bot cannot be called '../x'; it must be 1 to 40 letters"),
        ("admin token revoke abc", "there is no token 'abc' in tokens.json; known tokens: none"),
        ("admin token list --tokens low/bot.toml", "low/bot.toml is not a file of tokens"),
        ("admin token list --tokens nope", "there is no file nope; `ballcourt admin token new` makes one"),
        ("admin token list --tokens low", "cannot read low: Is a directory"),
    ],
)
def test_wrong_input_is_explained_and_nothing_is_written(refused: Refused, line: str, sentence: str) -> None:
    assert sentence in refused(line)
