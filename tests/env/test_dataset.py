"""Records as datasets."""

import json
from pathlib import Path

import numpy as np
import pytest

from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.replay import positions
from ballcourt.arena.records.store import RecordError, write_record
from ballcourt.bots.random.bot import RandomBot
from ballcourt.bots.sdk.python.session import Session
from ballcourt.engine.core import State
from ballcourt.engine.core.observation import observe
from ballcourt.env import Env, EnvError
from ballcourt.v1.record_pb2 import MatchRecord
from tests.needs import library

library("pyarrow")

import pyarrow.parquet as pq  # noqa: E402

from ballcourt.env.dataset import write_dataset  # noqa: E402


def match(game: str, seats: int, seed: int = 1) -> MatchRecord:
    bots = [Session(RandomBot()) for _ in range(seats)]
    return play_in_process(game, bots, seed=seed, key=f"{game}-{seats}-{seed}")


@pytest.mark.gate
@pytest.mark.slow
def test_every_decision_becomes_a_row_with_what_the_seat_saw(tmp_path: Path) -> None:
    records = [match("maya", 2), match("maya", 3), match("ahau", 1)]
    paths = [write_record(tmp_path, record) for record in records]
    assert write_dataset(paths, tmp_path / "set") == ["maya-1", "ahau-3"]
    part = tmp_path / "set" / "maya-1"
    table = pq.read_table(part / "decisions.parquet")
    made = [len(record.decisions.actions) for record in records[:2]]
    assert table.num_rows == sum(made)
    rows = table.slice(made[0]).to_pydict()
    record, env = records[1], Env("maya", 3)
    assert rows["action"] == list(record.decisions.actions)
    assert rows["seat"] == list(record.decisions.seats)
    assert rows["return"][:3] == pytest.approx(
        [list(positions(record))[-1].returns()[seat] for seat in rows["seat"][:3]]
    )
    for number, state in zip(range(0, made[1], 17), list(states(record))[::17], strict=False):
        seat = rows["seat"][number]
        assert rows["legal"][number] == state.legal_actions(seat)
        np.testing.assert_array_equal(rows["observation"][number], env.encoder.encode(observe(state, seat)))
    names = json.loads((part / "names.json").read_text())
    assert names["observation"] == list(env.features)
    assert names["actions"] == list(env.game.action_names)
    card = (part / "README.md").read_text()
    assert f"{sum(made)} decisions of 2 matches" in card
    assert "decisions of 1 match," in (tmp_path / "set" / "ahau-3" / "README.md").read_text()
    assert f"ended for the seat: {rows['termination'][0]}, or why" in card
    assert env.encoder.fingerprint in card
    assert str(record.seed) not in table.column_names


def states(record: MatchRecord) -> list[State]:
    return [state.clone() for state in positions(record)]


def test_a_folder_that_exists_and_a_file_that_is_no_record_are_refused_and_nothing_is_left(tmp_path: Path) -> None:
    good = write_record(tmp_path / "records", match("maya", 2))
    with pytest.raises(EnvError, match="exists; name a folder that does not"):
        write_dataset([good], tmp_path)
    wrong = tmp_path / "wrong.match"
    wrong.write_bytes(b"nonsense")
    with pytest.raises(RecordError, match=r"wrong\.match is not a match record"):
        write_dataset([good, wrong], tmp_path / "set")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["records", "wrong.match"]
