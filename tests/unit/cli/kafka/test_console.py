"""Lines to records and records to lines, as Kafka's console tools have them."""

import struct

import pytest

from ottla.cli.console.deserializers import deserializer_named
from ottla.cli.console.formatters import formatter_named
from ottla.cli.console.line_reader import InputRecord, LineReader
from ottla.cli.failures import Failure
from ottla.client import ConsumerRecord

RECORD = ConsumerRecord("orders", 3, 5, 1_700_000_000_000, b"key", b"value", (("a", b"1"), ("b", None)), leader_epoch=7)


def test_a_line_is_a_value() -> None:
    assert LineReader({}).read("a\tb") == InputRecord(None, b"a\tb")


def test_headers_and_key_come_before_the_value() -> None:
    reader = LineReader({"parse.key": "true", "parse.headers": "true"})

    assert reader.read("h1:v1,h2:v2\tkey\tvalue\tmore") == InputRecord(
        b"key", b"value\tmore", (("h1", b"v1"), ("h2", b"v2"))
    )


def test_the_null_marker_is_null_everywhere() -> None:
    reader = LineReader({"parse.key": "true", "parse.headers": "true", "null.marker": "NIL"})

    assert reader.read("NIL\tNIL\tNIL") == InputRecord(None, None)
    assert reader.read("h:NIL\tk\tv").headers == (("h", None),)


def test_a_missing_separator_names_the_line() -> None:
    reader = LineReader({"parse.key": "true", "key.separator": ":"})
    reader.read("a:b")

    with pytest.raises(Failure, match=r"No key separator found on line number 2: 'ab'"):
        reader.read("ab")


def test_a_missing_separator_can_be_ignored() -> None:
    reader = LineReader({"parse.key": "true", "parse.headers": "true", "ignore.error": "true"})

    assert reader.read("value") == InputRecord(None, b"value")
    assert reader.read("h\tk\tv") == InputRecord(b"k", b"v", (("h", None),))


def test_separators_must_differ() -> None:
    with pytest.raises(Failure, match=r"null.marker and key.separator may not be equal"):
        LineReader({"null.marker": "\t"})


def test_bytes_that_are_no_text_pass_unchanged() -> None:
    line = b"\xff\xfe".decode("utf-8", "surrogateescape")

    assert LineReader({}).read(line).value == b"\xff\xfe"


def test_all_columns_come_in_kafkas_order() -> None:
    names = ("timestamp", "partition", "offset", "delivery", "epoch", "headers", "key")
    show = formatter_named("kafka.tools.DefaultMessageFormatter", {f"print.{name}": "true" for name in names})

    assert show(RECORD) == (
        b"CreateTime:1700000000000\tPartition:3\tOffset:5\tDelivery:NOT_PRESENT\tEpoch:7\ta:1,b:null\tkey\tvalue\n"
    )


def test_missing_parts_have_their_words() -> None:
    properties = {"print.headers": "true", "print.key": "true", "print.epoch": "true", "null.literal": "-"}
    show = formatter_named("DefaultMessageFormatter", properties)

    assert show(ConsumerRecord("t", 0, 0, 0)) == b"Epoch:NOT_PRESENT\tNO_HEADERS\t-\t-\n"


def test_separators_can_be_changed() -> None:
    properties = {"print.key": "true", "key.separator": "=", "line.separator": ";"}

    assert formatter_named("DefaultMessageFormatter", properties)(RECORD) == b"key=value;"


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("org.apache.kafka.common.serialization.LongDeserializer", struct.pack(">q", -5), b"-5"),
        ("IntegerDeserializer", struct.pack(">i", 7), b"7"),
        ("ShortDeserializer", struct.pack(">h", 7), b"7"),
        ("DoubleDeserializer", struct.pack(">d", 0.5), b"0.5"),
        ("BooleanDeserializer", b"\x01", b"true"),
        ("UUIDDeserializer", b"f81d4fae-7dec-11d0-a765-00a0c91e6bf6", b"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        ("VoidDeserializer", b"x", b"null"),
    ],
)
def test_kafkas_deserializers_are_known(name: str, data: bytes, text: bytes) -> None:
    convert = deserializer_named(name)

    assert convert is not None
    assert convert(data) == text


def test_other_classes_are_refused_in_one_line() -> None:
    with pytest.raises(Failure, match=r"there is no deserializer io.acme.Avro; known: String, "):
        deserializer_named("io.acme.Avro")
    with pytest.raises(Failure, match=r"there is no formatter io.acme.Nice; known: DefaultMessageFormatter, "):
        formatter_named("io.acme.Nice", {})


def test_offsets_are_printed_as_json() -> None:
    key = struct.pack(">h", 1) + b"\0\x01g" + b"\0\x01t" + struct.pack(">i", 0)
    show = formatter_named("kafka.coordinator.group.GroupMetadataManager$OffsetsMessageFormatter", {})

    tombstone = show(ConsumerRecord("__consumer_offsets", 0, 0, 0, key, None))

    assert tombstone == b'{"key":{"type":1,"data":{"group":"g","topic":"t","partition":0}},"value":null}\n'


def test_records_of_other_types_are_passed_over() -> None:
    key = struct.pack(">h", 2) + b"\0\x01g"

    assert formatter_named("OffsetsMessageFormatter", {})(ConsumerRecord("t", 0, 0, 0, key, None)) == b""
