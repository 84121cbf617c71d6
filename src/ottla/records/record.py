"""One record, or many as lists of their fields."""

from collections.abc import Iterable
from typing import NamedTuple, Self, TypeAlias

Headers: TypeAlias = tuple[tuple[str, bytes | None], ...]


class Record(NamedTuple):
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


class RecordLists:
    """Records on their way into a batch. No object per record is created that the garbage collector has to visit."""

    __slots__ = ("headers", "keys", "timestamps", "values")

    def __init__(self) -> None:
        self.timestamps: list[int] = []
        self.keys: list[bytes | None] = []
        self.values: list[bytes | None] = []
        #: By index, of those records that have some.
        self.headers: dict[int, Headers] = {}

    @classmethod
    def of(cls, records: Iterable[Record]) -> Self:
        lists = cls()
        for _, timestamp_ms, key, value, headers in records:
            lists.append(timestamp_ms, key, value, headers)
        return lists

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[bytes | None, bytes | None]], timestamp_ms: int) -> Self:
        """Keys and values of one moment."""
        lists = cls()
        keys, values = lists.keys, lists.values
        for key, value in pairs:
            keys.append(key)
            values.append(value)
        lists.timestamps = [timestamp_ms] * len(values)
        return lists

    def __len__(self) -> int:
        return len(self.values)

    def append(self, timestamp_ms: int, key: bytes | None, value: bytes | None, headers: Headers) -> None:
        if headers:
            self.headers[len(self.values)] = headers
        self.timestamps.append(timestamp_ms)
        self.keys.append(key)
        self.values.append(value)

    def part(self, first: int, last: int) -> "RecordLists":
        """The records from `first` up to and without `last`."""
        part = RecordLists()
        part.timestamps = self.timestamps[first:last]
        part.keys = self.keys[first:last]
        part.values = self.values[first:last]
        part.headers = {index - first: some for index, some in self.headers.items() if first <= index < last}
        return part
