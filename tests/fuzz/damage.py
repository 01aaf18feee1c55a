"""Hypothesis strategies for damaged files and messages, and the number of examples to try."""

import os
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import settings
from hypothesis import strategies as st

EFFORT = int(os.environ.get("BALLCOURT_FUZZ", "1"))
"""A multiple of the usual number of examples; above 1, every run also tries different examples."""

Kind = TypeVar("Kind", bound=Message)

NUMBERS = {
    FieldDescriptor.CPPTYPE_INT32: st.integers(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT32: st.integers(0, 9) | st.integers(0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: st.integers(0, 9) | st.integers(0, (1 << 64) - 1),
    FieldDescriptor.CPPTYPE_DOUBLE: st.floats(),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_ENUM: st.integers(0, 9) | st.integers(-(1 << 31), (1 << 31) - 1),
}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def tried(times: int) -> settings:
    """Return the settings of a test that tries `times` times `EFFORT` examples."""
    return settings(max_examples=times * EFFORT, derandomize=EFFORT == 1)


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Draw damaged bytes: truncated, or with a part changed, removed, doubled or inserted."""
    start = draw(st.integers(0, len(data)))
    end = min(len(data), start + draw(st.integers(0, 16)))
    kind = draw(st.sampled_from(["cut short", "flipped", "changed", "lost", "doubled", "put in"]))
    head, part, tail = data[:start], data[start:end], data[end:]
    if kind == "cut short":
        return head
    if kind == "flipped":
        bit = 1 << draw(st.integers(0, 7))
        return head + bytes(byte ^ bit for byte in part[:1]) + part[1:] + tail
    if kind == "changed":
        return head + draw(st.binary(min_size=len(part), max_size=len(part))) + tail
    if kind == "lost":
        return head + tail
    return head + part + (part if kind == "doubled" else draw(st.binary(max_size=16))) + tail


@st.composite
def distorted(draw: st.DrawFn, message: Kind) -> Kind:
    """Draw a well-formed message with wrong values in some fields, at any depth."""
    changed = type(message)()
    changed.CopyFrom(message)
    for _ in range(draw(st.integers(1, 3))):
        _distort(draw, changed)
    return changed


def _distort(draw: st.DrawFn, message: Message) -> None:
    field = draw(st.sampled_from([*message.DESCRIPTOR.fields]))
    value = getattr(message, field.name)
    if field.message_type and field.message_type.GetOptions().map_entry:
        value.clear()
    elif field.is_repeated:
        _distort_list(draw, field, value)
    elif field.message_type and message.HasField(field.name):
        _distort(draw, value)
    elif field.message_type:
        value.SetInParent()
    else:
        setattr(message, field.name, draw(_values(field)))


def _distort_list(draw: st.DrawFn, field: FieldDescriptor, entries: Any) -> None:  # noqa: ANN401
    number = draw(st.integers(0, max(0, len(entries) - 1)))
    kind = draw(st.sampled_from(["entry", "entry", "lost", "more"]))
    if kind == "more" or not entries:
        if field.message_type:
            entries.add()
        else:
            entries.append(draw(_values(field)))
    elif kind == "lost":
        del entries[number]
    elif field.message_type:
        _distort(draw, entries[number])
    else:
        entries[number] = draw(_values(field))


def _values(field: FieldDescriptor) -> st.SearchStrategy[object]:
    if field.cpp_type != FieldDescriptor.CPPTYPE_STRING:
        return NUMBERS[field.cpp_type]
    return TEXTS if field.type == FieldDescriptor.TYPE_STRING else st.binary(max_size=40)
