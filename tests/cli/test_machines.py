"""`ballcourt study machines`: which machines played the matches of a tournament."""

import json
import weakref
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record, write_record
from ballcourt.v1.record_pb2 import Host, MatchRecord
from tests.arena.recorded import recorded
from tests.cli.conftest import Refused, Run


def test_machines_are_told_apart_by_worker_and_kind(succeeds: Run, place: Path) -> None:
    for number, (worker, cpu, speed) in enumerate([("", "A", 1.0), ("lab-1", "B", 0.5), ("lab-1", "B", 0.6)]):
        record = recorded(f"b00000{number}-r0")
        record.worker = worker
        record.host.CopyFrom(
            Host(system="Linux 6.8", machine="x86_64", cpu=cpu, cpus=2, python="CPython 3.12", speed=speed)
        )
        write_record(place / "out" / "records", record)
    shown = succeeds("study machines out")
    assert [line.split()[:3] for line in shown.stdout.splitlines()[1:]] == [["-", "1", "0"], ["lab-1", "2", "0"]]
    assert "0.5 to 0.6" in shown.stdout
    assert "2 x B" in shown.stdout
    told = json.loads(succeeds("study machines out --json").stdout)
    assert [(machine["worker"], machine["matches"], machine["fastest"]) for machine in told["machines"]] == [
        ("", 1, 1.0),
        ("lab-1", 2, 0.6),
    ]
    assert told["outliers"] == []


class Watched:
    """A record that can be referred to weakly."""

    def __init__(self, record: MatchRecord) -> None:
        self._record = record

    def __getattr__(self, name: str) -> object:
        return getattr(self._record, name)


def test_records_are_not_kept_in_memory(succeeds: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        write_record(place / "out" / "records", recorded(f"b00000{number}-r0"))
    read: list[weakref.ref[Watched]] = []

    def alone(file: Path) -> Watched:
        assert sum(known() is not None for known in read) <= 1
        read.append(weakref.ref(found := Watched(read_record(file))))
        return found

    monkeypatch.setattr("ballcourt.cli.studies.machines.read_record", alone)
    succeeds("study machines out")
    assert len(read) == 5


def test_a_folder_without_records_is_refused(refused: Refused) -> None:
    assert "there are no records in nowhere; name the output folder of a tournament" in refused(
        "study machines nowhere"
    )
