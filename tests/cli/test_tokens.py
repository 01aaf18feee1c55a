"""`ballcourt study tokens`: what language models took, as their bots say."""

import json
from pathlib import Path

from ballcourt.arena.records.decisions import answered
from ballcourt.arena.records.store import write_record
from tests.arena.recorded import recorded
from tests.cli.conftest import Run


def test_tokens_and_money_are_added_up_for_each_bot_that_says_what_it_took(succeeds: Run, place: Path) -> None:
    for number in range(2):
        record = recorded(f"b00000{number}-r0")
        own = answered(record, 1)
        thoughts = record.decisions.thoughts
        thoughts[own[0]] = "tokens 100 in, 10 out; match 100 in, 10 out, cost 0.0010\nI bid"
        thoughts[own[1]] = f"tokens 100 in, 20 out; match {200 + number} in, 30 out, cost 0.0025"
        thoughts[own[2]] = "I hide what this took: match 999 in, 999 out, cost 9.9999"
        write_record(place / "out" / "records", record)
    shown = succeeds("study tokens out")
    (row,) = shown.stdout.splitlines()[1:]
    assert row.split() == ["highest", "1", "2", "401", "60", "230", "77", "0.0050", "0.0025"]
    (told,) = json.loads(succeeds("study tokens out --json").stdout)
    assert (told["bot"], told["matches"], told["decisions"], told["tokens_in"]) == ("highest", 2, 6, 401)


def test_a_folder_in_which_no_bot_says_what_it_took_is_refused(run: Run, place: Path) -> None:
    write_record(place / "out" / "records", recorded())
    refused = run("study tokens out")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "no bot says in out what it took" in refused.stderr
