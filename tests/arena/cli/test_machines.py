"""`ballcourt machines`: which machines played the matches of a tournament."""

import json
from pathlib import Path

from ballcourt.arena.records.store import write_record
from ballcourt.v1.record_pb2 import Host
from tests.arena.cli.conftest import Run
from tests.arena.recorded import recorded


def test_machines_are_told_apart_by_worker_and_kind(run: Run, place: Path) -> None:
    for number, (worker, cpu, speed) in enumerate([("", "A", 1.0), ("lab-1", "B", 0.5), ("lab-1", "B", 0.6)]):
        record = recorded(f"b00000{number}-r0")
        record.worker = worker
        record.host.CopyFrom(
            Host(system="Linux 6.8", machine="x86_64", cpu=cpu, cpus=2, python="CPython 3.12", speed=speed)
        )
        write_record(place / "out" / "records", record)
    shown = run("machines", "out")
    assert shown.exit_code == 0
    assert [line.split()[:3] for line in shown.stdout.splitlines()[1:]] == [["-", "1", "0"], ["lab-1", "2", "0"]]
    assert "0.5 to 0.6" in shown.stdout
    assert "2 x B" in shown.stdout
    told = json.loads(run("machines", "out", "--json").stdout)
    assert [(machine["worker"], machine["matches"], machine["fastest"]) for machine in told["machines"]] == [
        ("", 1, 1.0),
        ("lab-1", 2, 0.6),
    ]
    assert told["outliers"] == []


def test_a_folder_without_records_is_refused(run: Run) -> None:
    shown = run("machines", "nowhere")
    assert shown.exit_code == 2
    assert "there are no records in nowhere; name the output folder of a tournament" in shown.stderr
