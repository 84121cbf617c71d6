"""Hypothesis strategies for every message in every version, made from the schemas."""

from importlib import import_module
from typing import Any

from hypothesis import strategies as st

from ottla.protocol.generator.modules import module_name
from ottla.protocol.generator.schema import Schema
from ottla.protocol.generator.shapes import Shape, Shapes, Slot
from ottla.protocol.message import Message

_RANGES = {
    "int8": (-(1 << 7), (1 << 7) - 1),
    "int16": (-(1 << 15), (1 << 15) - 1),
    "uint16": (0, (1 << 16) - 1),
    "int32": (-(1 << 31), (1 << 31) - 1),
    "uint32": (0, (1 << 32) - 1),
    "int64": (-(1 << 63), (1 << 63) - 1),
}
# Long enough to need two bytes of length now and then.
_TEXTS = st.one_of(st.text(max_size=5), st.text("aé✓", min_size=120, max_size=140))
_BYTES = st.one_of(st.binary(max_size=5), st.binary(min_size=126, max_size=130))


def messages(schema: Schema, version: int) -> st.SearchStrategy[Message]:
    module = import_module(f"ottla.protocol.generated.{module_name(schema)}")
    return _structs(module, Shapes(schema).by_version[version])


def _structs(module: Any, shape: Shape) -> st.SearchStrategy[Any]:
    fields = {slot.name: _values(module, slot) for slot in shape.slots}
    return st.fixed_dictionaries(fields).map(lambda values: getattr(module, shape.class_name)(**values))


def _values(module: Any, slot: Slot) -> st.SearchStrategy[Any]:
    values = _elements(module, slot)
    if slot.is_array:
        values = st.lists(values, max_size=2)
    return st.one_of(st.none(), values) if slot.is_nullable else values


def _elements(module: Any, slot: Slot) -> st.SearchStrategy[Any]:
    if slot.kind in _RANGES:
        return st.integers(*_RANGES[slot.kind])
    if slot.shape is not None:
        return _structs(module, slot.shape)
    simple = {
        "bool": st.booleans(),
        "float64": st.floats(allow_nan=False),
        "uuid": st.binary(min_size=16, max_size=16),
        "string": _TEXTS,
        "bytes": _BYTES,
        "records": _BYTES,
    }
    return simple[slot.kind]
