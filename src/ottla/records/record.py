"""One record, and the variable-length integers it is written with."""

from typing import NamedTuple, TypeAlias

from ottla.records.errors import CorruptRecord

Headers: TypeAlias = tuple[tuple[str, bytes | None], ...]


class Record(NamedTuple):
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


def append_varint(out: bytearray, value: int) -> None:
    """Zigzag: small negative numbers stay short."""
    value = (value << 1) ^ (value >> 63)
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def read_varint(data: bytes, position: int, bits: int = 32) -> tuple[int, int]:
    """The number at `position` and the position after it. An IndexError past the end is the caller's to handle."""
    value = data[position]
    if value < 0x80:
        return (value >> 1) ^ -(value & 1), position + 1
    byte = data[position + 1]
    if byte < 0x80:
        value = value & 0x7F | byte << 7
        return (value >> 1) ^ -(value & 1), position + 2
    return _read_long_varint(data, position, bits)


def read_zigzag(data: bytes, position: int, bits: int = 32) -> tuple[int, int]:
    """As `read_varint`, but the number as it stands there: 2 n for n >= 0, else an odd one."""
    number, position = read_varint(data, position, bits)
    return (number << 1 if number >= 0 else (-number << 1) - 1), position


def check_null_size(zigzag: int) -> None:
    """Of the odd ones only -1 is the length of something: of a field that is not there."""
    if zigzag != 1:
        raise CorruptRecord(f"a field of {-(zigzag >> 1) - 1} bytes")


def _read_long_varint(data: bytes, position: int, bits: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift >= bits:
            raise CorruptRecord(f"a varint of more than {bits} bits")
    if value >> bits:
        raise CorruptRecord(f"a varint of more than {bits} bits")
    return (value >> 1) ^ -(value & 1), position
