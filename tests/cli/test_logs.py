"""What bots print in each match, which `logs = true` keeps for their authors."""

from pathlib import Path

import pytest

from ballcourt.arena.records.bundle import logs_of, take_logs
from ballcourt.arena.records.store import read_record
from tests.arena.recorded import recorded
from tests.cli.conftest import Run

NOISY = """
import sys
from ballcourt import Bot, run

class Noisy(Bot):
    def match_started(self):
        print("match", self.match.match_id, flush=True)

    def choose(self, decision):
        print("\\x1b[31mred", file=sys.stderr)
        if sys.argv[-1] == "crash":
            raise ValueError("no idea")
        return decision.legal[0]

run(Noisy)
"""


def noisy(folder: Path, *arguments: str) -> None:
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f'name = "{folder.name}"\nversion = "1"\ncommand = {["{python}", "bot.py", *arguments]}\n'
    )
    (folder / "bot.py").write_text(NOISY)


@pytest.mark.slow
def test_the_log_of_a_bot_has_what_it_printed_in_one_match_and_records_have_none(
    processes: None, succeeds: Run, place: Path
) -> None:
    noisy(place / "noisy")
    noisy(place / "crash", "crash")
    played = succeeds(
        *("tournament", "--game", "bluff", "--seats", "2", "--bot", "./noisy", "--bot", "./crash"),
        *("--rounds", "1", "--seed", "5", "--workers", "1", "--output", "out", "--set", "logs=true"),
    )
    assert "what each bot printed in each match is in out/logs" in played.stderr
    for bot in ("noisy", "crash"):
        files = sorted((place / "out" / "logs" / f"{bot}@1").iterdir())
        assert len(files) == 2
        for file in files:
            record = read_record(place / "out" / "records" / f"{file.stem.rpartition('-')[0]}.match")
            assert record.entrants[int(file.stem[-1])].name == bot
            assert not record.logs
            text = file.read_text()
            assert text.count("match ") == 1, "the log of one match"
            assert "\\x1b[31mred" in text
            assert ("ValueError: no idea" in text) == (bot == "crash")


def test_versions_of_a_bot_have_folders_of_their_own(tmp_path: Path) -> None:
    for version in ("1", "1/2", "1_2"):
        record = recorded(version)
        record.entrants[0].version = version
        record.logs.extend([version, "", ""])
        take_logs(tmp_path, record)
    kept = {file.read_text() for file in logs_of(tmp_path, "lowest")}
    assert kept == {"1\n", "1/2\n", "1_2\n"}
    assert len({file.parent for file in logs_of(tmp_path, "lowest")}) == 3
    assert not logs_of(tmp_path, "low")


@pytest.mark.slow
def test_play_keeps_the_logs_of_one_match_if_asked_to(processes: None, succeeds: Run, place: Path) -> None:
    noisy(place / "noisy")
    kept = succeeds("play bluff ./noisy ./low --record-dir kept --set logs=true")
    (log,) = (place / "kept" / "logs").glob("*/*")  # the other bot prints nothing
    assert log.read_text().startswith("match ")
    assert "kept/logs" in kept.stderr
