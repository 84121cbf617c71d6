"""Short ways to the requests that read and write one partition, in exact versions."""

from typing import Any

from ottla.protocol.generated import fetch_request, list_offsets_request, produce_request
from ottla.protocol.generated.create_topics_request import Configs, CreateTopicsRequest
from ottla.protocol.generated.create_topics_request import Topics as NewTopic
from tests.support.wire import Wire

#: The last version that names topics by their names.
FETCH_BY_NAME = 12


def create(wire: Wire, name: str, partition_count: int = 1, **configs: str) -> bytes:
    """The id of the new topic. Underscores in the names of settings stand for dots."""
    settings = [Configs(name=key.replace("_", "."), value=value) for key, value in configs.items()]
    request = CreateTopicsRequest(topics=[NewTopic(name, partition_count, 1, configs=settings)], timeout_ms=10_000)
    [topic] = wire.ask(request, 7).topics
    assert topic.error_code == 0, topic.error_message
    topic_id: bytes = topic.topic_id
    return topic_id


def produce(wire: Wire, topic: str, batch: bytes | bytearray, *, partition: int = 0, acks: int = -1) -> tuple[int, int]:
    """Error code and base offset."""
    data = produce_request.PartitionData(index=partition, records=batch)
    request = produce_request.ProduceRequest(
        acks=acks, timeout_ms=10_000, topic_data=[produce_request.TopicData(name=topic, partition_data=[data])]
    )
    [answer] = wire.ask(request, 9).responses[0].partition_responses
    return answer.error_code, answer.base_offset


def fetch_of(
    topic: str, offset: int, *, partition: int = 0, max_bytes: int = 1 << 20, **more: Any
) -> fetch_request.Topics:
    wanted = fetch_request.Partitions(partition=partition, fetch_offset=offset, partition_max_bytes=max_bytes, **more)
    return fetch_request.Topics(topic=topic, partitions=[wanted])


def fetch(wire: Wire, *topics: fetch_request.Topics, version: int = FETCH_BY_NAME, **more: Any) -> Any:
    return wire.ask(fetch_request_of(*topics, **more), version)


def fetch_request_of(*topics: fetch_request.Topics, **more: Any) -> fetch_request.FetchRequest:
    """Answered at once unless `more` says otherwise."""
    return fetch_request.FetchRequest(topics=list(topics), **{"max_wait_ms": 0, "min_bytes": 1, **more})


def list_offset(
    wire: Wire, topic: str, timestamp_ms: int, *, version: int = 11, partition: int = 0, **more: Any
) -> tuple[int, int, int]:
    """Error code, timestamp and offset."""
    wanted = list_offsets_request.Partitions(partition_index=partition, timestamp=timestamp_ms, **more)
    request = list_offsets_request.ListOffsetsRequest(
        replica_id=-1, topics=[list_offsets_request.Topics(topic, [wanted])]
    )
    [answer] = wire.ask(request, version).topics[0].partitions
    return answer.error_code, answer.timestamp, answer.offset
