"""Records to lines: the formatters of kafka-console-consumer.sh, by their Java names."""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from ottla.cli.console.deserializers import Deserializer, deserializer_named
from ottla.cli.failures import usage
from ottla.client import ConsumerRecord, TimestampType

#: The bytes to print for a record; empty for one that is passed over.
Formatter: TypeAlias = Callable[[ConsumerRecord], bytes]
_DEFAULTS = {
    "print.timestamp": "false",
    "print.partition": "false",
    "print.offset": "false",
    "print.delivery": "false",
    "print.epoch": "false",
    "print.headers": "false",
    "print.key": "false",
    "print.value": "true",
    "key.separator": "\t",
    "line.separator": "\n",
    "headers.separator": ",",
    "null.literal": "null",
}


class DefaultFormatter:
    """Columns in Kafka's order, with `key.separator` between them."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        values = {**_DEFAULTS, **properties}
        self._printed = {name[6:] for name in _DEFAULTS if name.startswith("print.") and _is_true(values[name])}
        self._separator = values["key.separator"].encode()
        self._line_end = values["line.separator"].encode()
        self._headers_separator = values["headers.separator"].encode()
        self._null = values["null.literal"].encode()
        self._key = deserializer_named(values.get("key.deserializer"))
        self._value = deserializer_named(values.get("value.deserializer"))
        self._header_value = deserializer_named(values.get("headers.deserializer"))
        #: The common case: values only, as they are.
        self._is_plain = self._printed == {"value"} and self._value is None

    def __call__(self, record: ConsumerRecord) -> bytes:
        if self._is_plain:
            return (self._null if record.value is None else record.value) + self._line_end
        return self._separator.join(self._columns(record)) + self._line_end

    def _columns(self, record: ConsumerRecord) -> Iterator[bytes]:
        printed = self._printed
        if "timestamp" in printed:
            yield f"{timestamp_type(record)}:{record.timestamp_ms}".encode()
        if "partition" in printed:
            yield b"Partition:%d" % record.partition
        if "offset" in printed:
            yield b"Offset:%d" % record.offset
        if "delivery" in printed:
            yield b"Delivery:NOT_PRESENT"
        if "epoch" in printed:
            yield b"Epoch:%d" % record.leader_epoch if record.leader_epoch >= 0 else b"Epoch:NOT_PRESENT"
        if "headers" in printed:
            yield self._headers(record)
        if "key" in printed:
            yield self._shown(record.key, self._key)
        if "value" in printed:
            yield self._shown(record.value, self._value)

    def _headers(self, record: ConsumerRecord) -> bytes:
        if not record.headers:
            return b"NO_HEADERS"
        return self._headers_separator.join(
            name.encode() + b":" + self._shown(value, self._header_value) for name, value in record.headers
        )

    def _shown(self, data: bytes | None, deserializer: Deserializer | None) -> bytes:
        if data is None:
            return self._null
        return data if deserializer is None else deserializer(data)


def timestamp_type(record: ConsumerRecord) -> str:
    return "LogAppendTime" if record.timestamp_type == TimestampType.LOG_APPEND_TIME else "CreateTime"


def _is_true(text: str) -> bool:
    return text.strip().lower() == "true"


def _logging(properties: Mapping[str, str]) -> Formatter:
    """As the default one, and a line on stderr for each record."""
    default = DefaultFormatter(properties)

    def show(record: ConsumerRecord) -> bytes:
        key, value = (None if data is None else data.decode("utf-8", "replace") for data in (record.key, record.value))
        shown = ", ".join(
            [f"{timestamp_type(record)}:{record.timestamp_ms}", f"key:{key or 'null'}", f"value:{value or 'null'}"]
        )
        print(f"INFO {shown}", file=sys.stderr)
        return default(record)

    return show


def _no_op(properties: Mapping[str, str]) -> Formatter:
    return lambda record: b""


def _internal(family: str, types: frozenset[int] | None) -> Callable[[Mapping[str, str]], Formatter]:
    """`types` None: all of the topic. Records of other types are passed over."""

    def maker(properties: Mapping[str, str]) -> Formatter:
        from ottla.cli.dump.decoders import UnknownType, compact, typed_record, value_document
        from ottla.model.errors import RemoteProtocolError
        from ottla.protocol.json_form import json_form

        def show(record: ConsumerRecord) -> bytes:
            try:
                found = typed_record(family, record.key, record.value)
            except UnknownType:
                return b""
            except RemoteProtocolError as error:
                print(f"warning: offset {record.offset}: {error}", file=sys.stderr)
                return b""
            if types is not None and found.type not in types:
                return b""
            document: dict[str, Any] = {"key": {"type": found.type, "data": json_form(found.key, 0)}, "value": None}
            if found.value is not None:
                document["value"] = {"version": found.version, "data": value_document(found)}
            return (compact(document) + "\n").encode()

        return show

    return maker


_MAKERS: dict[str, Callable[[Mapping[str, str]], Formatter]] = {
    "DefaultMessageFormatter": DefaultFormatter,
    "LoggingMessageFormatter": _logging,
    "NoOpMessageFormatter": _no_op,
    "OffsetsMessageFormatter": _internal("records_group", frozenset({0, 1})),
    "GroupMetadataMessageFormatter": _internal("records_group", frozenset({2})),
    "TransactionLogMessageFormatter": _internal("records_transaction", None),
    "ShareGroupStateMessageFormatter": _internal("records_share_state", None),
}


def formatter_named(name: str, properties: Mapping[str, str]) -> Formatter:
    """Raises Failure for a class that is not one of Kafka's."""
    short = name.replace("$", ".").rpartition(".")[2]
    if short not in _MAKERS:
        raise usage(f"there is no formatter {name}; known: {', '.join(_MAKERS)}")
    return _MAKERS[short](properties)
