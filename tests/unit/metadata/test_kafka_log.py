"""Metadata logs that Apache Kafka 4.3.0 wrote: one of a node that was stopped, one of a node that was killed."""

import lzma
from pathlib import Path
from typing import Any

import pytest

from ottla.config.broker_options import BrokerOptions
from ottla.controller.shard import ControllerShard
from ottla.coordination.shard import Now, RecordOrigin
from ottla.metadata.checkpoint import parse_checkpoint
from ottla.metadata.image import TOPIC_RESOURCE
from ottla.metadata.record_frame import MetadataRecordCodec
from ottla.protocol.generated.broker_registration_request import BrokerRegistrationRequest, Listeners
from ottla.records.reader import iterate_batches, iterate_records
from ottla.sim.rng import SimRng

DATA = Path(__file__).parent / "data"
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"
PARTITION_COUNTS = {
    "codec-none": 2,
    "codec-gzip": 2,
    "codec-snappy": 2,
    "codec-lz4": 2,
    "codec-zstd": 2,
    "rolled": 1,
    "compacted": 1,
    "txn": 2,
    "__transaction_state": 4,
    "trimmed": 1,
    "__consumer_offsets": 4,
    "txn-open": 1,
}


def unpacked(name: str) -> bytes:
    return lzma.decompress((DATA / f"{name}.xz").read_bytes())


def loaded(kind: str) -> ControllerShard:
    shard = ControllerShard(node_id=1, cluster_id=CLUSTER_ID, options=BrokerOptions({}), rng=SimRng(1))
    data = unpacked(f"kafka-4.3-{kind}-metadata.log")
    codec = MetadataRecordCodec()
    for position, header in iterate_batches(data, allow_partial=True):
        for record in iterate_records(data, position, header):
            if header.is_control:
                shard.advance_to(record.offset, record.timestamp_ms, header.leader_epoch)
            else:
                decoded = codec.decode(record.key, record.value)
                shard.apply(decoded, RecordOrigin(record.offset, record.timestamp_ms))
    return shard


def carry_out(shard: ControllerShard, records: list[Any]) -> None:
    for record in records:
        shard.apply(record, RecordOrigin(shard.image.offset + 1, 0))


@pytest.mark.parametrize("kind", ["clean", "unclean"])
def test_topics_ids_and_configs_are_found_and_the_deleted_topic_is_gone(kind: str) -> None:
    image = loaded(kind).image

    assert {topic.name: topic.partition_count for topic in image.topics} == PARTITION_COUNTS
    assert all(topic.topic_id for topic in image.topics)
    assert image.config_overrides(TOPIC_RESOURCE, "rolled") == {
        "segment.bytes": "1048576",
        "index.interval.bytes": "512",
    }
    assert image.config_overrides(TOPIC_RESOURCE, "compacted")["cleanup.policy"] == "compact"
    assert image.feature_level("metadata.version") == 30
    assert image.next_producer_id == 1000


def test_a_node_that_was_stopped_cleanly_is_elected_again() -> None:
    shard = loaded("clean")
    before = shard.image
    partition = before.partition("txn", 0)
    assert partition is not None
    assert (partition.leader, partition.isr, partition.eligible_leader_replicas) == (-1, (), (1,))

    request = BrokerRegistrationRequest(
        broker_id=1,
        cluster_id=CLUSTER_ID,
        incarnation_id=b"i" * 16,
        listeners=[Listeners("PLAINTEXT", "127.0.0.1", 9092, 0)],
        log_dirs=list(before.brokers[1].log_dirs),
        previous_broker_epoch=before.brokers[1].epoch,
    )
    carry_out(shard, shard.on_loaded(Now(0, 0)).records)
    carry_out(shard, shard.start_single_node(request, Now(0, 0)).records)

    partition = shard.image.partition("txn", 0)
    assert partition is not None
    assert (partition.leader, partition.isr, partition.leader_epoch) == (1, (1,), 4)
    assert (partition.eligible_leader_replicas, partition.last_known_elr) == ((), ())
    assert shard.image.is_alive(1)
    leaders = {each.leader for topic in shard.image.topics for each in topic.partitions.values()}
    assert leaders == {1}


def test_the_bootstrap_checkpoint_of_a_formatted_directory_is_read() -> None:
    found = parse_checkpoint(unpacked("kafka-4.3-bootstrap.checkpoint"), "bootstrap.checkpoint")

    levels = {record.name: record.feature_level for record in found.records}
    assert levels["metadata.version"] == 30
    assert levels["transaction.version"] == 2
