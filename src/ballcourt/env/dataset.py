"""Match records as a dataset: a row per decision, in Parquet files; needs `pip install ballcourt[data]`."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from ballcourt.arena.extras import importing
from ballcourt.arena.faults import short_name
from ballcourt.arena.files import in_place_of
from ballcourt.arena.records.decisions import decided_by
from ballcourt.arena.records.replay import opening, positions, verify
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.observation import observe
from ballcourt.env.errors import EnvError
from ballcourt.env.single import encoder_of
from ballcourt.env.tensors import FeatureEncoder
from ballcourt.v1.record_pb2 import MatchRecord

with importing("data"):
    import pyarrow as pa
    import pyarrow.parquet as pq

COLUMNS = {
    "match": (pa.dictionary(pa.int32(), pa.string()), "the key of the match in its tournament"),
    "decision": (pa.int32(), "the number of the decision in the match, from 0"),
    "seats": (pa.int8(), "how many seats the table has"),
    "seat": (pa.int8(), "the seat that decided"),
    "entrant": (pa.dictionary(pa.int32(), pa.string()), "name and version of the entrant in the seat"),
    "legal": (pa.list_(pa.int16()), "the legal actions, ascending"),
    "action": (pa.int16(), "the action played"),
    "decided_by": (
        pa.dictionary(pa.int32(), pa.string()),
        "bot, fallback (the bot did not choose itself), rules (a single legal action), substitute, nobody or record "
        "(of the match branched from)",
    ),
    "think_us": (pa.int64(), "the think time in microseconds; 0 if no bot was asked"),
    "score": (pa.float32(), "the points of the seat at the end"),
    "placement": (pa.int8(), "the place of the seat, from 1; rivals that no bot plays are counted"),
    "return": (pa.float32(), "opponents beaten less opponents lost to, as a share of the opponents, in [-1, 1]"),
    "termination": (pa.dictionary(pa.int32(), pa.string()), "how the match ended for the seat: OK, or why it was lost"),
}
OBSERVATION = "observation"

CARD = """\
# Decisions of {game}

{decisions} decisions of {matches}, played with rules version {rules_version} by {entrants}.

A row of `decisions.parquet` is a decision:

| column | content |
| --- | --- |
{columns}

`names.json` has the names of the actions, by number, and of the elements of an observation, in order. The vectors have
the fingerprint {fingerprint}: a policy trained on them plays where the fingerprint is the same.
"""


def write_dataset(paths: Iterable[Path], folder: Path) -> list[str]:
    """Write the decisions of record files into a new folder; return the names of its parts.

    There is a part for each game and rules version. One match is in memory at a time, and the folder appears when it is
    complete.

    Raises RecordError for a file that is not a record, cannot be executed here or does not follow from its decisions,
    EnvError if the folder exists or a game declares no features, and OSError.
    """
    if folder.exists():
        raise EnvError(f"{folder} exists; name a folder that does not")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with in_place_of(folder) as unfinished:
        unfinished.mkdir()
        parts: dict[str, _Shard] = {}
        with ExitStack() as files:
            for path in paths:
                record = read_record(path)
                game, _ = opening(record)
                if difference := verify(record).difference:
                    raise RecordError(f"{path} does not follow from its decisions: {difference}; leave it out")
                name = f"{game.name}-{game.rules_version}"
                if name not in parts:
                    parts[name] = files.enter_context(_Shard(unfinished / name, game))
                parts[name].add(record)
        return list(parts)


class _Shard:
    """The dataset of one game, written match by match."""

    def __init__(self, folder: Path, game: Game) -> None:
        self._folder, self._game = folder, game
        self._encoders: dict[int, FeatureEncoder] = {}
        first = self._encoder(game.seat_counts[0])
        vector = pa.list_(pa.float32(), len(first.names))
        self._names = first.names
        self._schema = pa.schema([(name, kind) for name, (kind, _) in COLUMNS.items()] + [(OBSERVATION, vector)])
        self._entrants: set[str] = set()
        self._matches = self._decisions = 0

    def __enter__(self) -> "_Shard":
        self._folder.mkdir()
        self._writer = pq.ParquetWriter(self._folder / "decisions.parquet", self._schema, compression="zstd")
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()
        names = {"actions": self._game.action_names, OBSERVATION: self._names}
        (self._folder / "names.json").write_text(json.dumps(names, indent=1), encoding="utf-8")
        (self._folder / "README.md").write_text(self._card(), encoding="utf-8")

    def add(self, record: MatchRecord) -> None:
        """Append the decisions of a match. Raises RecordError."""
        states = [state.clone() for state in positions(record)]
        rows = list(_rows(record, states))
        encoder = self._encoder(len(record.entrants))
        vectors = np.stack(
            [encoder.encode(observe(state, row["seat"])) for state, row in zip(states, rows, strict=False)]
        )  # the last asks no seat
        columns = {name: pa.array([row[name] for row in rows], kind) for name, (kind, _) in COLUMNS.items()}
        flat = pa.array(vectors.reshape(-1))
        columns[OBSERVATION] = pa.FixedSizeListArray.from_arrays(flat, len(self._names))
        self._writer.write_table(pa.table(columns, schema=self._schema))
        self._matches += 1
        self._decisions += len(rows)
        self._entrants |= {row["entrant"] for row in rows}

    def _encoder(self, seats: int) -> FeatureEncoder:
        if seats not in self._encoders:
            self._encoders[seats] = encoder_of(self._game, seats)
        return self._encoders[seats]

    def _card(self) -> str:
        rows = {name: content for name, (_, content) in COLUMNS.items()}
        rows[OBSERVATION] = f"what the seat could know: {len(self._names)} numbers of type float32"
        return CARD.format(
            game=self._game.title,
            decisions=self._decisions,
            matches="1 match" if self._matches == 1 else f"{self._matches} matches",
            rules_version=self._game.rules_version,
            entrants=", ".join(sorted(self._entrants)),
            columns="\n".join(f"| {name} | {content} |" for name, content in rows.items()),
            fingerprint=self._encoder(self._game.seat_counts[0]).fingerprint,
        )


def _rows(record: MatchRecord, states: list[State]) -> Iterator[dict[str, Any]]:
    """Yield the decisions of a match, without what was observed; `states` are its positions, the final one last."""
    entrants = [f"{entrant.name} {entrant.version}" for entrant in record.entrants]
    places = [*(result.placement for result in record.results), *(rival.placement for rival in record.rivals)]
    for number, (seat, state) in enumerate(zip(record.decisions.seats, states[:-1], strict=True)):
        result = record.results[seat]
        yield {
            "match": record.key,
            "decision": number,
            "seats": len(entrants),
            "seat": seat,
            "entrant": entrants[seat],
            "legal": state.legal_actions(seat),
            "action": record.decisions.actions[number],
            "decided_by": decided_by(record, number),
            "think_us": record.decisions.think_us[number],
            "score": result.score,
            "placement": result.placement,
            "return": _share(result.placement, places),
            "termination": short_name(result.termination),
        }


def _share(place: int, places: list[int]) -> float:
    """Return the share of opponents beaten less the share lost to."""
    beaten = sum(other > place for other in places)
    lost_to = sum(other < place for other in places)
    return (beaten - lost_to) / max(1, len(places) - 1)
