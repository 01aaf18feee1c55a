"""The folder that a bot's author gets after a fault: complete, readable, and without secrets of others."""

from pathlib import Path

import pytest

from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.bundle import read_bundle, write_bundles
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import Entrant, MatchRecord, SeatFault
from tests.arena.conftest import LOWEST, fixture_bot
from tests.arena.matches import match_of
from tests.bluff.installed import bluff_installed

SEED = 0x1122334455667788
WAYS = ("crashes", "illegal", "exits on start")


@pytest.fixture(scope="module")
def records() -> dict[str, MatchRecord]:
    with bluff_installed():
        specs = [
            match_of(way.replace(" ", "-"), "bluff", {}, SEED, (LOWEST, fixture_bot("misbehaving.py", way)), Clock())
            for way in WAYS
        ]
        with Runner(workers=1, matches_per_worker=len(specs)) as runner:
            return {record.key: record for record in runner.run(specs)}


def written(tmp_path: Path, record: MatchRecord) -> Path:
    (folder,) = write_bundles(tmp_path / "faults", record)
    return folder


@pytest.mark.slow
def test_a_bundle_explains_what_happened_and_how_to_reproduce_it(
    tmp_path: Path, records: dict[str, MatchRecord]
) -> None:
    folder = written(tmp_path, records["crashes"])
    assert folder.name == "crashes-seat1-crashes"
    text = (folder / "README.txt").read_text()
    for line in (
        "crashes 1 lost its seat in match crashes",
        "what            crash",
        "when            decision 0 of the match",
        "where           bluff, rules 1, seat 1 of 2",
        "process         exit code 4",
        "out of memory   no",
        "| Segmentation fault, or so",
        "    ballcourt debug . /path/of/your/bot",
    ):
        assert line in text.splitlines()
    assert (folder / "stderr.txt").read_text() == "Segmentation fault, or so\n"


@pytest.mark.slow
def test_a_bundle_distinguishes_a_bot_that_was_running_from_one_that_exited(
    tmp_path: Path, records: dict[str, MatchRecord]
) -> None:
    text = (written(tmp_path, records["illegal"]) / "README.txt").read_text()
    assert "process         it was running when it lost its seat" in text.splitlines()


def test_the_exchanges_are_shown_with_names_and_observations(tmp_path: Path, records: dict[str, MatchRecord]) -> None:
    text = (written(tmp_path, records["illegal"]) / "exchanges.txt").read_text()
    assert text.startswith("arena > MatchStart\n")
    assert "arena > Decide 1: 10000 ms for this decision, 60000 ms in the bank\n" in text
    assert "          legal: 1 BID_1, 2 BID_2, 3 BID_3\n" in text
    assert "  bot > Action to decision 1: 77 (no action of bluff)\n" in text


def test_the_bundle_of_a_bot_that_was_never_asked_recommends_check_bot(
    tmp_path: Path, records: dict[str, MatchRecord]
) -> None:
    folder = written(tmp_path, records["exits-on-start"])
    assert "    ballcourt check bot /path/of/your/bot --game bluff\n" in (folder / "README.txt").read_text()
    assert (folder / "exchanges.txt").read_text() == ""


def test_no_file_of_a_bundle_holds_the_match_seed(tmp_path: Path, records: dict[str, MatchRecord]) -> None:
    for record in records.values():
        for file in written(tmp_path, record).iterdir():
            data = file.read_bytes()
            assert str(SEED).encode() not in data
            assert SEED.to_bytes(8, "little") not in data
            assert b"honest" not in data, "the other bot is not the author's business"


def test_a_bundle_is_read_back(tmp_path: Path, records: dict[str, MatchRecord]) -> None:
    record = records["illegal"]
    assert read_bundle(written(tmp_path, record)) == record.faults[0]


def test_a_file_that_is_not_a_bundle_is_refused_in_one_sentence(
    tmp_path: Path, records: dict[str, MatchRecord]
) -> None:
    with pytest.raises(RecordError, match=r"is not a fault bundle: cannot read .*fault\.binpb: No such file"):
        read_bundle(tmp_path)
    folder = written(tmp_path, records["illegal"])
    file = folder / "fault.binpb"
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(RecordError, match=r"fault\.binpb is damaged"):
        read_bundle(folder)


def made(*faults: SeatFault) -> MatchRecord:
    names = ("../up", "b")
    entrants = [Entrant(name=name, version="1") for name in names]
    results = [SeatResult(termination=Termination.TERMINATION_OK)] * 2
    return MatchRecord(key="k", game="bluff", entrants=entrants, results=results, faults=faults)


def test_replaying_a_match_replaces_its_bundles(tmp_path: Path) -> None:
    write_bundles(tmp_path, made(SeatFault(seat=0, detail="first"), SeatFault(seat=1)))
    (path,) = write_bundles(tmp_path, made(SeatFault(seat=0, detail="second")))
    assert [folder.name for folder in tmp_path.iterdir()] == [path.name] == ["k-seat0-.._up"]
    assert "why             second\n" in (path / "README.txt").read_text()


def test_a_hostile_key_cannot_escape_the_folder(tmp_path: Path) -> None:
    record = made(SeatFault(seat=1))
    record.key = "../../up"
    (path,) = write_bundles(tmp_path / "in", record)
    assert path == tmp_path / "in" / ".._.._up-seat1-b"
    assert path.is_dir()


def test_the_output_of_a_bot_cannot_control_a_terminal(tmp_path: Path) -> None:
    (path,) = write_bundles(tmp_path, made(SeatFault(seat=1, stderr_tail="\x1b[2J", detail="left: \x1b[31m")))
    assert "\x1b" not in (path / "README.txt").read_text()


def test_without_faults_no_folder_is_created(tmp_path: Path) -> None:
    assert write_bundles(tmp_path / "faults", made()) == []
    assert not (tmp_path / "faults").exists()


def test_messages_of_a_missing_game_are_omitted_with_an_explanation(tmp_path: Path) -> None:
    record = made(SeatFault(seat=0))
    record.game = "go"
    (path,) = write_bundles(tmp_path, record)
    assert "the messages cannot be shown: there is no game 'go'" in (path / "exchanges.txt").read_text()
