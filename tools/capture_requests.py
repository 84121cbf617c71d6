"""Records what real clients send: `python tools/capture_requests.py > tests/data/captured-requests.jsonl`.

A socket that answers just well enough (one broker, one partition per topic, every coordinator here, nothing to fetch)
for producers, consumers, transactions and admin calls of the installed clients to go through their first steps. One
request is kept per client, API and version. Uses the codec itself to answer, so look at what it records.
"""

import asyncio
import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version as installed_version
from typing import Any

from ottla.protocol.api_keys import ApiKey, response_class
from ottla.protocol.exchange import decode_request, encode_response
from ottla.protocol.generated import add_partitions_to_txn_response as transaction
from ottla.protocol.generated import api_versions_response as versions
from ottla.protocol.generated import consumer_group_heartbeat_response as heartbeat
from ottla.protocol.generated import describe_cluster_response as cluster
from ottla.protocol.generated import describe_groups_response as described
from ottla.protocol.generated import fetch_response as fetch
from ottla.protocol.generated import find_coordinator_response as coordinator
from ottla.protocol.generated import init_producer_id_response as producer_id
from ottla.protocol.generated import join_group_response as join
from ottla.protocol.generated import list_offsets_response as offsets
from ottla.protocol.generated import metadata_response as metadata
from ottla.protocol.generated import offset_fetch_response as committed
from ottla.protocol.generated import produce_response as produce
from ottla.protocol.generated import sync_group_response as sync
from ottla.protocol.generated.catalog import APIS
from ottla.protocol.generated.consumer_protocol_assignment import AssignedPartitions, ConsumerProtocolAssignment
from ottla.protocol.header import read_request_header
from ottla.protocol.message import Message

TOPIC = "orders"
TOPIC_ID = bytes(range(16))
HOST = "127.0.0.1"


class Recorder:
    """Listens, answers, and keeps the longest request of each API and version."""

    def __init__(self) -> None:
        self._listener = socket.create_server((HOST, 0))
        self.port = self._listener.getsockname()[1]
        self.requests: dict[tuple[int, int], bytes] = {}
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        stream = connection.makefile("rb")
        with suppress(OSError):
            while size := stream.read(4):
                frame = stream.read(struct.unpack(">i", size)[0])
                answer = self._answer(frame)
                if answer is not None:
                    connection.sendall(answer)

    def _answer(self, frame: bytes) -> bytes | None:
        header, position = read_request_header(frame)
        key, version = header.api_key, header.api_version
        self.requests[key, version] = max(self.requests.get((key, version), b""), frame, key=len)
        if version > APIS[key][3]:
            refusal = versions.ApiVersionsResponse(35, [versions.ApiKeys(18, 0, 4)])
            return bytes(encode_response(header.correlation_id, key, 0, refusal))
        request: Any = decode_request(key, version, frame, position)
        if key == ApiKey.PRODUCE and request.acks == 0:
            return None
        answer = ANSWERS.get(key, lambda request, port: response_class(key)())(request, self.port)
        return bytes(encode_response(header.correlation_id, key, version, answer))

    def close(self) -> None:
        self._listener.close()


def answer_versions(request: Any, port: int) -> Message:
    keys = [versions.ApiKeys(key, row[2], row[4]) for key, row in APIS.items()]
    features = [versions.FinalizedFeatures("group.version", 1, 1)]
    return versions.ApiVersionsResponse(0, keys, finalized_features_epoch=1, finalized_features=features)


def answer_metadata(request: Any, port: int) -> Message:
    names = [TOPIC] if request.topics is None else [topic.name or TOPIC for topic in request.topics]
    partition = metadata.Partitions(0, 0, 1, 0, [1], [1])
    topics = [metadata.Topics(0, name, TOPIC_ID, False, [partition]) for name in names]
    return metadata.MetadataResponse(0, [metadata.Brokers(1, HOST, port)], "capture", 1, topics)


def answer_coordinator(request: Any, port: int) -> Message:
    found = [coordinator.Coordinators(key, 1, HOST, port) for key in request.coordinator_keys]
    return coordinator.FindCoordinatorResponse(coordinators=found, node_id=1, host=HOST, port=port)


def answer_join(request: Any, port: int) -> Message:
    protocol = request.protocols[0]
    member = join.Members("member-1", None, protocol.metadata)
    return join.JoinGroupResponse(0, 0, 1, "consumer", protocol.name, "member-1", False, "member-1", [member])


def answer_sync(request: Any, port: int) -> Message:
    assignment = ConsumerProtocolAssignment([AssignedPartitions(TOPIC, [0])])
    return sync.SyncGroupResponse(0, 0, "consumer", "range", b"\0\0" + assignment.to_bytes(0))


def answer_produce(request: Any, port: int) -> Message:
    topics = [
        produce.Responses(t.topic_id, t.name, [produce.PartitionResponses(p.index) for p in t.partition_data])
        for t in request.topic_data
    ]
    return produce.ProduceResponse(topics)


def answer_fetch(request: Any, port: int) -> Message:
    time.sleep(0.2)
    topics = [
        fetch.Responses(t.topic_id, t.topic, [fetch.Partitions(p.partition, records=b"") for p in t.partitions])
        for t in request.topics
    ]
    return fetch.FetchResponse(responses=topics)


def answer_offsets(request: Any, port: int) -> Message:
    topics = [
        offsets.Topics(t.name, [offsets.Partitions(p.partition_index, 0, -1, 0, 0) for p in t.partitions])
        for t in request.topics
    ]
    return offsets.ListOffsetsResponse(topics=topics)


def answer_committed(request: Any, port: int) -> Message:
    topics = [
        committed.Topics(t.name, [committed.Partitions(index, -1) for index in t.partition_indexes])
        for t in request.topics or ()
    ]
    groups = [
        committed.Groups(
            group.group_id,
            [
                committed.GroupsTopics(
                    t.topic_id, t.name, [committed.GroupsTopicsPartitions(i, -1) for i in t.partition_indexes]
                )
                for t in group.topics or ()
            ],
        )
        for group in request.groups
    ]
    return committed.OffsetFetchResponse(0, groups, topics)


def answer_cluster(request: Any, port: int) -> Message:
    return cluster.DescribeClusterResponse(
        cluster_id="capture", controller_id=1, brokers=[cluster.Brokers(1, HOST, port)]
    )


def answer_heartbeat(request: Any, port: int) -> Message:
    assignment = heartbeat.Assignment([heartbeat.TopicPartitions(TOPIC_ID, [0])])
    return heartbeat.ConsumerGroupHeartbeatResponse(0, 0, None, request.member_id, 1, 500, assignment)


def answer_described(request: Any, port: int) -> Message:
    return described.DescribeGroupsResponse(0, [described.Groups(group_id=group) for group in request.groups])


def answer_transaction(request: Any, port: int) -> Message:
    results = [
        transaction.ResultsByTopicV3AndBelow(
            topic.name, [transaction.ResultsByPartition(index) for index in topic.partitions]
        )
        for topic in request.v3_and_below_topics
    ]
    return transaction.AddPartitionsToTxnResponse(results_by_topic_v3_and_below=results)


ANSWERS: dict[int, Callable[[Any, int], Message]] = {
    ApiKey.API_VERSIONS: answer_versions,
    ApiKey.METADATA: answer_metadata,
    ApiKey.FIND_COORDINATOR: answer_coordinator,
    ApiKey.JOIN_GROUP: answer_join,
    ApiKey.SYNC_GROUP: answer_sync,
    ApiKey.PRODUCE: answer_produce,
    ApiKey.FETCH: answer_fetch,
    ApiKey.LIST_OFFSETS: answer_offsets,
    ApiKey.OFFSET_FETCH: answer_committed,
    ApiKey.INIT_PRODUCER_ID: lambda request, port: producer_id.InitProducerIdResponse(0, 0, 7, 0),
    ApiKey.DESCRIBE_CLUSTER: answer_cluster,
    ApiKey.DESCRIBE_GROUPS: answer_described,
    ApiKey.CONSUMER_GROUP_HEARTBEAT: answer_heartbeat,
    ApiKey.ADD_PARTITIONS_TO_TXN: answer_transaction,
}


@contextmanager
def step(name: str) -> Iterator[None]:
    """One thing that a client does; it may fail, because the answers are thin."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever a client makes of thin answers
        print(f"{name}: {type(error).__name__} {error}", file=sys.stderr)


def drive_confluent(servers: str) -> None:
    from confluent_kafka import Consumer, Producer
    from confluent_kafka import TopicPartition as Partition
    from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic

    base = {"bootstrap.servers": servers, "client.id": "capture"}
    for extra in ({}, {"enable.idempotence": True, "compression.type": "zstd"}):
        with step("confluent produce"):
            producer = Producer({**base, **extra})
            producer.produce(TOPIC, b"value", b"key", headers={"a": b"b"})
            producer.flush(5)
    with step("confluent transaction"):
        producer = Producer({**base, "transactional.id": "tx"})
        producer.init_transactions(5)
        producer.begin_transaction()
        producer.produce(TOPIC, b"value")
        producer.commit_transaction(5)
    for extra in ({}, {"group.protocol": "consumer"}):
        with step("confluent consume"):
            consumer = Consumer({**base, "group.id": "g", "auto.offset.reset": "earliest", **extra})
            consumer.subscribe([TOPIC])
            for _ in range(8):
                consumer.poll(0.5)
            consumer.commit(offsets=[Partition(TOPIC, 0, 1)], asynchronous=True)
            consumer.poll(0.5)
            consumer.close()
    admin = AdminClient(base)
    calls: list[Callable[[], Any]] = [
        lambda: admin.create_topics([NewTopic("new", 2, 1, config={"cleanup.policy": "compact"})], operation_timeout=1),
        lambda: admin.create_partitions([NewPartitions(TOPIC, 3)]),
        lambda: admin.delete_topics([TOPIC]),
        lambda: admin.describe_configs([ConfigResource("topic", TOPIC)]),
        lambda: admin.list_consumer_groups(),
        lambda: admin.describe_cluster(),
        lambda: admin.delete_records([Partition(TOPIC, 0, 1)]),
    ]
    for call in calls:
        with step("confluent admin"):
            answer = call()
            for future in answer.values() if isinstance(answer, dict) else [answer]:
                future.result(3)


async def drive_aiokafka(servers: str) -> None:
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
    from aiokafka.admin import AIOKafkaAdminClient, NewTopic

    base = {"bootstrap_servers": servers, "client_id": "capture"}
    for extra in ({}, {"enable_idempotence": True}, {"transactional_id": "tx"}):
        with step(f"aiokafka produce {extra}"):
            producer = AIOKafkaProducer(**base, **extra)
            await asyncio.wait_for(producer.start(), 5)
            if "transactional_id" in extra:
                await producer.begin_transaction()
            await asyncio.wait_for(producer.send_and_wait(TOPIC, b"value", b"key"), 5)
            if "transactional_id" in extra:
                await asyncio.wait_for(producer.commit_transaction(), 5)
            await asyncio.wait_for(producer.stop(), 5)
    with step("aiokafka consume"):
        consumer = AIOKafkaConsumer(TOPIC, group_id="g", auto_offset_reset="earliest", **base)
        await asyncio.wait_for(consumer.start(), 5)
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(consumer.getmany(timeout_ms=1500), 4)
        await asyncio.wait_for(consumer.stop(), 5)
    with step("aiokafka admin"):
        admin = AIOKafkaAdminClient(**base)
        await asyncio.wait_for(admin.start(), 5)
        for call in (
            lambda: admin.create_topics([NewTopic("new", 1, 1)]),
            lambda: admin.list_consumer_groups(),
            lambda: admin.describe_consumer_groups(["g"]),
            lambda: admin.delete_topics([TOPIC]),
        ):
            with step("aiokafka admin call"):
                await asyncio.wait_for(call(), 5)
        await admin.close()


def drive_kafka_python(servers: str) -> None:
    from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer

    base = {"bootstrap_servers": servers, "client_id": "capture"}
    with step("kafka-python produce"):
        producer = KafkaProducer(**base)
        producer.send(TOPIC, b"value", b"key").get(5)
        producer.close(3)
    with step("kafka-python transaction"):
        producer = KafkaProducer(**base, transactional_id="tx")
        producer.init_transactions()
        producer.begin_transaction()
        producer.send(TOPIC, b"value").get(5)
        producer.commit_transaction()
        producer.close(3)
    with step("kafka-python consume"):
        consumer = KafkaConsumer(TOPIC, group_id="g", auto_offset_reset="earliest", consumer_timeout_ms=4000, **base)
        consumer.poll(3000)
        consumer.commit()
        consumer.close()
    with step("kafka-python admin"):
        admin = KafkaAdminClient(**base)
        for call in (
            lambda: admin.list_topics(),
            lambda: admin.list_groups(),
            lambda: admin.describe_groups(["g"]),
            lambda: admin.describe_cluster(),
            lambda: admin.create_topics({"new": {"num_partitions": 1, "replication_factor": 1}}),
            lambda: admin.delete_topics([TOPIC]),
            lambda: admin.list_transactions(),
            lambda: admin.describe_log_dirs(),
        ):
            with step("kafka-python admin call"):
                call()
        admin.close()


def main() -> None:
    drives: dict[str, Callable[[str], Any]] = {
        "confluent-kafka": drive_confluent,
        "aiokafka": lambda servers: asyncio.run(drive_aiokafka(servers)),
        "kafka-python": drive_kafka_python,
    }
    for client, drive in drives.items():
        recorder = Recorder()
        drive(f"{HOST}:{recorder.port}")
        for (key, version), frame in sorted(recorder.requests.items()):
            row = {"client": f"{client} {installed_version(client)}", "api": APIS[key][0], "version": version}
            print(json.dumps({**row, "hex": frame.hex()}))
        recorder.close()


if __name__ == "__main__":
    main()
