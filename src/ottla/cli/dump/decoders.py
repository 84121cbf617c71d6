"""Keys and values of records as text: plain, or decoded as one of the internal topics.

`Decoder` turns a record into the text of its key and of its value; None where the line has none. `document` is the
JSON that the formatters of a console consumer print.
"""

import json
import struct
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription
from ottla.protocol.json_form import json_form
from ottla.protocol.message import Message
from ottla.protocol.record_classes import GROUP, SHARE_STATE, TRANSACTION, key_class, value_class
from ottla.records.record import Record

_INT16 = struct.Struct(">h")
_DELETED = "<DELETE>"


class Decoded(NamedTuple):
    key: str | None
    value: str | None


Decoder: TypeAlias = Callable[[Record], Decoded]
#: What a key or a value is for the names that Kafka's tools take.
PlainDecoder: TypeAlias = Callable[[bytes], str]


def compact(document: Any) -> str:
    """JSON as Kafka's tools print it: no blanks."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


# plain data


def plain_decoder(decode_key: PlainDecoder, decode_value: PlainDecoder) -> Decoder:
    def decode(record: Record) -> Decoded:
        return Decoded(
            None if record.key is None else decode_key(record.key),
            None if record.value is None else decode_value(record.value),
        )

    return decode


def as_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _number(form: str) -> PlainDecoder:
    structure = struct.Struct(form)

    def decode(data: bytes) -> str:
        if len(data) != structure.size:
            return f"<{len(data)} bytes instead of {structure.size}>"
        return str(structure.unpack(data)[0])

    return decode


#: By the last part of the class name, without Decoder.
PLAIN_DECODERS: dict[str, PlainDecoder] = {
    "String": as_text,
    "Integer": _number(">i"),
    "Long": _number(">q"),
    "Default": bytes.hex,
}


def plain_decoder_named(name: str) -> PlainDecoder:
    """Of a class such as org.apache.kafka.tools.api.StringDecoder. Raises ValueError for others."""
    found = PLAIN_DECODERS.get(name.rpartition(".")[2].removesuffix("Decoder"))
    if found is None:
        known = ", ".join(f"{each}Decoder" for each in PLAIN_DECODERS)
        raise ValueError(f"there is no decoder {name}; known: {known}")
    return found


# internal topics


class UnknownType(RemoteProtocolError):
    def __init__(self, number: int) -> None:
        super().__init__(f"unknown record type {number}")
        self.number = number


class TypedRecord(NamedTuple):
    """A record of an internal topic. `version` is that of the value; -1 for a tombstone."""

    type: int
    key: Message
    version: int
    value: Message | None


def typed_record(family: str, key: bytes | None, value: bytes | None) -> TypedRecord:
    """Raises UnknownType, and RemoteProtocolError for bytes that make no sense."""
    if key is None or len(key) < _INT16.size:
        raise RemoteProtocolError("the record has no key of an internal topic")
    number = _INT16.unpack_from(key)[0]
    try:
        its_key, its_value = key_class(family, number), value_class(family, number)
    except RemoteProtocolError:
        raise UnknownType(number) from None
    decoded_key, _ = its_key.decode(key, _INT16.size, 0)
    if value is None:
        return TypedRecord(number, decoded_key, -1, None)
    if len(value) < _INT16.size:
        raise RemoteProtocolError(f"{len(value)} bytes are not a value")
    version = _INT16.unpack_from(value)[0]
    decoded_value, _ = its_value.decode(value, _INT16.size, version)
    return TypedRecord(number, decoded_key, version, decoded_value)


def value_document(record: TypedRecord) -> dict[str, Any]:
    """The value as JSON; members of classic groups with their subscriptions and assignments."""
    assert record.value is not None
    document = json_form(record.value, record.version)
    if document.get("protocolType") == "consumer":
        for member, shown in zip(getattr(record.value, "members", ()), document.get("members", ()), strict=True):
            _replace(shown, "subscription", member.subscription, ConsumerProtocolSubscription)
            _replace(shown, "assignment", member.assignment, ConsumerProtocolAssignment)
    return document


def _replace(shown: dict[str, Any], name: str, data: bytes, kind: type[Message]) -> None:
    """Bytes that are not of this kind stay as they are."""
    if len(data) < _INT16.size:
        return
    version = min(_INT16.unpack_from(data)[0], kind.MAX_VERSION)
    try:
        message, _ = kind.decode(data, _INT16.size, version)
    except RemoteProtocolError:
        return
    shown[name] = json_form(message, version)


def internal_decoder(family: str) -> Decoder:
    def decode(record: Record) -> Decoded:
        try:
            found = typed_record(family, record.key, record.value)
        except UnknownType as error:
            return Decoded(f"Unknown record type {error.number} at offset {record.offset}, skipping.", None)
        except RemoteProtocolError as error:
            return Decoded(f"Error at offset {record.offset}, skipping. {error}", None)
        key = compact({"type": str(found.type), "data": json_form(found.key, 0)})
        if found.value is None:
            return Decoded(key, _DELETED)
        return Decoded(key, compact({"version": str(found.version), "data": value_document(found)}))

    return decode


def offsets_decoder() -> Decoder:
    return internal_decoder(GROUP)


def transaction_decoder() -> Decoder:
    return internal_decoder(TRANSACTION)


def share_state_decoder() -> Decoder:
    return internal_decoder(SHARE_STATE)


# framed values


def metadata_decoder() -> Decoder:
    from ottla.metadata.record_frame import framed_record

    def decode(record: Record) -> Decoded:
        try:
            found, version = framed_record(record.value)
        except RemoteProtocolError as error:
            return Decoded(None, f"Error at {record.offset}, skipping. {error}")
        kind = _upper_snake(type(found).__name__)
        return Decoded(None, compact({"type": kind, "version": version, "data": json_form(found, version)}))

    return decode


def _upper_snake(name: str) -> str:
    return "".join(f"_{letter}" if letter.isupper() else letter for letter in name).strip("_").upper()


def remote_log_decoder() -> Decoder:
    """Records of __remote_log_metadata have the same frame, with types of their own."""
    from ottla.metadata.record_frame import read_frame
    from ottla.protocol.record_classes import storage_record_class

    def decode(record: Record) -> Decoded:
        try:
            number, version, position = read_frame(record.value)
            kind = storage_record_class(number)
            message, _ = kind.decode(record.value or b"", position, version)
        except RemoteProtocolError as error:
            return Decoded(None, f"Error at offset {record.offset}, skipping. {error}")
        document = {"type": _upper_snake(kind.__name__), "version": version, "data": json_form(message, version)}
        return Decoded(None, compact(document))

    return decode
