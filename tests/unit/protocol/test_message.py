import pytest

from ottla.model.errors import LocalProtocolError
from ottla.protocol.generated.consumer_group_member_metadata_value import (
    ClassicMemberMetadata,
    ConsumerGroupMemberMetadataValue,
)
from ottla.protocol.generated.fetch_response import CurrentLeader, FetchResponse, Partitions
from ottla.protocol.generated.metadata_request import MetadataRequest, Topics
from ottla.protocol.generated.no_op_record import NoOpRecord
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.generated.sasl_authenticate_request import SaslAuthenticateRequest
from ottla.protocol.generated.topic_record import TopicRecord


def test_defaults_are_those_of_the_schema() -> None:
    request = MetadataRequest()
    assert (request.topics, request.allow_auto_topic_creation) == ([], True)
    assert Topics().topic_id == bytes(16)


def test_lists_are_not_shared_between_messages() -> None:
    MetadataRequest().topics.append(Topics(name="a"))  # type: ignore[union-attr]
    assert MetadataRequest().topics == []


def test_null_is_not_the_default_of_a_nullable_list() -> None:
    assert MetadataRequest(topics=None).topics is None


def test_default_of_a_tagged_struct_cannot_be_changed() -> None:
    partition = Partitions()
    with pytest.raises(AttributeError, match=r"assign a new CurrentLeader\(\.\.\.\) instead"):
        partition.current_leader.leader_id = 3

    assert Partitions().current_leader == CurrentLeader()
    assert repr(partition.current_leader) == "CurrentLeader(leader_id=-1, leader_epoch=-1)"


def test_default_of_a_tagged_struct_with_lists_is_a_new_one() -> None:
    first, second = ConsumerGroupMemberMetadataValue(), ConsumerGroupMemberMetadataValue()
    assert isinstance(first.classic_member_metadata, ClassicMemberMetadata)
    assert first.classic_member_metadata is not second.classic_member_metadata


def test_messages_are_equal_when_their_fields_are() -> None:
    assert TopicRecord("a", bytes(16)) == TopicRecord("a", bytes(16))
    assert TopicRecord("a", bytes(16)) != TopicRecord("b", bytes(16))
    assert TopicRecord("a", bytes(16)) != NoOpRecord()
    assert TopicRecord() != "a"


def test_messages_are_not_hashable() -> None:
    with pytest.raises(TypeError):
        hash(TopicRecord())


def test_repr_shows_ids_but_no_payloads_and_no_secrets() -> None:
    assert repr(PartitionData(1, b"secret")) == "PartitionData(index=1, records=<6 bytes>)"
    assert repr(SaslAuthenticateRequest(b"x" * 16)) == "SaslAuthenticateRequest(auth_bytes=<16 bytes>)"
    assert repr(TopicRecord("a", b"\x01" * 16)) == f"TopicRecord(name='a', topic_id={'01' * 16})"


def test_records_are_a_view_of_the_input() -> None:
    message = ProduceRequest(topic_data=[TopicData(name="a", partition_data=[PartitionData(0, b"batch")])])
    data = bytearray(message.to_bytes(7))
    read, _ = ProduceRequest.decode(data, 0, 7)

    data[data.index(b"batch")] = ord("c")

    assert bytes(read.topic_data[0].partition_data[0].records) == b"catch"


def test_decoding_starts_at_a_position() -> None:
    data = b"xxx" + TopicRecord("a", b"\x01" * 16).to_bytes(0) + b"yy"
    assert TopicRecord.decode(data, 3, 0) == (TopicRecord("a", b"\x01" * 16), len(data) - 2)


@pytest.mark.parametrize(
    ("message", "version"),
    [
        (TopicRecord(name=None), 0),  # type: ignore[arg-type]
        (TopicRecord(name="a" * 32768), 0),
        (TopicRecord(name="\ud800"), 0),
        (FetchResponse(throttle_time_ms=1 << 31), 12),
        (FetchResponse(responses=None), 12),  # type: ignore[arg-type]
        (TopicRecord(), 1),
    ],
)
def test_what_cannot_be_written_is_our_fault(message: TopicRecord, version: int) -> None:
    with pytest.raises(LocalProtocolError, match=type(message).__name__):
        message.to_bytes(version)


def test_fields_of_other_versions_are_left_out() -> None:
    with_rack, without = (MetadataRequest([Topics(name="a", topic_id=id_)]) for id_ in (b"\x01" * 16, bytes(16)))
    assert with_rack.to_bytes(9) == without.to_bytes(9)
    assert with_rack.to_bytes(10) != without.to_bytes(10)
