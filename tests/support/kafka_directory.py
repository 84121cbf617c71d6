"""Data directories that Apache Kafka 4.3 wrote, on a disk in memory, with the manifests that say what is in them."""

import json
import posixpath
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import PartitionLog
from ottla.log.store.log_store import LogStore
from ottla.model.topic import TopicPartition
from tests.support.clocks import HandClock
from tests.support.memory_disk import MemoryDisk, SimRng

ARCHIVE = Path(__file__).parents[1] / "data" / "kafka-4.3-data-dirs.tar.xz"
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"


@cache
def archived() -> dict[str, bytes]:
    with tarfile.open(ARCHIVE) as archive:
        files = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
        return {name: file.read() for name, file in files.items() if file is not None}


class KafkaDirectory:
    """`clean` was stopped, `unclean` was killed in a transaction; opened by a store of ours unless `start` is False."""

    def __init__(self, kind: str, *, start: bool = True) -> None:
        self.kind = kind
        self.disk = MemoryDisk()
        self.directory = f"/{kind}"
        for name, content in archived().items():
            if name.startswith(f"{kind}/"):
                self.disk.make_directories(f"/{posixpath.dirname(name)}")
                self.disk.open(f"/{name}", create=True).write_at(0, content)
        self.manifest: dict[str, Any] = json.loads(archived()[f"{kind}-manifest.json"])
        if start:
            self.store = self.start()

    def start(self) -> LogStore:
        store = self.new_store()
        assert store.open_directories(None) == CLUSTER_ID
        store.load_logs(self.options_for)
        assert store.finish_loading() == []
        return store

    def new_store(self, node_id: int = 1) -> LogStore:
        return LogStore(disk=self.disk, directories=[self.directory], node_id=node_id, rng=SimRng(1), clock=HandClock())

    @staticmethod
    def any_options(topic: str) -> TopicOptions:
        return TopicOptions({"retention.ms": "-1"})

    def options_for(self, topic: str) -> TopicOptions:
        entry = self.manifest["topics"].get(topic, {})
        return TopicOptions({"retention.ms": "-1", **entry.get("configs", {})})

    def partitions(self) -> list[tuple[PartitionLog, dict[str, Any]]]:
        return [
            (self.store.logs[TopicPartition(topic, int(index))], expected)
            for topic, entry in self.manifest["topics"].items()
            for index, expected in entry["partitions"].items()
        ]
