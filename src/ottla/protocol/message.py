"""What every generated class is: `Struct` for the parts, `Message` for what has bytes of its own."""

import struct
from collections.abc import Callable
from typing import Any, ClassVar, Self, TypeVar

from ottla.model.errors import LocalProtocolError, RemoteProtocolError
from ottla.protocol.wire import MAX_ELEMENTS, Buffer, TooManyElements

#: Default of array and struct parameters: a new list or struct. None is not free for this, it means null.
FRESH: Any = object()
NO_UUID = bytes(16)
NEVER_FLEXIBLE = 32767

T = TypeVar("T", bound="Struct")

# Not shown in logs, whatever their size.
_SECRETS = frozenset({"auth_bytes", "hmac", "salt", "salted_password", "server_key", "stored_key"})


class Struct:
    """Fields in `__slots__`. Equal when of the same kind with equal fields; not hashable, because it can change."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not (isinstance(other, type(self)) or isinstance(self, type(other))) or not isinstance(other, Struct):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _fields(type(self)))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = (f"{name}={_shown(name, getattr(self, name))}" for name in _fields(type(self)))
        return f"{_kind(type(self)).__name__}({', '.join(parts)})"


class Message(Struct):
    """A request, response or record. The generated module fills the tables of readers and writers, one per version."""

    __slots__ = ()

    API_KEY: ClassVar[int] = -1
    RECORD_TYPE: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int]
    MAX_VERSION: ClassVar[int]
    FLEXIBLE_FROM: ClassVar[int]
    _READERS: ClassVar[dict[int, Callable[[memoryview, int, int, list[int]], tuple[Any, int]]]]
    _WRITERS: ClassVar[dict[int, Callable[[Any, bytearray], None]]]

    @classmethod
    def decode(cls, data: Buffer, position: int, version: int, max_elements: int = MAX_ELEMENTS) -> tuple[Self, int]:
        """The message at `position` and the position after it. Raises RemoteProtocolError and nothing else.

        `max_elements` limits all arrays together, nested ones too, before memory is taken for them. Fields of type
        `records` are views of `data`: they change when it does.
        """
        reader = cls._READERS.get(version)
        if reader is None:
            raise RemoteProtocolError(f"{cls.__name__} has no version {version}")
        try:
            # One type to slice: what the readers take out of it is copied once, or not at all.
            view = data if type(data) is memoryview else memoryview(data)
            return reader(view, position, len(view), [max_elements, max_elements])
        except (IndexError, struct.error):
            problem = "the bytes end too early"
        except UnicodeDecodeError as error:
            problem = f"text is not UTF-8: {error.reason}"
        except ValueError as error:
            problem = str(error)
        except TooManyElements as error:
            raise TooManyElements(f"{cls.__name__} v{version}: {error}") from None
        raise RemoteProtocolError(f"{cls.__name__} v{version}: {problem}")

    def encode(self, out: bytearray, version: int) -> None:
        """Appends the bytes. Fields that the version does not have are left out, whatever they hold."""
        writer = self._WRITERS.get(version)
        if writer is None:
            raise LocalProtocolError(f"{type(self).__name__} has no version {version}")
        try:
            writer(self, out)
        except (struct.error, AttributeError, TypeError, ValueError) as error:
            raise LocalProtocolError(f"{type(self).__name__} v{version} cannot be written: {error}") from error

    def to_bytes(self, version: int) -> bytes:
        out = bytearray()
        self.encode(out, version)
        return bytes(out)

    @classmethod
    def from_bytes(cls, data: Buffer, version: int) -> Self:
        """All of `data` must be this message."""
        message, position = cls.decode(data, 0, version)
        if position != len(data):
            raise RemoteProtocolError(f"{cls.__name__} v{version}: {len(data) - position} bytes too many")
        return message


def shared_default(cls: type[T]) -> T:
    """An instance that refuses to be changed: the default of tagged structs, one for all messages.

    Replace it to set values. Tagged structs are rarely set, and a new one per message costs more than the rest of it.
    """

    def refuse(self: object, name: str, value: object) -> None:
        raise AttributeError(f"the default {cls.__name__} is shared: assign a new {cls.__name__}(...) instead")

    original = cls()
    frozen = type(cls.__name__, (cls,), {"__slots__": (), "_KIND": cls, "__setattr__": refuse})
    value: T = object.__new__(frozen)
    for name in _fields(cls):
        object.__setattr__(value, name, getattr(original, name))
    return value


def _kind(cls: type) -> type:
    kind: type = getattr(cls, "_KIND", cls)
    return kind


def _fields(cls: type) -> tuple[str, ...]:
    fields: tuple[str, ...] = _kind(cls).__slots__  # type: ignore[attr-defined]
    return fields


def _shown(name: str, value: object) -> str:
    if isinstance(value, bytes) and len(value) == 16 and name not in _SECRETS:
        return value.hex()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"<{len(value)} bytes>"
    return repr(value)
