"""A message as it is on the wire in one version. Versions with equal shapes share one reader and one writer."""

from typing import NamedTuple

from ottla.protocol.generator.naming import class_names
from ottla.protocol.generator.schema import NUMBERS, Field, Schema


class Slot(NamedTuple):
    """One field in one version."""

    name: str
    kind: str
    is_array: bool
    is_nullable: bool
    is_compact: bool
    tag: int | None
    default: object
    shape: "Shape | None"

    @property
    def fixed(self) -> tuple[str, int] | None:
        """Struct code and size, for what is always equally long."""
        if self.is_array or self.kind not in (*NUMBERS, "uuid"):
            return None
        return ("16s", 16) if self.kind == "uuid" else NUMBERS[self.kind]

    @property
    def inner(self) -> "Shape":
        assert self.shape is not None
        return self.shape

    @property
    def smallest_size(self) -> int:
        """Bytes that this takes at least."""
        if self.fixed:
            return self.fixed[1]
        if self.kind == "struct" and not self.is_array:
            return 1 if self.is_nullable else self.inner.smallest_size
        if self.is_compact:
            return 1
        return 2 if self.kind == "string" and not self.is_array else 4

    @property
    def element_size(self) -> int:
        """Bytes that one element of this array takes at least; never 0, so that a count can be checked."""
        size = self._replace(is_array=False, is_nullable=False).smallest_size
        assert size > 0, f"{self.name}: elements without bytes"
        return size


class Shape(NamedTuple):
    class_name: str
    is_flexible: bool
    slots: tuple[Slot, ...]
    first_version: int = 0

    @property
    def plain(self) -> tuple[Slot, ...]:
        return tuple(slot for slot in self.slots if slot.tag is None)

    @property
    def tagged(self) -> tuple[Slot, ...]:
        return tuple(sorted((slot for slot in self.slots if slot.tag is not None), key=lambda slot: slot.tag or 0))

    @property
    def smallest_size(self) -> int:
        return sum(slot.smallest_size for slot in self.plain) + self.is_flexible

    @property
    def is_one_run(self) -> bool:
        return all(slot.fixed for slot in self.plain) and not self.tagged


class Shapes:
    """All shapes of one message. Equal shapes are the same object, named after the first version that has them."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.names = class_names(schema)
        self._seen: dict[tuple[object, ...], Shape] = {}
        self.by_version = {
            version: self._shape(schema.class_name, schema.fields, (), version)
            for version in range(schema.versions.first, schema.versions.last + 1)
        }
        self.use_counts: dict[Shape, int] = {}
        for shape in dict.fromkeys(self.by_version.values()):
            self._count(shape, set())

    def _shape(self, class_name: str, fields: tuple[Field, ...], path: tuple[str, ...], version: int) -> Shape:
        is_flexible = version >= self.schema.flexible_from
        slots = tuple(self._slot(field, path, version) for field in fields if version in field.versions)
        key = (class_name, is_flexible, slots)
        return self._seen.setdefault(key, Shape(class_name, is_flexible, slots, version))

    def _slot(self, field: Field, path: tuple[str, ...], version: int) -> Slot:
        is_flexible = version >= self.schema.flexible_from
        below = (*path, field.name)
        return Slot(
            name=field.name,
            kind=field.kind,
            is_array=field.is_array,
            is_nullable=version in field.nullable,
            is_compact=is_flexible and field.is_compact,
            tag=field.tag if version in field.tagged else None,
            default=field.default,
            shape=self._shape(self.names[below], field.fields, below, version) if field.holds_structs else None,
        )

    def _count(self, shape: Shape, seen: set[Shape]) -> None:
        for slot in shape.slots:
            if slot.shape is not None:
                first_time = slot.shape not in self.use_counts
                self.use_counts[slot.shape] = self.use_counts.get(slot.shape, 0) + 1
                if first_time:
                    self._count(slot.shape, seen)
