"""Records on the command line: JSON lines, templates, places, expressions."""

import json
from typing import Any

import pytest

from ottla.cli.failures import Failure
from ottla.cli.records.expressions import matches, parse_expression
from ottla.cli.records.json_lines import ParsedRecord, parse_record, record_line
from ottla.cli.records.places import BEFORE_END, END, OFFSET, START, TIME, Place, chosen, duration_ms, parse_place
from ottla.cli.records.templates import CAT_TOKENS, CONSUME_TOKENS, shown, template, terminal_line
from ottla.client import ConsumerRecord, TopicPartition

NOW_MS = 1_767_261_600_000


def round_trip(record: ConsumerRecord) -> ParsedRecord:
    return parse_record(record_line(record).decode(), 1)


@pytest.mark.parametrize("data", [None, b"", b"text", "grüße".encode(), b"\xff\x00\xfe", b'{"a":9007199254740993}'])
def test_a_record_survives_as_a_line_of_json(data: bytes | None) -> None:
    record = ConsumerRecord("t", 2, 7, 1_700_000_000_123, data, data, (("h", data), ("h", b"2")))

    assert round_trip(record) == ParsedRecord(data, data, (("h", data), ("h", b"2")), 1_700_000_000_123, 2)


@pytest.mark.parametrize("timestamp_ms", [-1, 0, 999, 253_402_300_799_999, 2**62])
def test_timestamps_survive(timestamp_ms: int) -> None:
    assert round_trip(ConsumerRecord("t", 0, 0, timestamp_ms)).timestamp_ms == timestamp_ms


def test_values_may_be_json_themselves() -> None:
    assert parse_record('{"value": {"id": 1}, "headers": {"a": "b"}}', 1) == ParsedRecord(
        None, b'{"id":1}', (("a", b"b"),)
    )


@pytest.mark.parametrize(
    "line",
    ["nonsense", "[1]", '{"id": 1}', '{"value": "x", "value_encoding": "rot13"}', '{"value": "a", "partition": -1}'],
)
def test_a_line_that_is_no_record_is_named(line: str) -> None:
    with pytest.raises(Failure, match="line 4: "):
        parse_record(line, 4)


def test_templates_are_filled() -> None:
    record = ConsumerRecord("t", 1, 2, 3, b"k", b"v", (("h", b"x"), ("n", None)))

    assert template(r"%t %p %o %k %v %T %h %K %S %%\n", CONSUME_TOKENS)(record) == b"t 1 2 k v 3 h=x,n=NULL 1 1 %\n"
    assert template(r"%s\x41", CAT_TOKENS)(record) == b"vA"


def test_nulls_have_a_word_on_request() -> None:
    record = ConsumerRecord("t", 0, 0, 0)

    assert template("%k|%s|%S", CAT_TOKENS)(record) == b"||-1"
    assert template("%k|%s", CAT_TOKENS, null=b"NULL")(record) == b"NULL|NULL"


def test_unknown_tokens_are_refused() -> None:
    with pytest.raises(Failure, match="%s is not known"):
        template("%s", CONSUME_TOKENS)


def test_a_record_cannot_steer_the_terminal() -> None:
    assert shown(b"\x1b[2Jred\x07\xff") == "\\x1b[2Jred\\x07\\xff"


def test_a_line_on_the_terminal_has_time_place_key_and_value() -> None:
    line = terminal_line(ConsumerRecord("t", 3, 9, 1_700_000_000_311, b"alice", b"{}"), lambda text, **_: text)

    assert line.endswith(".311  p3 @ 9  alice  {}")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("start", Place(START)),
        ("end", Place(END)),
        ("1200", Place(OFFSET, 1200)),
        ("-100", Place(BEFORE_END, 100)),
        ("@-1h30m", Place(TIME, NOW_MS - 5_400_000)),
        ("@2026-01-01T10:00Z", Place(TIME, NOW_MS)),
        ("@1700000000000", Place(TIME, 1_700_000_000_000)),
        ("p3:1200", Place(OFFSET, 1200, 3)),
        ("p0:@-1s", Place(TIME, NOW_MS - 1000, 0)),
    ],
)
def test_places_are_understood(text: str, place: Place) -> None:
    assert parse_place(text, NOW_MS) == [place]


@pytest.mark.parametrize("text", ["", "yesterday", "@", "@-", "@-5", "p:3", "--1", "٣"])
def test_other_places_are_refused(text: str) -> None:
    with pytest.raises(Failure):
        parse_place(text, NOW_MS)


def test_single_partitions_can_be_chosen() -> None:
    partitions = [TopicPartition("t", number) for number in range(3)]

    assert chosen(parse_place("p1:5"), partitions) == {partitions[1]: Place(OFFSET, 5, 1)}
    assert chosen(parse_place("start,p1:5"), partitions)[partitions[2]] == Place(START)
    with pytest.raises(Failure, match="there is no partition 7"):
        chosen(parse_place("p7:0"), partitions)


def test_durations_are_sums_of_units() -> None:
    assert duration_ms("1d2h") == 93_600_000
    assert duration_ms("250ms") == 250


RECORD: dict[str, Any] = {
    "topic": "orders",
    "partition": 1,
    "offset": 10,
    "timestamp": 5,
    "key": "alice",
    "value": {"total": 9.5, "id": 3, "tags": ["a", "b"], "paid": True, "note": None},
    "headers": {"trace": "x"},
}


@pytest.mark.parametrize(
    "expression",
    [
        "value.total > 9 && key == 'alice'",
        "value.total * 2 >= 19.0",
        "'b' in value.tags",
        'value.tags[0] == "a" && size(value.tags) == 2',
        "!(value.id == 4)",
        "has(value.note) && !has(value.missing)",
        "value.note == null",
        "key.startsWith('al') && key.endsWith('ce') && key.contains('lic')",
        "key.matches('^a.*e$')",
        "headers['trace'] == 'x'",
        "value.missing > 3 || offset == 10",
        "value.paid ? partition == 1 : false",
        "value.id % 2 == 1 && -value.id < 0 && 7 / 2 == 3",
        "int('5') == timestamp && string(5) == '5'",
        "value.id in [1, 2, 3]",
        "'trace' in headers",
    ],
)
def test_expressions_that_hold(expression: str) -> None:
    assert matches(parse_expression(expression), RECORD)


@pytest.mark.parametrize(
    "expression",
    [
        "value.missing == 1",
        "value.total > 'a'",
        "key > 3",
        "1",
        "value.id / 0 == 1",
        "value.paid == 1",
        "topic == 'orders' && value.x.y",
        "value.tags[-1] == 'b'",
    ],
)
def test_expressions_that_do_not_hold(expression: str) -> None:
    assert not matches(parse_expression(expression), RECORD)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "value.",
        "value..x",
        "(value",
        "a == 1",
        "value.x = 3",
        "key.upper()",
        "__import__('os')",
        "!" * 500 + "true",
        "(" * 500,
    ],
)
def test_wrong_expressions_are_refused_before_anything_is_read(expression: str) -> None:
    with pytest.raises(Failure):
        parse_expression(expression)


def test_a_json_line_has_all_fields_in_order() -> None:
    line = json.loads(record_line(ConsumerRecord("t", 0, 1, 2, b"k", b"v")))

    assert list(line) == ["topic", "partition", "offset", "timestamp", "key", "value", "headers"]
