"""What all observers saw of a match, stored next to its record and shown when its rules are no longer installed.

The file `KEY.views` next to `KEY.match` is JSON, compressed with xz. It has scenes and words, which only the rules can
make, and names the checksum of its record; names, times, thoughts and results are read from the record. So it holds
what the record holds, and is for those who may see all secrets.
"""

from pathlib import Path
from typing import Any, Final, Literal, TypedDict

from ballcourt.arena.records.replay import opening
from ballcourt.arena.records.store import RecordError, checksum
from ballcourt.arena.replays.beside import read_beside, write_beside
from ballcourt.arena.replays.document import (
    Document,
    Setting,
    document,
    document_of,
    observers,
    setting_of,
)
from ballcourt.arena.replays.judgement import judged, judgement_beside
from ballcourt.arena.replays.operations import Operation, scene_after
from ballcourt.arena.replays.view import Seen, View, executed, scene_at
from ballcourt.engine.core.messages.schema import objection
from ballcourt.engine.core.view.scene import Choice, Observer, Scene, Scenery
from ballcourt.v1.record_pb2 import MatchRecord

FORMAT: Final = "ballcourt-views-1"
SUFFIX: Final = ".views"


class KeptStep(TypedDict):
    """A decision as an observer saw it, and what it changed. `action` is 0 if it was secret."""

    action: int
    label: str
    places: list[str]
    ops: list[list[Any]]


class KeptView(TypedDict):
    """A match as one observer saw it."""

    setting: Setting
    steps: list[KeptStep]


class KeptViews(TypedDict):
    """A match as all its observers saw it, in the order of `observers`. `record` is the checksum of its record."""

    format: Literal["ballcourt-views-1"]
    record: str
    views: list[KeptView]


class Replay:
    """A recorded match, shown as its rules say, or as it was kept where they are not installed."""

    def __init__(self, record: MatchRecord, file: Path | None = None) -> None:
        """`file` is that of the record. Raises RecordError if the match can be shown in neither way."""
        self.record = record
        self._views: KeptViews | None = None
        self.why_kept = ""
        """Why the record cannot be executed here; empty if it can."""
        self.judgement = judgement_beside(file, record) if file else None
        try:
            opening(record)
        except RecordError as error:
            self._views = kept_views(file, record) if file else None
            if self._views is None:
                raise
            self.why_kept = str(error)

    def document(self, observer: Observer = None) -> Document:
        """Return the match as an observer saw it. Raises RecordError."""
        if self._views is None:
            made = document(self.record, observer)
        else:
            view = self._of(observer)
            made = document_of(self.record, observer, view["setting"], map(_seen, view["steps"]))
        return judged(made, self.judgement) if self.judgement else made

    def documents(self) -> list[Document]:
        """Return the match as every observer saw it. Raises RecordError."""
        return [self.document(observer) for observer in observers(self.record)]

    def scene(self, number: int, observer: Observer = None) -> Scene:
        """Return the scene before decision `number`, or the final one. Raises RecordError."""
        if self._views is None:
            return scene_at(self.record, number, observer)
        steps = self._of(observer)["steps"]
        if not 0 <= number <= len(steps):
            raise RecordError(f"match {self.record.key} has positions 0 to {len(steps)}; {number} is not one of them")
        return _scene(self._of(observer), number)

    def scenery(self) -> Scenery:
        """Return what never changes in the match."""
        if self._views is None:
            game, state = opening(self.record)
            return game.scenery(state)
        return self._views["views"][0]["setting"]["scenery"]

    def words(self, observer: Observer = None) -> list[str] | None:
        """Return the decisions in words if they are kept; None if the rules name them."""
        return [step["label"] for step in self._of(observer)["steps"]] if self._views else None

    def _of(self, observer: Observer) -> KeptView:
        assert self._views
        return self._views["views"][observers(self.record).index(observer)]


def keep(record: MatchRecord, file: Path) -> None:
    """Store what all observers saw of a match, in a file next to its record.

    Raises OSError, and RecordError if the record cannot be executed here.
    """
    game, state = opening(record)
    views: list[KeptView] = []
    for observer in observers(record):
        view = View(game, state, observer)
        setting = setting_of(view, state)
        views.append({"setting": setting, "steps": [_kept(*one) for one in executed(record, view)]})
    made: KeptViews = {"format": FORMAT, "record": checksum(record), "views": views}
    write_beside(file, SUFFIX, made)


def kept_views(file: Path, record: MatchRecord) -> KeptViews | None:
    """Return what was stored next to a record file, or None.

    Raises RecordError if it is damaged, or that of another record.
    """
    found: KeptViews | None = read_beside(file, SUFFIX, KeptViews, record)
    if found:
        _check(file.with_suffix(SUFFIX), found, record)
    return found


def _check(path: Path, views: KeptViews, record: MatchRecord) -> None:
    """Raise RecordError if views cannot be those of a record, or their last scenes cannot be reached."""
    if len(views["views"]) != len(observers(record)):
        raise RecordError(f"{path} has {len(views['views'])} views; the match has {len(observers(record))}")
    for view in views["views"]:
        if len(view["steps"]) != len(record.decisions.seats):
            raise RecordError(f"{path} is damaged: a view has {len(view['steps'])} decisions")
        if wrong := objection(_scene(view, len(view["steps"])), Scene):
            raise RecordError(f"{path} is damaged: {wrong}")


def _scene(view: KeptView, number: int) -> Scene:
    """Return the scene before a decision. Raises RecordError if a step changes what is not there."""
    try:
        return scene_after(view["setting"]["first"], view["steps"][:number])
    except (LookupError, TypeError, ValueError) as error:
        raise RecordError(f"the kept views change what is not there: {error!r}") from error


def _kept(choice: Choice, ops: list[Operation]) -> KeptStep:
    return {**choice, "ops": ops}


def _seen(step: KeptStep) -> Seen:
    return {"action": step["action"], "label": step["label"], "places": step["places"]}, step["ops"]
