"""A node's logs without the node: a store whose process may die and start again on the same disk."""

from collections.abc import Callable

from ottla.config.topic_options import TopicOptions
from ottla.log.partition_log import AppendOrigin, PartitionLog
from ottla.log.store.log_store import LogStore
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from tests.support.clocks import HandClock
from tests.support.memory_disk import MemoryDisk, SimRng

ORDERS = TopicPartition("orders", 0)
ID = bytes(range(16))
OPTIONS = TopicOptions()


class StoreNode:
    """A node whose process may die and start again on the same disk."""

    def __init__(self, *directories: str) -> None:
        self.directories = directories or ("/a",)
        self.disk = MemoryDisk()
        self.clock = HandClock()
        self.store: LogStore
        self.rng = SimRng(7)

    def start(self, options_for: Callable[[str], TopicOptions] = lambda topic: OPTIONS) -> LogStore:
        self.store = self.new_store()
        self.cluster_id = self.store.open_directories(None)
        self.store.load_logs(options_for)
        assert self.store.finish_loading() == []
        return self.store

    def new_store(self, node_id: int = 1) -> LogStore:
        return LogStore(disk=self.disk, directories=self.directories, node_id=node_id, rng=self.rng, clock=self.clock)

    def restart_after_kill(self) -> LogStore:
        self.disk = MemoryDisk(self.disk.kill())
        return self.start()

    def restart_after_power_loss(self) -> LogStore:
        self.disk = MemoryDisk(self.disk.power_loss(SimRng(3)))
        return self.start()


def append(log: PartitionLog, value: bytes = b"v", count: int = 1) -> None:
    for _ in range(count):
        batch = build_batch([Record(0, 1000, b"k", value)])
        log.append_as_leader(batch, leader_epoch=0, now_ms=1000, origin=AppendOrigin.CLIENT)
    log.advance_high_watermark(log.end_offset)


def flushed(log: PartitionLog) -> None:
    job = log.flush_job()
    assert job is not None
    job.run()
    log.flush_done(job)
