"""Typed data that people and other programs write: the base of its models, and the sentence about a wrong value.

The words of a sentence are derived from the type of the field:

    class Cup(Model):
        rounds: Annotated[int, Field(ge=1, le=1_000_000)] = 1

    Cup.read({"rounds": 0}, "cup.toml")
    ModelError: cup.toml: rounds is 0; it must be a whole number from 1 to 1000000

A validator raises ValueError with the end of the sentence: "it must be ...".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Self, TypeVar, Union, cast, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    SerializerFunctionWrapHandler,
    Strict,
    Tag,
    TypeAdapter,
    ValidationError,
    WrapSerializer,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, SchemaValidator

from ballcourt.arena.files import MOST_PARTS, bounded
from ballcourt.engine.core import WrongInput, did_you_mean

Location = Sequence[str | int]
Value = TypeVar("Value")

LAX: Final = Strict(strict=False)
"""Marks what TOML and JSON write as another type: a tuple as a list, a path or an enumeration as a string."""


class ModelError(WrongInput):
    """A value does not fit its model; the sentence names key, value and what is allowed."""


class Model(BaseModel):
    """Frozen, typed data without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True, defer_build=True)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        return cast("CoreSchema", _stopping(handler(source)))

    @classmethod
    def read(cls, values: object, source: str, error: type[WrongInput] = ModelError, **context: object) -> Self:
        """Validate values; messages name `source`, and validators get `context`. Raises `error`."""
        try:
            return cls.model_validate(values, context=context)
        except ValidationError as wrong:
            raise error(sentence(wrong, cls, source)) from wrong

    @classmethod
    def read_json(cls, text: bytes) -> Self:
        """Validate a JSON document of others. Raises ValueError, also if it is too large."""
        return cls.model_validate_json(bounded(text, parts=MOST_PARTS))

    def given(self) -> dict[str, Any]:
        """Return the values that differ from their defaults."""
        fields = type(self).model_fields
        return {name: value for name, value in self if value != fields[name].get_default(call_default_factory=True)}

    def to_table(self) -> dict[str, Any]:
        """Return the values that differ from their defaults as TOML and JSON write them."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def replaced(self, **changes: object) -> Self:
        """Return a copy with other values. Raises ValidationError."""
        return type(self)(**{**self.given(), **changes})

    def overridden_by(self, other: Self) -> Self:
        """Return a copy in which every value that is given in `other` is the other's; tables are merged."""
        return self.model_copy(
            update={name: _merged(getattr(self, name), value) for name, value in other.given().items()}
        )


@dataclass(frozen=True, slots=True)
class Must:
    """The words for what a value must be, where its type says too little: "a time, such as '12 h'"."""

    words: str


def from_json(kind: TypeAdapter[Value], text: bytes, parts: int = MOST_PARTS) -> Value:
    """Return a JSON document of others as a type; true is not a number there.

    Raises ValueError, also if it is not `bounded` by `parts` commas, colons and brackets.
    """
    return cast("Value", _hasty(kind).validate_json(bounded(text, parts=parts), strict=True))


@cache
def _hasty(kind: TypeAdapter[Value]) -> SchemaValidator:
    """Return what validates like this, and stops as `_stopping` says in dataclasses too."""
    return SchemaValidator(_stopping(kind.core_schema))


def _stopping(schema: Any) -> Any:  # noqa: ANN401  # dictionaries and lists
    """Return a schema that stops at the first wrong value of a list or a table: each error takes 500 bytes."""
    if isinstance(schema, Mapping):  # of a class that was not used before, it is not a dict
        stops = {"fail_fast": True} if schema.get("type") in ("list", "tuple", "dict") else {}
        return {key: _stopping(value) for key, value in schema.items()} | stops
    return [*map(_stopping, schema)] if isinstance(schema, list) else schema


def sentence(error: ValidationError, model: type[BaseModel], source: str) -> str:
    """Return one sentence about the first thing that is wrong; an unknown key explains others, so it comes first."""
    first, *_ = sorted(error.errors(include_url=False), key=lambda wrong: wrong["type"] != "extra_forbidden")
    (where, annotation), value, kind = _found(model, first["loc"]), first["input"], first["type"]
    *outer, key = where or ("",)
    if kind == "extra_forbidden":
        known = [*_fields(_found(model, first["loc"][:-1])[1])]
        return (
            f"{_place(source, outer)} has the unknown key '{key}'; known keys: {', '.join(known)}"
            f"{did_you_mean(str(key), known)}"
        )
    if kind == "missing":
        return f"{_place(source, outer)} lacks '{key}'; give {words_of(annotation, str(key))}"
    if kind == "value_error" and isinstance(value, Mapping):
        return f"{_place(source, where)}: {first['ctx']['error']}"
    place = _place(source, where if isinstance(key, str) else outer)
    if kind == "value_error":
        return f"{place} is {_shown(value)}; {first['ctx']['error']}"
    if isinstance(key, int) and _fields(annotation):
        _, annotation = _found(model, first["loc"][:-1])
    table = next((str(step) for step in reversed(where) if isinstance(step, str)), "")
    words = words_of(annotation, table) or first["msg"].removeprefix("Input should be ")
    return f"{place} is {_shown(value)}; it must be {words}"


def _shown(value: object) -> str:
    """Return a value as a file writes it: TOML has dates and times without quotes."""
    return str(value) if isinstance(value, date | time) else repr(value)  # a datetime is a date


def words_of(annotation: object, name: str = "") -> str:
    """Return what a value of a type must be, such as "a whole number from 1 to 64"; empty if there are no words for it.

    `name` is the key of a table.
    """
    kind, notes = _plain(annotation)
    if own := [note.words for note in notes if isinstance(note, Must)]:
        return own[-1]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _one_of([*kind])
    if get_origin(kind) is Literal:
        return _one_of(get_args(kind))
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        if any(isinstance(note, BeforeValidator) and note.func is listed for note in notes):
            return f"{words_of(inner)}, or a list of them"
        return f"tables, [[{name}]] each" if _fields(inner) else f"a list of {_plural(inner)}"
    if get_origin(kind) is dict or _fields(kind):
        return f"a table, [{name}]"
    named = {bool: "true or false", str: "a string", int: "a whole number", float: "a number"}
    words = named.get(kind, "") if isinstance(kind, type) else ""
    return words + _range(notes)


def unless(objection: Callable[[Any], str]) -> AfterValidator:
    """Return a validator that refuses a value for what a function has against it."""

    def check(value: object) -> object:
        if sentence := objection(value):
            raise ValueError(sentence)
        return value

    return AfterValidator(check)


def listed(value: object) -> object:
    """Return a value that is not a list as the only one of a list."""
    return value if isinstance(value, list | tuple) else [value]


def distinct(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return a list. Raises ValueError unless it has entries, and each of them once."""
    if not values or len({*values}) < len(values):
        raise ValueError("a list must have entries, and each of them once")
    return values


def single(values: object, write: SerializerFunctionWrapHandler) -> object:
    """Return the only value of a list as it is written, or the list."""
    written: list[object] = write(values)
    return written[0] if len(written) == 1 else written


Text = Annotated[str, Field(pattern=r"^[^\x00]+$"), Must("a non-empty string without NUL characters")]
"""Words that can be a name, a path or an address."""
OneOrSeveral = Annotated[
    tuple[Value, ...], LAX, BeforeValidator(listed), AfterValidator(distinct), WrapSerializer(single, when_used="json")
]
"""A value, or a list of different ones."""


def _merged(before: object, value: object) -> object:
    if isinstance(before, Model) and isinstance(value, Model):
        return before.overridden_by(value)
    return {**before, **value} if isinstance(before, Mapping) and isinstance(value, Mapping) else value


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
        return kind, [*notes, *annotation.metadata]
    if get_origin(annotation) is Annotated:
        inner, *outer = get_args(annotation)
        kind, notes = _plain(inner)
        noted = [each for note in outer for each in (note.metadata if isinstance(note, FieldInfo) else [note])]
        return kind, [*notes, *noted]
    if get_origin(annotation) in (Union, UnionType):
        kinds = tuple(kind for kind in get_args(annotation) if kind is not NoneType)
        return _plain(kinds[0]) if len(kinds) == 1 else (Union[kinds], ())  # noqa: UP007  # they are known at run time
    return annotation, ()


def _fields(annotation: object) -> Mapping[str, FieldInfo]:
    """Return the fields of a model, by their keys; none of any other type."""
    kind, _ = _plain(annotation)
    if not isinstance(kind, type) or not issubclass(kind, BaseModel):
        return {}
    return {field.alias or name: field for name, field in kind.model_fields.items()}


def _found(annotation: object, where: Location) -> tuple[Location, object]:
    """Return a place without the tags of unions, and the type there; None where it is not known."""
    steps: list[str | int] = []
    for step in where:
        kind, _ = _plain(annotation)
        if get_origin(kind) is Union:
            annotation = _member(get_args(kind), step)
            continue
        steps.append(step)
        if named := _fields(kind):
            annotation = named.get(str(step))
        else:
            annotation = next(reversed([inner for inner in get_args(kind) if inner is not ...]), None)
    return steps, annotation


def _member(kinds: Sequence[object], tag: str | int) -> object:
    """Return the member of a union that has a tag, or a field that can only be this."""
    for kind in kinds:
        _, notes = _plain(kind)
        literals = [field.annotation for field in _fields(kind).values() if get_origin(field.annotation) is Literal]
        if Tag(str(tag)) in notes or any(tag in get_args(literal) for literal in literals):
            return kind
    return None


def _place(source: str, where: Location) -> str:
    """Return a place such as "cup.toml: bot 2: clock.bank_ms"."""
    place = ""
    for step in where:
        if isinstance(step, int):
            place += f" {step + 1}"
        else:
            place += f"{': ' if place[-1:].isdigit() else '.' if place else ''}{step}"
    return f"{source}: {place}" if place else source
