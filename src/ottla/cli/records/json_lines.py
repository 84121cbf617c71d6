"""A record as one line of JSON and back, without loss: what `consume` prints in a pipe and `produce -i jsonl` reads.

Fields: topic, partition, offset, timestamp (RFC 3339 or ms), key, value, headers (objects with key and value).
Keys and values are text, or null. Bytes that are not UTF-8 are base64, and `key_encoding` or `value_encoding` says so.
"""

import binascii
import json
from base64 import b64decode, b64encode
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ottla.cli.failures import Failure
from ottla.client import ConsumerRecord
from ottla.records.record import Headers

_BASE64 = "base64"
#: Years that RFC 3339 can write; timestamps beyond stay numbers.
_MAX_MS = 253_402_300_799_999


class ParsedRecord(NamedTuple):
    key: bytes | None
    value: bytes | None
    headers: Headers = ()
    timestamp_ms: int | None = None
    partition: int | None = None


def record_document(record: ConsumerRecord) -> dict[str, Any]:
    document: dict[str, Any] = {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": _time_text(record.timestamp_ms),
    }
    _put(document, "key", record.key)
    _put(document, "value", record.value)
    document["headers"] = [_header(name, value) for name, value in record.headers]
    return document


def record_line(record: ConsumerRecord) -> bytes:
    return json.dumps(record_document(record), ensure_ascii=False).encode() + b"\n"


def _header(name: str, value: bytes | None) -> dict[str, Any]:
    document: dict[str, Any] = {"key": name}
    _put(document, "value", value)
    return document


def _put(document: dict[str, Any], name: str, data: bytes | None) -> None:
    try:
        document[name] = None if data is None else data.decode()
    except UnicodeDecodeError:
        assert data is not None
        document[name] = b64encode(data).decode()
        document[f"{name}_encoding"] = _BASE64


def _time_text(timestamp_ms: int) -> str | int:
    if not 0 <= timestamp_ms <= _MAX_MS:
        return timestamp_ms
    moment = datetime.fromtimestamp(timestamp_ms // 1000, UTC).replace(microsecond=timestamp_ms % 1000 * 1000)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_record(line: str, number: int) -> ParsedRecord:
    """Raises Failure that names the line."""
    try:
        document = json.loads(line)
    except ValueError as error:
        raise Failure(f"line {number}: not JSON: {error}") from None
    if not isinstance(document, dict) or "value" not in document:
        raise Failure(
            f"line {number}: no object with a value", hint="without -i jsonl each line is the value of a record"
        )
    try:
        return ParsedRecord(
            _data(document, "key"),
            _data(document, "value"),
            _headers(document.get("headers")),
            _time_ms(document.get("timestamp")),
            _partition(document.get("partition")),
        )
    except (ValueError, TypeError, KeyError, AttributeError, binascii.Error) as error:
        raise Failure(f"line {number}: not a record: {error}") from None


def _data(document: dict[str, Any], name: str) -> bytes | None:
    value = document.get(name)
    if value is None:
        return None
    encoding = document.get(f"{name}_encoding")
    if encoding not in (None, _BASE64):
        raise ValueError(f"{name}_encoding {encoding!r} is not known")
    if not isinstance(value, str):
        # Somebody wrote the value itself as JSON.
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return b64decode(value, validate=True) if encoding == _BASE64 else value.encode()


def _headers(found: Any) -> Headers:
    if found is None:
        return ()
    if isinstance(found, dict):
        return tuple((str(name), None if value is None else str(value).encode()) for name, value in found.items())
    return tuple((str(each["key"]), _data(each, "value")) for each in found)


def _time_ms(found: Any) -> int | None:
    if found is None or (isinstance(found, int) and not isinstance(found, bool)):
        return found
    moment = datetime.fromisoformat(found)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


def _partition(found: Any) -> int | None:
    if found is None or (isinstance(found, int) and found >= 0):
        return found
    raise ValueError(f"partition {found!r} is not a number")
