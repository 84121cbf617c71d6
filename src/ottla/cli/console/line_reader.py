"""Lines to records: `h1:v1,h2:v2<tab>key<tab>value`, with the reader properties of kafka-console-producer.sh."""

from collections.abc import Mapping
from typing import NamedTuple

from ottla.cli.failures import Failure, usage
from ottla.records.record import Headers

#: Property -> default; the ones that Kafka's LineMessageReader knows.
PROPERTIES = {
    "parse.key": "false",
    "key.separator": "\t",
    "parse.headers": "false",
    "headers.delimiter": "\t",
    "headers.separator": ",",
    "headers.key.separator": ":",
    "ignore.error": "false",
    "null.marker": None,
}


class InputRecord(NamedTuple):
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


class LineReader:
    """One per input: it counts the lines for its errors."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        values = {**PROPERTIES, **properties}
        self._parse_key = _is_true(values["parse.key"])
        self._parse_headers = _is_true(values["parse.headers"])
        self._ignore_error = _is_true(values["ignore.error"])
        self._key_separator = values["key.separator"] or ""
        self._delimiter = values["headers.delimiter"] or ""
        self._separator = values["headers.separator"] or ""
        self._header_key_separator = values["headers.key.separator"] or ""
        self._null_marker = values["null.marker"]
        self._line_number = 0
        self._check_differ(values)

    def _check_differ(self, values: Mapping[str, str | None]) -> None:
        pairs = (
            ("headers.delimiter", "headers.separator"),
            ("headers.delimiter", "headers.key.separator"),
            ("headers.separator", "headers.key.separator"),
            ("null.marker", "key.separator"),
            ("null.marker", "headers.separator"),
            ("null.marker", "headers.delimiter"),
            ("null.marker", "headers.key.separator"),
        )
        for first, second in pairs:
            if values[first] == values[second]:
                raise usage(f"{first} and {second} may not be equal")
        for name in ("key.separator", "headers.delimiter", "headers.separator", "headers.key.separator"):
            if not values[name]:
                raise usage(f"{name} may not be empty")

    def read(self, line: str) -> InputRecord:
        """`line` without its line break. Raises Failure where a separator is missing."""
        self._line_number += 1
        start = 0
        headers: Headers = ()
        if self._parse_headers:
            text = self._part(line, start, self._delimiter, "headers delimiter")
            if text is not None:
                start = len(text) + len(self._delimiter)
                headers = () if text == self._null_marker else self._headers(text)
        key = None
        if self._parse_key:
            key = self._part(line, start, self._key_separator, "key separator")
            if key is not None:
                start += len(key) + len(self._key_separator)
        return InputRecord(self._data(key), self._data(line[start:]), headers)

    def _part(self, line: str, start: int, separator: str, name: str) -> str | None:
        end = line.find(separator, start)
        if end >= 0:
            return line[start:end]
        if self._ignore_error:
            return None
        raise Failure(f"No {name} found on line number {self._line_number}: '{line}'")

    def _headers(self, text: str) -> Headers:
        return tuple(self._header(pair) for pair in text.split(self._separator))

    def _header(self, pair: str) -> tuple[str, bytes | None]:
        name, separator, value = pair.partition(self._header_key_separator)
        if not separator:
            if self._ignore_error:
                return pair, None
            raise Failure(f"No header key separator found in pair '{pair}' on line number {self._line_number}")
        if name == self._null_marker:
            raise Failure(f"line number {self._line_number}: a header key cannot be the null marker '{name}'")
        return name, self._data(value)

    def _data(self, text: str | None) -> bytes | None:
        if text is None or text == self._null_marker:
            return None
        return text.encode("utf-8", "surrogateescape")


def _is_true(text: str | None) -> bool:
    return text is not None and text.strip().lower() == "true"
