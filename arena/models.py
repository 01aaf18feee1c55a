"""Typed data that people and other programs write: the base of its models, and the sentence about a wrong value.

The words of a sentence are derived from the type of the field:

    class Cup(Model):
        rounds: Annotated[int, Field(ge=1, le=1_000_000)] = 1

    Cup.read({"rounds": 0}, "cup.toml")
    ModelError: cup.toml: rounds is 0; it must be a whole number from 1 to 1000000

A validator raises ValueError with the end of the sentence: "it must be ...".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Self, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Strict, ValidationError
from pydantic.fields import FieldInfo

from ballcourt.engine.core import WrongInput, did_you_mean

Location = Sequence[str | int]
Value = TypeVar("Value")

LAX: Final = Strict(strict=False)
"""Marks what TOML and JSON write as another type: a tuple as a list, a path or an enumeration as a string."""


class ModelError(WrongInput):
    """A value does not fit its model; the sentence names key, value and what is allowed."""


class Model(BaseModel):
    """Frozen, typed data without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def read(cls, values: object, source: str, error: type[WrongInput] = ModelError, **context: object) -> Self:
        """Validate values; messages name `source`, and validators get `context`. Raises `error`."""
        try:
            return cls.model_validate(values, context=context)
        except ValidationError as wrong:
            raise error(sentence(wrong, cls, source)) from wrong

    def given(self) -> dict[str, Any]:
        """Return the fields that were set, with their values."""
        return {name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set}


@dataclass(frozen=True, slots=True)
class Must:
    """The words for what a value must be, where its type says too little: "a time, such as '12 h'"."""

    words: str


def sentence(error: ValidationError, model: type[BaseModel], source: str) -> str:
    """Return one sentence about the first thing that is wrong; an unknown key explains others, so it comes first."""
    first, *_ = sorted(error.errors(include_url=False), key=lambda wrong: wrong["type"] != "extra_forbidden")
    where, value, kind = first["loc"], first["input"], first["type"]
    *outer, key = where or ("",)
    if kind == "extra_forbidden":
        known = [*_fields(_at(model, outer))]
        return (
            f"{_place(source, outer)} has the unknown key '{key}'; known keys: {', '.join(known)}"
            f"{did_you_mean(str(key), known)}"
        )
    if kind == "missing":
        return f"{_place(source, outer)} lacks '{key}'; give {words_of(_at(model, where), str(key))}"
    if kind == "value_error" and isinstance(value, Mapping):
        return f"{_place(source, where)}: {first['ctx']['error']}"
    place = _place(source, where if isinstance(key, str) else outer)
    if kind == "value_error":
        return f"{place} is {value!r}; {first['ctx']['error']}"
    table = next((str(step) for step in reversed(where) if isinstance(step, str)), "")
    words = words_of(_at(model, where), table) or first["msg"].removeprefix("Input should be ")
    return f"{place} is {value!r}; it must be {words}"


def words_of(annotation: object, name: str = "") -> str:
    """Return what a value of a type must be, such as "a whole number from 1 to 64"; empty if there are no words for it.

    `name` is the key of a table.
    """
    kind, notes = _plain(annotation)
    for note in notes:
        if isinstance(note, Must):
            return note.words
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _one_of([*kind])
    if get_origin(kind) is Literal:
        return _one_of(get_args(kind))
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return f"tables, [[{name}]] each" if _fields(inner) else f"a list of {_plural(inner)}"
    if get_origin(kind) is dict or _fields(kind):
        return f"a table, [{name}]"
    named = {bool: "true or false", str: "a string", int: "a whole number", float: "a number"}
    words = named.get(kind, "") if isinstance(kind, type) else ""
    if kind is str and any(getattr(note, "min_length", 0) for note in notes):
        words = "a non-empty string without NUL characters"
    return words + _range(notes)


def listed(value: object) -> object:
    """Return a value that is not a list as the only one of a list."""
    return value if isinstance(value, list | tuple) else [value]


def distinct(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return a list. Raises ValueError unless it has entries, and each of them once."""
    if not values or len({*values}) < len(values):
        raise ValueError("a list must have entries, and each of them once")
    return values


OneOrSeveral = Annotated[tuple[Value, ...], LAX, BeforeValidator(listed), AfterValidator(distinct)]
"""A value, or a list of different ones."""


def _one_of(values: Sequence[object]) -> str:
    return " or ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)


def _plural(annotation: object) -> str:
    kind, notes = _plain(annotation)
    words = {str: "strings", int: "whole numbers", float: "numbers"}.get(kind, "") if isinstance(kind, type) else ""
    return (words + _range(notes)) or "entries"


def _range(notes: Sequence[object]) -> str:
    low, high = (
        next((bound for note in notes if (bound := getattr(note, name, None)) is not None), None)
        for name in ("ge", "le")
    )
    if low is None:
        return ""
    return f" of at least {low}" if high is None else f" from {low} to {high}"


def _plain(annotation: object) -> tuple[object, Sequence[object]]:
    """Return a type without its notes and without None, and the notes."""
    if isinstance(annotation, FieldInfo):
        kind, notes = _plain(annotation.annotation)
        return kind, [*annotation.metadata, *notes]
    if get_origin(annotation) is Annotated:
        inner, *outer = get_args(annotation)
        kind, notes = _plain(inner)
        noted = [each for note in outer for each in (note.metadata if isinstance(note, FieldInfo) else [note])]
        return kind, [*noted, *notes]
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        return _plain(kinds[0]) if len(kinds) == 1 else (annotation, ())
    return annotation, ()


def _fields(annotation: object) -> Mapping[str, FieldInfo]:
    """Return the fields of a model, by their keys; none of any other type."""
    kind, _ = _plain(annotation)
    if not isinstance(kind, type) or not issubclass(kind, BaseModel):
        return {}
    return {field.alias or name: field for name, field in kind.model_fields.items()}


def _at(annotation: object, where: Location) -> object:
    """Return the type at a place in a type; None where it is not known."""
    for step in where:
        kind, _ = _plain(annotation)
        if named := _fields(kind):
            annotation = named.get(str(step))
        else:
            annotation = next(iter(reversed([one for one in get_args(kind) if one is not ...])), None)
    return annotation


def _place(source: str, where: Location) -> str:
    """Return a place such as "cup.toml: bot 2: clock.bank_ms"."""
    place = ""
    for step in where:
        if isinstance(step, int):
            place += f" {step + 1}"
        else:
            place += f"{': ' if place[-1:].isdigit() else '.' if place else ''}{step}"
    return f"{source}: {place}" if place else source
