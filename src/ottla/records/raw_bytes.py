"""Copies of bytes, the numbers of a header, and a hint for the garbage collector: what has no quick form when compiled.

This module itself is not compiled. Compiled modules use the functions of the same names in `raw_bytes.pxd`, which the C
compiler inlines. Both check every bound, so no mistake of a caller reads or writes outside a buffer. Callers import the
module and not its functions: Cython lets a module be imported and cimported under one name.
"""

from ottla.doors.disk import Buffer
from ottla.records.batch import HEADER


def copy_bytes(target: memoryview, at: int, source: Buffer, start: int, size: int) -> None:
    """`target` is a memoryview: a bytearray would grow or shrink where the sizes differ."""
    if at < 0 or start < 0 or not 0 <= size <= min(len(target) - at, len(source) - start):
        raise IndexError(f"{size} bytes from {start} of {len(source)} to {at} of {len(target)}")
    target[at : at + size] = source[start : start + size]


def cut_bytes(source: Buffer, start: int, size: int) -> bytes:
    if start < 0 or not 0 <= size <= len(source) - start:
        raise IndexError(f"{size} bytes from {start} of {len(source)}")
    return bytes(source[start : start + size])


def put_bytes(target: memoryview, at: int, value: Buffer) -> None:
    """All of `value`, which is mostly a bytes object."""
    end = at + len(value)
    if at < 0 or end > len(target):
        raise IndexError(f"{len(value)} bytes to {at} of {len(target)}")
    target[at:end] = value


def header_numbers(data: Buffer) -> tuple[int, ...]:
    """The fields of a batch's header, in their order."""
    return HEADER.unpack_from(data)


def untrack(value: object) -> None:
    """Tells the cyclic garbage collector that `value` cannot be part of a cycle. Here it does nothing."""
