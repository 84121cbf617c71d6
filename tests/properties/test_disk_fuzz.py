"""Data directories with damaged files: each partition opens or goes offline with a reason, the others are as before.

Nothing but InvalidConfig may stop the node, and no log file is made shorter below its recovery point or removed.
"""

import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from ottla.log.store.log_store import LogStore
from ottla.model.errors import CorruptLog, InvalidConfig, Refused, RemoteProtocolError
from ottla.model.topic import TopicPartition
from ottla.records.record import Record
from tests.support.clocks import HandClock
from tests.support.kafka_directory import KafkaDirectory
from tests.support.log_view import committed_view, uncommitted_view
from tests.support.memory_disk import DiskImage, MemoryDisk, SimRng

MAY_HAPPEN = (CorruptLog, RemoteProtocolError, Refused, OSError)


@cache
def pristine(kind: str) -> tuple[DiskImage, dict[TopicPartition, list[Record]]]:
    opened = KafkaDirectory(kind, start=False)
    image = opened.disk.kill()
    opened.disk = MemoryDisk(image.copy())
    store = opened.start()
    return image, {tp: uncommitted_view(log) for tp, log in store.logs.items()}


def damage(disk: MemoryDisk, path: str, rng: random.Random) -> None:
    size = disk.size(path)
    file = disk.open(path)
    kind = rng.choice(["flip", "flip", "zero", "cut", "grow", "junk", "empty", "remove"])
    at = rng.randrange(size) if size else 0
    if kind == "flip" and size:
        file.write_at(at, bytes([file.read_at(at, 1)[0] ^ (1 << rng.randrange(8))]))
    elif kind == "zero":
        file.write_at(at, bytes(min(64, size - at)))
    elif kind == "cut":
        file.truncate(at)
    elif kind == "grow":
        file.write_at(size, rng.randbytes(rng.randrange(1, 200)))
    elif kind == "junk":
        file.write_at(0, rng.randbytes(size))
    elif kind == "empty":
        file.truncate(0)
    elif kind == "remove":
        disk.remove(path)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(["clean", "unclean"]))
def test_damage_stays_where_it_is(seed: int, kind: str) -> None:
    rng = random.Random(seed)
    image, expected = pristine(kind)
    disk = MemoryDisk(image.copy())
    paths = [path for path, _ in disk.image.files() if "__cluster_metadata" not in path]
    damaged = rng.sample(paths, rng.randint(1, 3))
    for path in damaged:
        damage(disk, path, rng)
    store = LogStore(disk=disk, directories=[f"/{kind}"], node_id=1, rng=SimRng(seed), clock=HandClock())

    try:
        store.open_directories(None)
    except InvalidConfig:
        assert any(path.endswith("meta.properties") for path in damaged)
        return
    store.load_logs(KafkaDirectory.any_options)

    is_local = all(path.count("/") == 3 for path in damaged)
    for topic_partition, records in expected.items():
        if any(f"/{topic_partition}/" in path for path in damaged):
            assert topic_partition in store.logs or topic_partition in store.offline
            read_if_possible(store, topic_partition)
        else:
            log = store.logs[topic_partition]
            assert log.end_offset >= (records[-1].offset + 1 if records else 0)
            if is_local:
                assert uncommitted_view(log) == records
    store.close(clean=True)


def read_if_possible(store: LogStore, topic_partition: TopicPartition) -> None:
    log = store.logs.get(topic_partition)
    if log is None:
        return
    try:
        committed_view(log)
        log.offset_for_time(0, log.end_offset)
        log.max_timestamp_offset()
    except MAY_HAPPEN:
        # After a clean stop closed files are trusted: damage shows when somebody reads.
        return
