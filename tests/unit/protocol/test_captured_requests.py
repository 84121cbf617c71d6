"""Requests that real clients sent (recorded with tools/capture_requests.py) are read, and written back alike."""

import json
from pathlib import Path
from typing import Any

import pytest

from ottla.protocol.exchange import decode_request, encode_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.catalog import APIS
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.protocol.header import read_request_header
from ottla.protocol.message import Message

CAPTURED = Path(__file__).parents[2] / "data" / "captured-requests.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in CAPTURED.read_text().splitlines()]


def label(row: dict[str, Any]) -> str:
    return f"{row['client']} {row['api']} v{row['version']}"


def read(row: dict[str, Any]) -> Message:
    frame = bytes.fromhex(row["hex"])
    header, position = read_request_header(frame)
    return decode_request(header.api_key, header.api_version, frame, position)


@pytest.mark.parametrize("row", ROWS, ids=label)
def test_request_of_a_real_client_is_read_and_written_alike(row: dict[str, Any]) -> None:
    frame = bytes.fromhex(row["hex"])
    header, position = read_request_header(frame)

    request = decode_request(header.api_key, header.api_version, frame, position)

    assert (APIS[header.api_key][0], header.api_version) == (row["api"], row["version"])
    assert header.client_id is not None
    assert header.client_id.startswith(("capture", "rdkafka", "aiokafka", "kafka-python"))
    assert bytes(encode_request(header.correlation_id, header.client_id, header.api_version, request))[4:] == frame


def test_the_same_record_is_in_every_clients_batch() -> None:
    produced = [read(row) for row in ROWS if row["api"] == "Produce"]

    assert len(produced) == 3
    for request in produced:
        assert isinstance(request, ProduceRequest)
        (topic,) = request.topic_data
        assert (topic.name, topic.partition_data[0].index) == ("orders", 0)
        assert topic.partition_data[0].records[16] == 2  # magic of batch format v2


def test_clients_tell_their_name() -> None:
    names = [message.client_software_name for row in ROWS if isinstance(message := read(row), ApiVersionsRequest)]
    assert sorted(names) == ["", "confluent-kafka-python", "kafka-python"]
