"""A buffer with holes, for responses whose records stay in files."""

from typing import Protocol


class Sized(Protocol):
    @property
    def size(self) -> int: ...


class PartedBuffer(bytearray):
    """Encoded bytes plus `cuts`: (index, value) means that `value.size` bytes belong before the byte at `index`.

    The sender sends the bytes up to the first index, then what the value stands for (parts of files), and so on.
    """

    __slots__ = ("cuts",)

    cuts: list[tuple[int, Sized]]

    def __init__(self, start: bytes = b"") -> None:
        # bytearray.__new__ has made an empty one; appending is cheaper than its own __init__.
        self.cuts = []
        self += start

    @property
    def total_size(self) -> int:
        """Bytes on the wire: what is here and what the cuts stand for."""
        size = len(self)
        for _, value in self.cuts:
            size += value.size
        return size

    def parts(self) -> list[memoryview | Sized]:
        """The bytes and the cut values in the order in which they go out; empty stretches are left out."""
        view = memoryview(self)
        parts: list[memoryview | Sized] = []
        done = 0
        for index, value in self.cuts:
            if index > done:
                parts.append(view[done:index])
                done = index
            parts.append(value)
        if done < len(view):
            parts.append(view[done:])
        return parts


class BytesPart:
    """Bytes that go out as they are: the message has a cut for them, and they are never copied into it."""

    __slots__ = ("data", "size")

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        self.data = data
        self.size = len(data)
