"""What the generated codecs share: the rare paths and the checks that end in an error.

The generated code reads the common case inline (a length below 128, no tagged field) and comes here otherwise. Problems
are raised as `ValueError`; `Message.decode` converts them to `RemoteProtocolError` once, at the entry.
"""

import struct
from collections.abc import Sequence
from typing import Any, TypeAlias

from ottla.model.errors import RemoteProtocolError

Buffer: TypeAlias = bytes | bytearray | memoryview
Records: TypeAlias = Any  # bytes-like, None, or on the way out an object with `.size` that the sender splices in

#: No message may hold more array elements than this, over all its arrays, unless its reader sets another limit.
MAX_ELEMENTS = 1_000_000
MAX_TAGS = 256
MAX_STRING_BYTES = 32_767

_INT32 = struct.Struct(">i")


class TooManyElements(RemoteProtocolError):
    """All arrays of a message together have more elements than its reader takes."""


def longer(data: Buffer, position: int, first: int) -> tuple[int, int]:
    """The rest of an unsigned varint whose first byte has the continuation bit set."""
    value = first & 0x7F
    for shift in (7, 14, 21, 28):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value > 0xFFFFFFFF:
                break
            return value, position
    raise ValueError("a varint does not fit into 32 bits")


def longer_string(data: Buffer, position: int, first: int) -> tuple[int, int]:
    """As `longer`, for the length + 1 of a string: what flexible versions take must fit into the others too."""
    value, position = longer(data, position, first)
    if value > MAX_STRING_BYTES + 1:
        raise ValueError(f"a string of {value - 1} bytes; {MAX_STRING_BYTES} are allowed")
    return value, position


def wrong_length(field: str, length: int, left: int) -> ValueError:
    if length == -1:
        return ValueError(f"{field} is null")
    return ValueError(f"{field} has length {length}, {left} bytes are left")


def wrong_count(field: str, count: int, left: int, budget: list[int]) -> ValueError | TooManyElements:
    """`budget`: the elements that are left, and the limit of the whole message."""
    if count == -1:
        return ValueError(f"{field} is null")
    if count > budget[0]:
        return TooManyElements(f"{field} has {count} elements; all arrays together may have {budget[1]}")
    return ValueError(f"{field} has {count} elements, {left} bytes are left")


def wrong_tag_size(tag: int, position: int, stop: int) -> ValueError:
    return ValueError(f"tag {tag} ends {abs(stop - position)} bytes from the end that its size gives")


def read_tags(data: Buffer, position: int, end: int) -> tuple[list[tuple[int, int, int]], int]:
    """The tagged fields of one struct as (tag, start, stop), and the position after them."""
    count, position = _uvarint(data, position)
    if count > MAX_TAGS:
        raise ValueError(f"{count} tagged fields in one struct; {MAX_TAGS} are allowed")
    spans = []
    last = -1
    for _ in range(count):
        tag, position = _uvarint(data, position)
        size, position = _uvarint(data, position)
        if tag <= last:
            raise ValueError(f"tag {tag} follows tag {last}")
        if size > end - position:
            raise ValueError(f"tag {tag} has size {size}, {end - position} bytes are left")
        spans.append((tag, position, position + size))
        last = tag
        position += size
    return spans, position


def skip_tags(data: Buffer, position: int, end: int) -> int:
    return read_tags(data, position, end)[1]


def _uvarint(data: Buffer, position: int) -> tuple[int, int]:
    value = data[position]
    return (value, position + 1) if value < 0x80 else longer(data, position + 1, value)


def read_numbers(code: str, size: int, data: Buffer, position: int, count: int) -> tuple[list[Any], int]:
    """An array of numbers; the caller has checked that they are there."""
    return list(struct.unpack_from(f">{count}{code}", data, position)), position + count * size


def read_uuids(data: Buffer, position: int, count: int) -> tuple[list[bytes], int]:
    stop = position + count * 16
    return [bytes(data[start : start + 16]) for start in range(position, stop, 16)], stop


def put_uvarint(out: bytearray, value: int) -> None:
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def put_string_length(out: bytearray, length: int) -> None:
    """The length + 1 of a string that is too long for one byte."""
    if length > MAX_STRING_BYTES + 1:
        raise ValueError(f"a string of {length - 1} bytes; {MAX_STRING_BYTES} are allowed")
    put_uvarint(out, length)


def put_numbers(out: bytearray, code: str, values: Sequence[Any]) -> None:
    out += struct.pack(f">{len(values)}{code}", *values)


def put_uuids(out: bytearray, values: Sequence[bytes]) -> None:
    for value in values:
        if len(value) != 16:
            raise ValueError(f"a uuid of {len(value)} bytes")
        out += value


def put_tags(out: bytearray, tags: Sequence[tuple[int, bytes | bytearray]]) -> None:
    put_uvarint(out, len(tags))
    for tag, value in tags:
        put_uvarint(out, tag)
        put_uvarint(out, len(value))
        out += value


def put_records(out: Any, value: Records) -> None:
    """Records with an int32 length. An object with `.size` is left out and noted as a cut for the sender."""
    if value is None:
        out += b"\xff\xff\xff\xff"
    elif isinstance(value, (bytes, bytearray, memoryview)):
        out += _INT32.pack(len(value))
        out += value
    else:
        out += _INT32.pack(value.size)
        out.cuts.append((len(out), value))


def put_compact_records(out: Any, value: Records) -> None:
    if value is None:
        out.append(0)
    elif isinstance(value, (bytes, bytearray, memoryview)):
        put_uvarint(out, len(value) + 1)
        out += value
    else:
        put_uvarint(out, value.size + 1)
        out.cuts.append((len(out), value))
