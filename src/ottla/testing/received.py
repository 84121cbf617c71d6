"""Records as tests see them: what was read, how values become bytes, and what matches."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

#: How much of a key or value is shown in messages, and how many records.
_SHOWN_CHARACTERS: Final = 80
_SHOWN_RECORDS: Final = 20


class _Any:
    """Matches everything, also None."""

    def __repr__(self) -> str:
        return "ANY"


ANY: Final = _Any()


class Received(NamedTuple):
    """One record that was read from a topic."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()

    @property
    def text(self) -> str | None:
        """The value as text."""
        return None if self.value is None else self.value.decode()

    def json(self) -> Any:
        """The value as JSON."""
        return None if self.value is None else json.loads(self.value)


class PartitionOffsets(NamedTuple):
    """The first offset of a partition, and the one after its last record."""

    earliest: int
    latest: int


def encoded(value: Any) -> bytes | None:
    """Bytes and None as they are, text as UTF-8, anything else as JSON."""
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def encoded_headers(
    headers: Mapping[str, Any] | Iterable[tuple[str, Any]] | None,
) -> list[tuple[str, bytes | None]]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers or ()
    return [(name, encoded(value)) for name, value in pairs]


def matches(record: Received, value: Any, key: Any, headers: Mapping[str, Any] | None) -> bool:
    """Of the headers, those that are named must be there."""
    if not (_is_equal(record.value, value) and _is_equal(record.key, key)):
        return False
    return all(
        any(name == each and _is_equal(data, wanted) for each, data in record.headers)
        for name, wanted in (headers or {}).items()
    )


def _is_equal(data: bytes | None, wanted: Any) -> bool:
    if wanted is ANY:
        return True
    if data is None or wanted is None or isinstance(wanted, bytes | str):
        return data == encoded(wanted)
    try:
        return bool(json.loads(data) == wanted)
    except ValueError:
        return False


def shown(records: Iterable[Received]) -> str:
    """A few lines for the message of a failed assertion."""
    rows = list(records)
    if not rows:
        return "  nothing"
    lines = [
        f"  {row.topic}-{row.partition} offset {row.offset}: key={_short(row.key)} value={_short(row.value)}"
        for row in rows[-_SHOWN_RECORDS:]
    ]
    left_out = len(rows) - len(lines)
    return "\n".join([f"  ({left_out} more before)", *lines] if left_out else lines)


def _short(data: bytes | None) -> str:
    text = repr(data)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}… ({len(data or b'')} bytes)"
