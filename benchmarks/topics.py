"""Topics for the measurements: create, wait until they can be used, delete, size on disk."""

import uuid
from functools import partial
from pathlib import Path

from benchmarks.broker_node import BrokerNode
from benchmarks.raw_client import RawClient, check_code, fetch_frame, fetched
from benchmarks.waiting import LEADER_NOT_READY, retry, wait_for
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import create_topics_request, describe_log_dirs_request, metadata_request
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from ottla.protocol.generated.metadata_request import MetadataRequest

METADATA_VERSION = 8
_CREATE_VERSION = 4
_DELETE_VERSION = 3
_LOG_DIRS_VERSION = 1
_READY_TIMEOUT_S = 600
_LEADERS_ASKED_MAX = 100


def fresh_name(prefix: str) -> str:
    return f"{prefix}-{uuid.uuid4().hex[:8]}"


def create_topic(node: BrokerNode, name: str, partitions: int = 1, *, configs: dict[str, str] | None = None) -> None:
    """Returns when every partition has a leader that knows it; a topic that exists is fine.

    Of very many partitions only one leader is asked: creating those is measured.
    """
    with RawClient(node) as client:
        request_topic(client, name, partitions, configs=configs)
        wait_for(
            lambda: _led(client, name) == partitions, f"leaders of {name}", timeout_s=_READY_TIMEOUT_S, pause_s=0.005
        )
        for partition in range(partitions if partitions <= _LEADERS_ASKED_MAX else 1):
            retry(partial(_fetch_start, client, name, partition), LEADER_NOT_READY, timeout_s=_READY_TIMEOUT_S)


def request_topic(client: RawClient, name: str, partitions: int = 1, *, configs: dict[str, str] | None = None) -> None:
    """Returns with the response to CreateTopics: the partitions may not be usable yet."""
    wanted = create_topics_request.Topics(
        name=name,
        num_partitions=partitions,
        replication_factor=1,
        configs=[create_topics_request.Configs(name=key, value=value) for key, value in (configs or {}).items()],
    )
    response = client.call(CreateTopicsRequest(topics=[wanted], timeout_ms=120_000), _CREATE_VERSION)
    code = response.topics[0].error_code
    if code != ErrorCode.TOPIC_ALREADY_EXISTS:
        check_code(f"create topic {name}", code)


def _led(client: RawClient, name: str) -> int:
    """How many partitions have a leader."""
    request = MetadataRequest(topics=[metadata_request.Topics(name=name)], allow_auto_topic_creation=False)
    topic = client.call(request, METADATA_VERSION).topics[0]
    return sum(not partition.error_code and partition.leader_id >= 0 for partition in topic.partitions)


def _fetch_start(client: RawClient, name: str, partition: int) -> None:
    client.send(fetch_frame(name, partition, 0, max_wait_ms=0))
    fetched(client.receive(), name, 0)


def delete_topic(node: BrokerNode, name: str) -> None:
    with RawClient(node) as client:
        response = client.call(DeleteTopicsRequest(topic_names=[name], timeout_ms=120_000), _DELETE_VERSION)
    check_code(f"delete topic {name}", response.responses[0].error_code)


def remove_topic(node: BrokerNode, name: str) -> None:
    """Deletes it and returns when its directories have left the disk."""
    delete_topic(node, name)
    wait_for(lambda: not partition_directories(node, name), f"removal of {name}")


def partition_directories(node: BrokerNode, name: str) -> list[Path]:
    return list((node.directory / "data").glob(f"{name}-*"))


def size_on_disk(node: BrokerNode, name: str) -> int:
    """Bytes of partition 0."""
    wanted = describe_log_dirs_request.Topics(topic=name, partitions=[0])
    with RawClient(node) as client:
        response = client.call(DescribeLogDirsRequest(topics=[wanted]), _LOG_DIRS_VERSION)
    return sum(
        partition.partition_size
        for directory in response.results
        for topic in directory.topics
        for partition in topic.partitions
    )
