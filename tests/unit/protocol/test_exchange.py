import struct
from typing import NamedTuple

import pytest

from ottla.model.errors import LocalProtocolError, RemoteProtocolError
from ottla.protocol.api_keys import ApiKey, api, request_class, response_class
from ottla.protocol.exchange import decode_request, decode_response, encode_request, encode_response
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.api_versions_response import ApiVersionsResponse
from ottla.protocol.generated.catalog import APIS
from ottla.protocol.generated.fetch_response import FetchResponse, Partitions, Responses
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.protocol.generated.request_header_data import RequestHeaderData
from ottla.protocol.header import (
    RequestHeader,
    read_request_header,
    request_header_version,
    response_header_version,
)
from ottla.protocol.record_classes import GROUP, key_class, storage_record_class, value_class


class Stretch(NamedTuple):
    size: int


def test_request_goes_there_and_back() -> None:
    request = HeartbeatRequest("group", 3, "member", None)
    for version in range(5):
        for client_id in ("me", "", None):
            out = encode_request(7, client_id, version, request)
            frame = memoryview(out)[4:]

            header, position = read_request_header(frame)

            assert struct.unpack_from(">i", out) == (len(frame),)
            assert header == RequestHeader(12, version, 7, client_id)
            assert decode_request(12, version, frame, position) == request


def test_header_equals_the_generated_one() -> None:
    for version in (1, 2):
        header = RequestHeaderData(12, 3 if version == 1 else 4, 99, "client")
        frame = header.to_bytes(version)
        assert read_request_header(frame) == (tuple(getattr(header, name) for name in header.__slots__), len(frame))


def test_tags_in_a_request_header_are_skipped() -> None:
    frame = struct.pack(">hhih", 12, 4, 1, -1) + b"\x01\x00\x02ab" + b"body"
    assert read_request_header(frame)[1] == len(frame) - 4


def test_header_of_an_unknown_api_is_read_for_the_log() -> None:
    frame = struct.pack(">hhih", 999, 0, 1, 2) + b"me"
    assert read_request_header(frame)[0].client_id == "me"


def test_a_client_id_in_another_encoding_is_read_as_far_as_it_goes() -> None:
    client_id = "bücher".encode("latin-1")
    frame = struct.pack(">hhih", 18, 0, 1, len(client_id)) + client_id

    assert read_request_header(frame) == ((18, 0, 1, "b\N{REPLACEMENT CHARACTER}cher"), len(frame))


def test_header_of_an_api_versions_request_of_the_future_is_read() -> None:
    frame = struct.pack(">hhih", 18, 77, 1, 2) + b"me\0"
    assert read_request_header(frame) == ((18, 77, 1, "me"), len(frame))


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        bytes(9),
        struct.pack(">hhih", 0, 3, 1, 5) + b"abc",
        struct.pack(">hhih", 0, 3, 1, -2),
        struct.pack(">hhih", 0, 9, 1, -1),
        struct.pack(">hhih", 0, 9, 1, -1) + b"\x01",
        struct.pack(">hhih", 0, 9, 1, -1) + b"\x01\x00\x09",
    ],
)
def test_broken_request_headers_are_refused(frame: bytes) -> None:
    with pytest.raises(RemoteProtocolError, match="request header"):
        read_request_header(frame)


def test_bytes_after_the_body_are_refused() -> None:
    body = HeartbeatRequest("group").to_bytes(0)
    with pytest.raises(RemoteProtocolError, match="HeartbeatRequest v0: 3 bytes too many"):
        decode_request(12, 0, body + b"abc", 0)
    with pytest.raises(RemoteProtocolError, match="HeartbeatResponse v0: 3 bytes too many"):
        decode_response(12, 0, b"\0\0\0\1" + HeartbeatResponse().to_bytes(0) + b"abc")


def test_response_goes_there_and_back() -> None:
    response = HeartbeatResponse(0, 27)
    for version in range(5):
        frame = memoryview(encode_response(5, 12, version, response))[4:]
        assert decode_response(12, version, frame) == (5, response)


def test_api_versions_always_answers_with_the_oldest_header() -> None:
    for version in range(5):
        out = encode_response(5, 18, version, ApiVersionsResponse(error_code=35))
        assert bytes(out[8:10]) == b"\x00\x23"
    assert response_header_version(18, 3) == 0
    assert request_header_version(18, 3) == 2
    assert response_header_version(12, 4) == 1


@pytest.mark.parametrize("version", [11, 13])
def test_records_in_files_are_cut_out_and_counted(version: int) -> None:
    first, second = Stretch(1000), Stretch(70_000)
    partitions = [Partitions(0, records=first), Partitions(1, records=b"inline"), Partitions(2, records=second)]
    response = FetchResponse(responses=[Responses(topic="t", partitions=partitions)])

    out = encode_response(5, 1, version, response)

    assert [value for _, value in out.cuts] == [first, second]
    assert struct.unpack_from(">i", out)[0] == len(out) - 4 + 71_000
    wire = b"".join(bytes(part.size) if isinstance(part, Stretch) else bytes(part) for part in out.parts())  # type: ignore[arg-type]
    read = decode_response(1, version, wire[4:])[1]
    assert isinstance(read, FetchResponse)
    assert [len(partition.records) for partition in read.responses[0].partitions] == [1000, 6, 70_000]


def test_cuts_need_a_buffer_that_keeps_them() -> None:
    response = FetchResponse(responses=[Responses(partitions=[Partitions(records=Stretch(1))])])
    with pytest.raises(LocalProtocolError, match="cuts"):
        response.encode(bytearray(), 12)


def test_every_api_has_its_classes() -> None:
    assert len(ApiKey) == len(APIS) == 89
    for key in ApiKey:
        row = api(key)
        for cls in (request_class(key), response_class(key)):
            facts = (cls.API_KEY, cls.MIN_VERSION, cls.MAX_VERSION, cls.FLEXIBLE_FROM)
            assert facts == (key, row.min_version, row.max_version, row.flexible_from)


def test_unstable_versions_are_known() -> None:
    assert (api(ApiKey.INIT_PRODUCER_ID).last_stable, api(ApiKey.INIT_PRODUCER_ID).max_version) == (5, 6)


def test_retired_keys_are_refused() -> None:
    for key in (4, 5, 6, 7, -1, 93):
        with pytest.raises(RemoteProtocolError, match=f"unknown api key {key}"):
            request_class(key)


def test_records_are_found_by_their_type() -> None:
    assert storage_record_class(2).__name__ == "RemotePartitionDeleteMetadataRecord"
    assert key_class(GROUP, 1).__name__ == "OffsetCommitKey"
    assert value_class(GROUP, 1).__name__ == "OffsetCommitValue"
    with pytest.raises(RemoteProtocolError, match="no record type 77"):
        storage_record_class(77)


def test_request_class_is_the_generated_one() -> None:
    assert request_class(18) is ApiVersionsRequest
