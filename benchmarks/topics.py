"""Topics for the measurements: create, wait until they can be used, delete, size on disk."""

import time
import uuid

from benchmarks.broker_node import BrokerNode
from benchmarks.raw_client import RawClient, RequestFailed, fetch_frame, fetched
from ottla.protocol.generated import create_topics_request, describe_log_dirs_request, metadata_request
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from ottla.protocol.generated.metadata_request import MetadataRequest

_CREATE_VERSION = 4
_DELETE_VERSION = 3
_METADATA_VERSION = 8
_LOG_DIRS_VERSION = 1
_ALREADY_EXISTS = 36
_USABLE_LIMIT_S = 600
#: A broker may hear of its leadership a moment after the clients do.
_NOT_YET = (3, 6)
_ALL_ARE_ASKED = 100


def fresh_name(prefix: str) -> str:
    return f"{prefix}-{uuid.uuid4().hex[:8]}"


def create_topic(node: BrokerNode, name: str, partitions: int = 1, *, configs: dict[str, str] | None = None) -> None:
    """Returns when every partition has a leader that knows it; a topic that exists is fine.

    Of very many partitions only one leader is asked: creating those is measured.
    """
    wanted = create_topics_request.Topics(
        name=name,
        num_partitions=partitions,
        replication_factor=1,
        configs=[create_topics_request.Configs(name=key, value=value) for key, value in (configs or {}).items()],
    )
    with RawClient(node) as client:
        answer = client.call(CreateTopicsRequest(topics=[wanted], timeout_ms=120_000), _CREATE_VERSION)
        code = answer.topics[0].error_code
        if code not in (0, _ALREADY_EXISTS):
            raise RequestFailed(f"create topic {name}", code)
        _await_leaders(client, name, partitions)
        for partition in range(partitions if partitions <= _ALL_ARE_ASKED else 1):
            _await_readable(client, name, partition)


def _await_leaders(client: RawClient, name: str, partitions: int) -> None:
    limit = time.monotonic() + _USABLE_LIMIT_S
    request = MetadataRequest(topics=[metadata_request.Topics(name=name)], allow_auto_topic_creation=False)
    while time.monotonic() < limit:
        topic = client.call(request, _METADATA_VERSION).topics[0]
        led = sum(not partition.error_code and partition.leader_id >= 0 for partition in topic.partitions)
        if not topic.error_code and led == partitions:
            return
        time.sleep(0.005)
    raise RequestFailed(f"wait for topic {name}", topic.error_code)


def _await_readable(client: RawClient, name: str, partition: int) -> None:
    limit = time.monotonic() + _USABLE_LIMIT_S
    while True:
        try:
            client.send(fetch_frame(name, partition, 0, max_wait_ms=0))
            fetched(client.receive(), name, 0)
            return
        except RequestFailed as failure:
            if failure.code not in _NOT_YET or time.monotonic() > limit:
                raise
            time.sleep(0.005)


def delete_topic(node: BrokerNode, name: str) -> None:
    with RawClient(node) as client:
        answer = client.call(DeleteTopicsRequest(topic_names=[name], timeout_ms=120_000), _DELETE_VERSION)
    code = answer.responses[0].error_code
    if code:
        raise RequestFailed(f"delete topic {name}", code)


def size_on_disk(node: BrokerNode, name: str) -> int:
    """Bytes of partition 0."""
    wanted = describe_log_dirs_request.Topics(topic=name, partitions=[0])
    with RawClient(node) as client:
        answer = client.call(DescribeLogDirsRequest(topics=[wanted]), _LOG_DIRS_VERSION)
    return sum(
        partition.partition_size
        for directory in answer.results
        for topic in directory.topics
        for partition in topic.partitions
    )
