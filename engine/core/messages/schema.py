"""The JSON Schema of values that a TypedDict describes, and what keeps a value from being one of them."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}

_JSON = {list: "array", dict: "object"}


def json_schema(root: type, identifier: str) -> dict[str, Any]:
    """Return the schema of a TypedDict and of those it refers to; docstrings become descriptions.

    Raises TypeError for a type that JSON does not have.
    """
    definitions: dict[str, Any] = {}
    reference = _schema(root, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": identifier,
        **reference,
        "$defs": definitions,
    }


def _schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if is_typeddict(kind):
        return _reference(kind, definitions)
    if origin is NotRequired:
        return _schema(arguments[0], definitions)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is dict and arguments[0] is str:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(argument, definitions) for argument in arguments]}
    raise TypeError(f"{kind} has no JSON schema; use TypedDict, list, dict[str, ...], str, int, float, bool or None")


def _reference(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}  # a TypedDict may refer to itself
        hints = _hints(kind)
        definitions[kind.__name__] = {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").split()),
            "properties": {name: _schema(hint, definitions) for name, hint in hints.items()},
            "required": [name for name, hint in hints.items() if get_origin(hint) is not NotRequired],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{kind.__name__}"}


def objection(value: object, kind: Any, where: str = "it") -> str:  # noqa: ANN401
    """Return why a JSON value is not what a type of `json_schema` describes, as a sentence; empty if it is."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return ""
    if is_typeddict(kind):
        return _objection_to_object(value, kind, where)
    if origin in (Union, UnionType):
        return "" if any(not objection(value, one) for one in arguments) else f"{where} is of another type"
    if origin is Literal:
        is_one = any(type(value) is type(one) and value == one for one in arguments)  # 1 is not true
        return "" if is_one else f"{where} must be {' or '.join(map(repr, arguments))}"
    if origin is NotRequired:
        return objection(value, arguments[0], where)
    if origin is list and isinstance(value, list):
        return next(filter(None, (objection(one, arguments[0], f"an entry of {where}") for one in value)), "")
    if origin is dict and isinstance(value, dict):
        return next(filter(None, (objection(one, arguments[1], f"an entry of {where}") for one in value.values())), "")
    fits = type(value) is kind or (kind is float and type(value) is int)
    return "" if fits else f"{where} must be of the type {_PLAIN.get(kind) or _JSON[origin]}"


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _objection_to_object(value: object, kind: type, where: str) -> str:
    if not isinstance(value, dict):
        return f"{where} must be an object"
    hints = _hints(kind)
    missing = [name for name, hint in hints.items() if name not in value and get_origin(hint) is not NotRequired]
    if wrong := [*missing, *(name for name in value if name not in hints)]:
        return f"{where} {'lacks' if missing else 'has the unknown'} {wrong[0]}"
    found = (objection(value[name], hint, name) for name, hint in hints.items() if name in value)
    return next(filter(None, found), "")
