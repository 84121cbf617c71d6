"""Data directories of Apache Kafka 4.3: Ottla, started on a copy, serves exactly what Kafka's clients read from them.

The manifests beside the directories say what that is. `clean` was stopped, `unclean` was killed in a transaction.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, ResourceType

from ottla.protocol.generated.metadata_request import MetadataRequest
from tests.support.archives import unpack
from tests.support.broker_process import BrokerProcess
from tests.support.transactional_client import state_of
from tests.support.waiting import eventually
from tests.support.whole_partitions import as_in_manifest, read_to_ends
from tests.support.wire import Wire

ARCHIVE = Path(__file__).parent.parent / "data" / "kafka-4.3-data-dirs.tar.xz"
#: The data grow old: nothing of them may be retired or expire while they are compared.
KEEP_ALL: dict[str, Any] = {
    "log_retention_ms": "-1",
    "log_cleaner_enable": "false",
    "offsets_retention_minutes": "2147483647",
    "transactional_id_expiration_ms": "2147483647",
    "producer_id_expiration_ms": "2147483647",
}
#: Config sources of DescribeConfigs.
TOPIC_SOURCE = 1


class KafkaData:
    """A copy of one directory, its manifest, and the broker that runs on it."""

    def __init__(self, kind: str, directory: Path) -> None:
        unpack(ARCHIVE, directory)
        (directory / kind).rename(directory / "logs")
        self.kind = kind
        self.logs = directory / "logs"
        self.manifest: dict[str, Any] = json.loads((directory / f"{kind}-manifest.json").read_text())
        self.topic_ids = {
            folder.name.rpartition("-")[0]: (folder / "partition.metadata").read_text().split("topic_id: ")[1].strip()
            for folder in self.logs.iterdir()
            if (folder / "partition.metadata").exists() and not folder.name.startswith("__cluster_metadata")
        }
        self.broker = BrokerProcess(directory, **KEEP_ALL).start()
        self.address = self.broker.address

    def partitions(self) -> list[tuple[str, int, dict[str, Any]]]:
        return [
            (name, int(index), partition)
            for name, topic in self.manifest["topics"].items()
            for index, partition in topic["partitions"].items()
        ]


@pytest.fixture(scope="module", params=["clean", "unclean"])
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaData]:
    made = KafkaData(request.param, tmp_path_factory.mktemp(request.param))
    # The transaction that both have open has timed out long ago and is ended at the start.
    eventually(lambda: state_of(made.broker, "t-open") == "CompleteAbort")
    yield made
    assert "Traceback" not in made.broker.output(), made.broker.output()
    assert made.broker.stop() == 0


def expected_records(topic: str, partition: dict[str, Any], isolation_level: str) -> Any:
    if topic == "txn-open" and isolation_level == "read_committed":
        # Was hidden behind the open transaction when the manifest was written; the abort shows what lies behind it.
        return [each for each in partition["read_uncommitted"] if each[3] in ("before", "after")]
    return partition[isolation_level]


@pytest.mark.parametrize("isolation_level", ["read_uncommitted", "read_committed"])
def test_every_record_is_served(data: KafkaData, isolation_level: str) -> None:
    found = read_to_ends(data.address, [place[:2] for place in data.partitions()], isolation_level)

    for topic, index, partition in data.partitions():
        records: Any = [as_in_manifest(message) for message in found[topic, index]]
        expected = expected_records(topic, partition, isolation_level)
        if isinstance(expected, dict):
            records = {"count": len(records), "first": records[0], "last": records[-1]}
        assert records == expected, f"{topic}-{index}"


def test_first_and_last_offsets_are_the_same(data: KafkaData) -> None:
    consumer = Consumer({"bootstrap.servers": data.address, "group.id": "check", "isolation.level": "read_committed"})

    found = {
        (topic, index): consumer.get_watermark_offsets(TopicPartition(topic, index), timeout=40)
        for topic, index, _ in data.partitions()
    }
    consumer.close()

    expected = {(topic, index): tuple(partition["start_end"]) for topic, index, partition in data.partitions()}
    expected["txn-open", 0] = (0, 4)  # with the marker of the abort
    assert found == expected


def test_topic_ids_and_the_cluster_id_are_kept(data: KafkaData) -> None:
    with Wire(data.broker) as wire:
        answer = wire.ask(MetadataRequest(topics=None), 12)

    found = {topic.name: base64.urlsafe_b64encode(topic.topic_id).decode().rstrip("=") for topic in answer.topics}
    assert found == data.topic_ids
    assert answer.cluster_id == data.manifest["cluster_id"]
    assert {name for name in found if not name.startswith("__")} == set(data.manifest["topics"])


def test_configs_are_kept(data: KafkaData) -> None:
    admin = AdminClient({"bootstrap.servers": data.address})
    names = list(data.manifest["topics"])

    described = admin.describe_configs([ConfigResource(ResourceType.TOPIC, name) for name in names])

    found = {
        resource.name: {row.name: row.value for row in future.result(20).values() if row.source == TOPIC_SOURCE}
        for resource, future in described.items()
    }
    assert found == {name: data.manifest["topics"][name]["configs"] for name in names}


@pytest.mark.parametrize("group", ["group-classic", "group-consumer"])
def test_committed_offsets_are_kept(data: KafkaData, group: str) -> None:
    expected = data.manifest["offsets"][group]
    consumer = Consumer({"bootstrap.servers": data.address, "group.id": group})
    asked = [TopicPartition(name.rpartition("-")[0], int(name.rpartition("-")[2])) for name in expected]

    found = {f"{each.topic}-{each.partition}": each.offset for each in consumer.committed(asked, timeout=20)}
    consumer.close()

    assert found == expected


def test_new_records_go_on_behind_the_old_ones(data: KafkaData) -> None:
    """The last test on these directories: it writes. Then a restart, to see both old and new again."""
    places: dict[str, int] = {}
    producer = Producer({"bootstrap.servers": data.address, "enable.idempotence": True})
    for topic in ("codec-zstd", "rolled", "trimmed", "txn"):
        producer.produce(
            topic,
            b"new",
            partition=0,
            on_delivery=lambda _, message: places.update({message.topic() or "": message.offset() or 0}),
        )
    assert producer.flush(20) == 0
    ends = {name: data.manifest["topics"][name]["partitions"]["0"]["start_end"][1] for name in places}
    assert places == ends

    assert data.broker.stop() == 0
    data.broker.start()

    found = read_to_ends(data.address, [(topic, 0) for topic in ends], "read_committed")
    assert {topic: (found[topic, 0][-1].offset(), found[topic, 0][-1].value()) for topic in ends} == {
        topic: (offset, b"new") for topic, offset in ends.items()
    }
