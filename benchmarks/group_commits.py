"""Offset commits per second: one group for each connection, with a sync before each ack and without.

Ottla syncs `__consumer_offsets` before it acknowledges a commit (`flush.messages=1`), Apache Kafka does not. Both are
measured three times: with their own default, and both with and both without the sync. One sync serves all commits that
wait for it, so there are many committers; each has one request in flight, as a consumer has.
"""

import struct
from functools import partial
from itertools import repeat

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Load, Put
from benchmarks.raw_client import CLIENT_ID, RawClient, check_code
from benchmarks.request_loop import LoopResult, closed_loop
from benchmarks.results import Row, at_least, at_most
from benchmarks.topics import fresh_name
from benchmarks.waiting import COORDINATOR_NOT_READY, retry
from ottla.protocol.exchange import encode_request
from ottla.protocol.generated import (
    describe_configs_request,
    incremental_alter_configs_request,
    offset_commit_request,
)
from ottla.protocol.generated.describe_configs_request import DescribeConfigsRequest
from ottla.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest

COMMIT_VERSION = 7
COMMITTERS = 200
FEW_COMMITTERS = 10
_OFFSETS = "__consumer_offsets"
_TOPIC, _SET, _DELETE = 2, 0, 1
_SET_FOR_THE_TOPIC = 1
_NEVER = str(2**63 - 1)


def rows() -> list[Row]:
    many = f"offset commits, {COMMITTERS} connections"
    few = f"offset commits, {FEW_COMMITTERS} connections"
    return [
        Row("groups.commits", f"{many}, own defaults (Ottla syncs)", "commits/s", at_least(2500, is_absolute=True)),
        Row("groups.commits.cpu", f"{many}, own defaults (Ottla syncs)", "CPU us/commit", at_most(0.5)),
        Row("groups.commits.synced", f"{many}, both flush.messages=1", "commits/s", at_least(1.0)),
        Row("groups.commits.unsynced", f"{many}, both without flush.messages", "commits/s", at_least(1.0)),
        Row("groups.commits.unsynced.cpu", f"{many}, both without flush.messages", "CPU us/commit", at_most(0.5)),
        Row("groups.commits.few.synced", f"{few}, both flush.messages=1", "commits/s", at_least(1.0)),
        Row("groups.commits.few.unsynced", f"{few}, both without flush.messages", "commits/s", at_least(1.0)),
    ]


def measure(node: BrokerNode, topic: str, load: Load, put: Put) -> None:
    frames = _frames(node, topic)

    def run(committers: int) -> LoopResult:
        sources = [repeat(frame) for frame in frames[:committers]]
        return closed_loop(node, sources, partial(check_commit, topic=topic), load.group_seconds)

    done = run(COMMITTERS)
    put("groups.commits", done.rate)
    put("groups.commits.cpu", done.cpu_us)
    before = _flush_messages(node)
    try:
        for key, messages in (("synced", "1"), ("unsynced", _NEVER)):
            _set_flush_messages(node, messages)
            done = run(COMMITTERS)
            put(f"groups.commits.{key}", done.rate)
            if key == "unsynced":
                put("groups.commits.unsynced.cpu", done.cpu_us)
            put(f"groups.commits.few.{key}", run(FEW_COMMITTERS).rate)
    finally:
        _set_flush_messages(node, before)


def commit_request(group: str, topic: str, offset: int) -> OffsetCommitRequest:
    """As a consumer without a group sends it."""
    partition = offset_commit_request.Partitions(partition_index=0, committed_offset=offset, committed_metadata="")
    topics = [offset_commit_request.Topics(name=topic, partitions=[partition])]
    return OffsetCommitRequest(group_id=group, generation_id_or_member_epoch=-1, member_id="", topics=topics)


def check_commit(response: memoryview, topic: str) -> None:
    """Positions: correlation id, throttle time, count, name, count, index, then the code."""
    (code,) = struct.unpack_from(">h", response, 22 + len(topic))
    check_code("commit", code)


def commit(client: RawClient, request: OffsetCommitRequest) -> None:
    check_code("commit", client.call(request, COMMIT_VERSION).topics[0].partitions[0].error_code)


def _frames(node: BrokerNode, topic: str) -> list[bytes]:
    """One request for each committer, of a group that has committed once: its coordinator is ready."""
    frames = []
    with RawClient(node) as client:
        for _ in range(COMMITTERS):
            request = commit_request(fresh_name("committer"), topic, 7)
            retry(partial(commit, client, request), COORDINATOR_NOT_READY, pause_s=0.05)
            frames.append(bytes(encode_request(1, CLIENT_ID, COMMIT_VERSION, request)))
    return frames


def _flush_messages(node: BrokerNode) -> str | None:
    """What is set for the topic; None where the broker's default holds."""
    resource = describe_configs_request.Resources(
        resource_type=_TOPIC, resource_name=_OFFSETS, configuration_keys=["flush.messages"]
    )
    with RawClient(node) as client:
        result = client.call(DescribeConfigsRequest(resources=[resource]), 3).results[0]
    check_code(f"describe {_OFFSETS}", result.error_code)
    return next((each.value for each in result.configs if each.config_source == _SET_FOR_THE_TOPIC), None)


def _set_flush_messages(node: BrokerNode, value: str | None) -> None:
    setting = incremental_alter_configs_request.Configs(
        name="flush.messages", config_operation=_DELETE if value is None else _SET, value=value
    )
    resource = incremental_alter_configs_request.Resources(
        resource_type=_TOPIC, resource_name=_OFFSETS, configs=[setting]
    )
    with RawClient(node) as client:
        code = client.call(IncrementalAlterConfigsRequest(resources=[resource]), 1).responses[0].error_code
    check_code(f"set flush.messages of {_OFFSETS}", code)
