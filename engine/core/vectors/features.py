"""How a game declares the vector that stands for an observation: a name and an encoding for every column of its rows.

The declaration is data: `ballcourt.env.planning` makes it a plan, which `ballcourt.engine.core.vectors` carries out.
The vector depends on an `Observation` alone, so it cannot hold what the seat does not know, and a bot computes the same
one from what it receives over the wire.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import ClassVar, TypeAlias

from ballcourt.engine.core.bits import members as members_of

SELF = "self"

Hot: TypeAlias = tuple[tuple[int, ...], ...]
"""For each of some numbers: the indices of the features that are 1."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, divided by `limit`: one feature. 0 stands for absent rows."""

    limit: float = 1


@dataclass(frozen=True, slots=True)
class Bits:
    """A set as a bit mask below 2**63: a feature per label, the first of which belongs to bit `first`."""

    labels: tuple[str, ...]
    first: int = 0


class Lookup:
    """A number with few values, from `low` up: several features, of which some are 1.

    All are 0 for the numbers from `blank` to `low` - 1.
    """

    by_place: ClassVar[bool] = False
    """Whether the first features are one for each place, so that they depend on who observes."""

    low: int

    @property
    def blank(self) -> int:
        """The least number allowed, below 0."""
        return min(self.low, 0) - 1

    def labels(self, places: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the features, for a table whose actors are named so."""
        raise NotImplementedError

    def entries(self, observer: int, seats: int, places: int) -> Hot:
        """Return the indices of the features that are 1, for each number from `low` up, as the observer sees it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Category(Lookup):
    """A feature per name; `hot[number - low]` has the indices of those that are 1."""

    names: tuple[str, ...]
    hot: Hot
    low: int = 0

    def labels(self, places: tuple[str, ...]) -> tuple[str, ...]:
        return self.names

    def entries(self, observer: int, seats: int, places: int) -> Hot:
        return self.hot


@dataclass(frozen=True)
class Actor(Lookup):
    """An actor, seen from the observer: a feature per place, of which one is 1; none for a negative number.

    Automata are numbered on after the seats.
    """

    by_place = True

    low: int = 0

    def labels(self, places: tuple[str, ...]) -> tuple[str, ...]:
        return places

    def entries(self, observer: int, seats: int, places: int) -> Hot:
        return (*(((actor - observer) % seats,) for actor in range(seats)), (places - 1,))


@dataclass(frozen=True)
class Actors(Lookup):
    """A set of actors as a bit mask: a feature per place."""

    by_place = True

    low: int = 1

    def labels(self, places: tuple[str, ...]) -> tuple[str, ...]:
        return places

    def entries(self, observer: int, seats: int, places: int) -> Hot:
        place_of = Actor().entries(observer, seats, places)
        sets = range(self.low, 1 << len(place_of))
        return tuple(tuple(place for (place,) in map(place_of.__getitem__, members_of(mask))) for mask in sets)


@dataclass(frozen=True)
class Held(Lookup):
    """What lies on a space: first what no seat owns, then pieces of several kinds of each seat in turn, then the rest.

    The features are the places, then `names`. The other fields list the indices in `names` for each value: `before`
    for those from `low` up, `kinds` for the kinds of a seat's pieces, `after` for those after the last seat's.
    """

    by_place = True

    seats: int
    """The most seats of the game, which the numbering allows for."""
    names: tuple[str, ...]
    before: Hot
    kinds: Hot
    after: Hot
    low: int = 0

    def labels(self, places: tuple[str, ...]) -> tuple[str, ...]:
        return (*places, *self.names)

    def entries(self, observer: int, seats: int, places: int) -> Hot:
        owned = [
            ((owner - observer) % seats, *(places + index for index in kind))
            for owner in range(self.seats)
            for kind in self.kinds
        ]
        before, after = ([tuple(places + index for index in hot) for hot in part] for part in (self.before, self.after))
        return (*before, *owned, *after)


Encoding = Number | Bits | Lookup

LAYOUT = 2
"""Counts how often the order of the elements has changed (`ballcourt.env.planning`)."""


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Adjacent columns of a row with the same meaning; `places` distinguishes them, and is empty for a single one."""

    name: str
    column: int
    encoding: Encoding
    places: tuple[str, ...] = ()

    def columns(self) -> Iterator[tuple[str, int]]:
        """Yield the name and the column of each."""
        if not self.places:
            yield self.name, self.column
        for offset, place in enumerate(self.places):
            yield f"{self.name}[{place}]", self.column + offset


@dataclass(frozen=True, slots=True)
class Members:
    """The numbers of a row beyond its columns: a feature per label, which counts how often it occurs.

    `label_of[number]` is the index of the number's label, -1 for a number that does not count.
    """

    name: str
    labels: tuple[str, ...]
    label_of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an observation: how many columns it has, what they mean, and what the numbers after them are."""

    name: str
    width: int = 0
    blocks: tuple[ColumnGroup, ...] = ()
    rest: Members | None = None
    replaced: bool = False
    """Whether the position has another list whenever the row changes, so that it need not be compared."""


@dataclass(frozen=True, slots=True)
class Detail:
    """A number that makes questions precise: where it stands in the frame of each kind that has it."""

    name: str
    encoding: Encoding
    at: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class QuestionFeatures:
    """The question on top of the stack, and which questions and steps wait below it."""

    kinds: Mapping[int, str]
    """All kinds of frames, with their names."""
    asked: Mapping[int, int]
    """Where the frames of each kind have the seat that is asked, or that the step is about."""
    details: tuple[Detail, ...] = ()


@dataclass(frozen=True)
class Features:
    """The vector of a game.

    `public`, `actors` and `private` describe rows in the order of the observation: those of the table, then for each
    description in `actors` one row per actor, then those only the seat knows. The actors are the seats, the observer
    first and the others in turn order after it, and any `automata`; `count_row` is the row with an entry for each
    actor, needed if there may be automata.
    """

    game: str
    seats: int
    """The most seats of the game; the vector of a smaller table has zeros for the others."""
    public: tuple[Row, ...]
    actors: tuple[Row, ...]
    private: tuple[Row, ...]
    question: QuestionFeatures
    automata: tuple[str, ...] = ()
    count_row: int | None = None
    columns: list[tuple[str, int, Encoding]] = field(init=False, repr=False)
    """Name, number and encoding of the columns of all rows, the observer first; one number is left out where a row has
    a column without a meaning."""
    numbered: "Numbered" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        builder = _Builder(self)
        object.__setattr__(self, "columns", builder.columns)
        object.__setattr__(self, "numbered", builder.numbered())

    @property
    def places(self) -> tuple[str, ...]:
        """The labels of the actors: "self", "next1" and so on, then the automata."""
        return (SELF, *(f"next{turn}" for turn in range(1, self.seats)), *self.automata)

    def rows(self, count: int) -> list[Row]:
        """Return what the `count` public rows of a position are, without those of frames."""
        actors = (count - len(self.public)) // max(1, len(self.actors))
        return [*self.public, *(row for row in self.actors for _ in range(actors))]

    def fingerprint(self, dtype: str = "") -> str:
        """Return 16 hexadecimal digits that change whenever the meaning of the vector does; float32 has no name."""
        meaning = repr([LAYOUT, self.columns, self.question]) + dtype
        return blake2b(meaning.encode(), digest_size=8).hexdigest()


def one_of(labels: Iterable[str], low: int = 0) -> Category:
    """Return the encoding of a number that is `low` for the first label, `low` + 1 for the second, and so on."""
    names = tuple(labels)
    return Category(names, tuple((index,) for index in range(len(names))), low)


def members(name: str, labels: Iterable[str], first: int = 0) -> Members:
    """Return the meaning of a list whose numbers start with `first` for the first label."""
    names = tuple(labels)
    return Members(name, names, (*(-1 for _ in range(first)), *range(len(names))))


@dataclass(frozen=True, slots=True)
class Strip:
    """The columns of a row, one strip of `size` for each place: those of its blocks, then one for each label."""

    row: Row
    first: int
    """The number of the first column."""
    size: int


@dataclass(frozen=True, slots=True)
class Numbered:
    """The rows of an observation with the numbers of their columns."""

    public: list[Strip]
    presence: Strip
    """For each place, whether it has an actor."""
    actors: list[Strip]
    private: list[Strip]
    question: Strip
    waiting: Strip


class _Builder:
    """Numbers the columns of an observation."""

    def __init__(self, features: Features) -> None:
        self.features = features
        self.columns: list[tuple[str, int, Encoding]] = []
        self.width = 0

    def numbered(self) -> Numbered:
        features = self.features
        names = [f"players[{place}]" for place in features.places]
        return Numbered(
            public=[self._strip(row, [row.name]) for row in features.public],
            presence=self._strip(Row("", 1, (ColumnGroup("present", 0, Number()),)), names),
            actors=[self._strip(row, names) for row in features.actors],
            private=[self._strip(row, [f"{SELF}.{row.name}"]) for row in features.private],
            question=self._strip(_top(features.question), ["question"]),
            waiting=self._strip(_below(features.question), ["waiting"]),
        )

    def _strip(self, row: Row, prefixes: list[str]) -> Strip:
        """Number the columns of a row, or of one for each place, whose names begin with the prefixes."""
        rest = row.rest
        strip = Strip(row, self.width, row.width + (len(rest.labels) if rest else 0))
        for prefix in prefixes:
            for block in row.blocks:
                for name, column in block.columns():
                    self._column(_joined(prefix, name), self.width + column, block.encoding)
            for index, label in enumerate(rest.labels if rest else ()):
                name = _joined(prefix, f"{rest.name}[{label}]" if rest else "")
                self._column(name, self.width + row.width + index, Number())
            self.width += strip.size
        return strip

    def _column(self, name: str, column: int, encoding: Encoding) -> None:
        self.columns.append((name, column, encoding))


def _top(question: QuestionFeatures) -> Row:
    """Return the row for the question asked: its kind, its seat and its details."""
    kinds = question.kinds
    hot = tuple((list(kinds).index(kind),) if kind in kinds else () for kind in range(max(kinds) + 1))
    blocks = [ColumnGroup("kind", 0, Category(tuple(kinds.values()), hot)), ColumnGroup("seat", 1, Actor())]
    blocks += [ColumnGroup(detail.name, 2 + at, detail.encoding) for at, detail in enumerate(question.details)]
    return Row("question", len(blocks), tuple(blocks))


def _below(question: QuestionFeatures) -> Row:
    """Return the row for the kinds of the frames below."""
    kinds = list(question.kinds)
    label_of = tuple(kinds.index(kind) if kind in kinds else -1 for kind in range(max(kinds) + 1))
    return Row("waiting", rest=Members("", tuple(question.kinds.values()), label_of))


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if name and not name.startswith("[") else f"{prefix}{name}"
