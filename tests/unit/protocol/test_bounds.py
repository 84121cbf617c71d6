"""Whatever a peer declares is checked against the bytes that are there before memory is taken."""

import struct
import tracemalloc

import pytest

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.generated.consumer_group_heartbeat_response import Assignment, ConsumerGroupHeartbeatResponse
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.describe_groups_request import DescribeGroupsRequest
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.protocol.message import Message


def refused(cls: type[Message], version: int, data: bytes) -> str:
    with pytest.raises(RemoteProtocolError) as caught:
        cls.decode(data, 0, version)
    return str(caught.value)


def test_every_truncation_is_refused() -> None:
    message = JoinGroupRequest("group", 1, 2, "member", "instance", "consumer", [], "why")
    for version in (5, 9):
        data = message.to_bytes(version)
        for size in range(len(data)):
            assert "JoinGroupRequest v" in refused(JoinGroupRequest, version, data[:size])


def test_string_longer_than_the_frame() -> None:
    assert refused(DeleteTopicsRequest, 1, struct.pack(">ih", 1, 30_000)) == (
        "DeleteTopicsRequest v1: topic_names has length 30000, 0 bytes are left"
    )


def test_negative_length_that_is_not_null() -> None:
    assert "has length -2" in refused(ProduceRequest, 3, struct.pack(">h", -2))
    assert "has -2 elements" in refused(MetadataRequest, 5, struct.pack(">i", -2))


def test_null_where_it_is_not_allowed() -> None:
    assert "group_id is null" in refused(JoinGroupRequest, 0, struct.pack(">h", -1) + bytes(40))
    assert "topic_data is null" in refused(ProduceRequest, 3, struct.pack(">hhii", -1, 1, 1, -1))
    assert "client_software_name is null" in refused(ApiVersionsRequest, 3, b"\0\0\0")


@pytest.mark.parametrize("count", [2**31 - 1, 100_000_000, 13])
def test_huge_counts_take_no_memory(count: int) -> None:
    data = struct.pack(">i", count) + bytes(20)
    tracemalloc.start()
    assert "elements" in refused(DescribeGroupsRequest, 0, data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000


def test_huge_numbers_take_no_memory() -> None:
    data = bytes(4 * 5) + b"\0" + struct.pack(">ii", 0, 0) + struct.pack(">i", 2**30)
    assert "elements" in refused(FetchRequest, 7, data)


def test_a_request_has_at_most_a_million_elements() -> None:
    at_limit = struct.pack(">i", 1_000_000) + bytes(2_000_000) + b"\0"
    beyond = struct.pack(">i", 1_000_001) + bytes(2_000_002) + b"\0"

    assert len(DescribeGroupsRequest.decode(at_limit, 0, 3)[0].groups) == 1_000_000
    assert "all arrays together may have 1000000" in refused(DescribeGroupsRequest, 3, beyond)


def test_the_limit_of_elements_is_over_all_arrays() -> None:
    # 11 topics of 100,000 partitions each, in nested arrays: no single array is beyond the limit.
    topic = struct.pack(">hi", 0, 100_000) + bytes(8) * 100_000
    data = struct.pack(">hhii", -1, 1, 1, 11) + topic * 11
    assert "all arrays together" in refused(ProduceRequest, 3, data)


def test_a_reader_may_set_a_lower_limit_of_elements() -> None:
    # Three topics of three partitions: twelve elements.
    topic = struct.pack(">hi", 0, 3) + struct.pack(">ii", 0, -1) * 3
    data = struct.pack(">hhii", -1, 1, 1, 3) + topic * 3

    assert len(ProduceRequest.decode(data, 0, 3, 12)[0].topic_data) == 3
    with pytest.raises(RemoteProtocolError, match="partition_data has 3 elements; all arrays together may have 11"):
        ProduceRequest.decode(data, 0, 3, 11)


def test_varint_longer_than_32_bits() -> None:
    assert "varint" in refused(ApiVersionsRequest, 3, b"\xff\xff\xff\xff\xff\x01")
    assert "varint" in refused(ApiVersionsRequest, 3, b"\xff\xff\xff\xff\x1f")
    assert "32767 are allowed" in refused(ApiVersionsRequest, 3, b"\xff\xff\xff\xff\x0f")


def test_varint_may_be_longer_than_needed() -> None:
    assert ApiVersionsRequest.decode(b"\x82\x00a\x01\x00", 0, 3)[0] == ApiVersionsRequest("a", "")


def test_compact_string_is_not_longer_than_the_old_form_can_hold() -> None:
    longest = b"\x80\x80\x02" + b"a" * 32767 + b"\x01\x00"
    too_long = b"\x81\x80\x02" + b"a" * 32768 + b"\x01\x00"

    assert len(ApiVersionsRequest.decode(longest, 0, 3)[0].client_software_name) == 32767
    assert "a string of 32768 bytes" in refused(ApiVersionsRequest, 3, too_long)


def test_text_that_is_not_utf8() -> None:
    assert "not UTF-8" in refused(ApiVersionsRequest, 3, b"\x02\xff\x01\x00")


def test_unknown_tags_are_skipped() -> None:
    data = b"\x01\x01" + b"\x02\x05\x03abc\x80\x01\x00"
    assert ApiVersionsRequest.from_bytes(data, 3) == ApiVersionsRequest()


def test_tags_must_rise() -> None:
    assert "tag 5 follows tag 5" in refused(ApiVersionsRequest, 3, b"\x01\x01\x02\x05\x00\x05\x00")
    assert "tag 4 follows tag 5" in refused(ApiVersionsRequest, 3, b"\x01\x01\x02\x05\x00\x04\x00")


def test_at_most_256_tags() -> None:
    fields = b"".join((bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7])) + b"\0" for n in range(257))
    assert ApiVersionsRequest.from_bytes(b"\x01\x01\x80\x02" + fields[:-3], 3) == ApiVersionsRequest()
    assert "257 tagged fields" in refused(ApiVersionsRequest, 3, b"\x01\x01\x81\x02" + fields)


def test_tag_larger_than_the_frame() -> None:
    assert "tag 9 has size 100" in refused(ApiVersionsRequest, 3, b"\x01\x01\x01\x09\x64")


def test_known_tag_whose_size_is_wrong() -> None:
    data = FetchRequest(cluster_id="abc").to_bytes(12)
    start = data.index(b"\x00\x04\x04abc")
    longer = data[:start] + b"\x00\x05\x04abc\x00" + data[start + 6 :]
    shorter = data[:start] + b"\x00\x03\x04abc" + data[start + 6 :]

    assert "tag 0 ends 1 bytes from" in refused(FetchRequest, 12, longer)
    assert "cluster_id has length 3, 2 bytes are left" in refused(FetchRequest, 12, shorter)


def test_nullable_struct() -> None:
    for assignment in (None, Assignment()):
        message = ConsumerGroupHeartbeatResponse(assignment=assignment)
        assert ConsumerGroupHeartbeatResponse.from_bytes(message.to_bytes(0), 0) == message


def test_version_that_does_not_exist() -> None:
    assert refused(ConsumerGroupHeartbeatRequest, 99, b"") == "ConsumerGroupHeartbeatRequest has no version 99"
    assert refused(ProduceRequest, 2, b"") == "ProduceRequest has no version 2"
