"""Tokens: shown once, stored as hashes, revoked by id, and safe from concurrent commands."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ballcourt.arena.remote.tokens import PREFIX, TokenError, TokenFile


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "event" / "tokens.json")


def test_a_token_is_recognised_but_never_stored(tokens: TokenFile) -> None:
    token, secret = tokens.new("alice-bot", "alice")
    assert tokens.find(secret) == token
    assert (token.bot, token.owner, token.revoked) == ("alice-bot", "alice", "")
    written = tokens.path.read_text()
    assert secret.startswith(PREFIX)
    assert secret.removeprefix(PREFIX) not in written
    assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600


def test_tokens_differ_and_hold_256_bits(tokens: TokenFile) -> None:
    secrets = {tokens.new("alice-bot", "alice")[1] for _ in range(3)}
    assert len(secrets) == 3
    assert all(len(secret.removeprefix(PREFIX)) >= 43 for secret in secrets)


def test_an_invalid_token_is_not_found(tokens: TokenFile) -> None:
    _, secret = tokens.new("alice-bot", "alice")
    for wrong in ("", secret[:-1], tokens.all()[0].hash, "é\0"):
        assert tokens.find(wrong) is None


def test_a_revoked_token_stays_revoked(tokens: TokenFile) -> None:
    token, secret = tokens.new("alice-bot", "alice")
    first = tokens.revoke(token.id)
    assert first.revoked
    assert tokens.revoke(token.id) == first
    assert tokens.find(secret) == first


def test_revoking_an_unknown_token_lists_the_known_ones_and_writes_nothing(tokens: TokenFile) -> None:
    with pytest.raises(TokenError, match=r"there is no token 'abc' in .*; known tokens: none"):
        tokens.revoke("abc")
    assert not tokens.path.parent.exists()
    token, _ = tokens.new("alice-bot", "alice")
    with pytest.raises(TokenError, match=f"known tokens: {token.id}"):
        tokens.revoke("abc")


def test_a_bot_belongs_to_one_owner_until_all_its_tokens_are_revoked(tokens: TokenFile) -> None:
    token, _ = tokens.new("alice-bot", "alice")
    with pytest.raises(TokenError, match="bot 'alice-bot' belongs to alice"):
        tokens.new("alice-bot", "mallory")
    assert tokens.owner_of("alice-bot") == "alice"
    tokens.revoke(token.id)
    with pytest.raises(TokenError, match="make one: ballcourt admin token new alice-bot --owner NAME"):
        tokens.owner_of("alice-bot")
    assert tokens.new("alice-bot", "mallory")[0].owner == "mallory"


@pytest.mark.parametrize("name", ["", "../tokens", "a b", "-x", "x" * 65, "é", "new\nline"])
def test_an_invalid_name_is_refused_and_nothing_is_written(tokens: TokenFile, name: str) -> None:
    for bot, owner in ((name, "alice"), ("alice-bot", name)):
        with pytest.raises(TokenError, match=r"(?s)cannot be called '.*'; it must be 1 to 40 letters"):
            tokens.new(bot, owner)
    assert not tokens.path.exists()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"tokens": [{"id": "a"}]}', '{"tokens": [7]}', "\udcff"])
def test_a_damaged_file_is_reported_and_left_unchanged(tokens: TokenFile, content: str) -> None:
    tokens.path.parent.mkdir()
    tokens.path.write_bytes(content.encode(errors="surrogateescape"))
    for use in (tokens.all, lambda: tokens.find("x"), lambda: tokens.new("bot", "alice"), lambda: tokens.revoke("a")):
        with pytest.raises(TokenError, match="is not a file of tokens"):
            use()
    assert tokens.path.read_bytes() == content.encode(errors="surrogateescape")


def test_concurrent_commands_lose_no_token(tokens: TokenFile) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: TokenFile(tokens.path).new(f"bot-{number}", "alice")[0], range(24)))
    assert {token.id for token in tokens.all()} == {token.id for token in made}
    assert len(json.loads(tokens.path.read_text())["tokens"]) == 24
