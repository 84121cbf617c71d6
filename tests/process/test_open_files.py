"""Files of a real process: which stay open, and what happens when there are too few."""

import time
from pathlib import Path

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.alter_replica_log_dirs_request import AlterReplicaLogDirsRequest, Dirs
from ottla.protocol.generated.alter_replica_log_dirs_request import Topics as MovedTopic
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.records.reader import iterate_batches, iterate_records
from tests.support.batches import batch_of
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.partition_requests import create, fetch, fetch_of, produce
from tests.support.raw_frames import assert_serves
from tests.support.waiting import eventually
from tests.support.wire import Wire

MIB = 1 << 20


def test_what_was_removed_does_not_stay_open(start_broker: StartBroker, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    broker = start_broker(
        log_dirs=f"{first},{second}",
        log_segment_bytes=str(MIB),
        log_segment_delete_delay_ms="1",
        log_retention_check_interval_ms="200",
        log_cleaner_backoff_ms="100",
    )
    with Wire(broker) as wire:
        create(wire, "retained", retention_bytes="1")
        create(wire, "compacted", cleanup_policy="compact", min_cleanable_dirty_ratio="0.01")
        for topic in ("deleted", "moved"):
            create(wire, topic)
        for topic in ("deleted", "moved", "compacted", "retained"):
            for offset in range(4):
                assert produce(wire, topic, batch_of(bytes(MIB // 2), at_ms=int(time.time() * 1000))) == (0, offset)
                fetch(wire, fetch_of(topic, offset))
        before = _partition_directories(first, second)

        wire.ask(DeleteTopicsRequest(topic_names=["deleted"], timeout_ms=10_000), 5)
        target = second if before["moved-0"] == first else first
        wire.ask(AlterReplicaLogDirsRequest(dirs=[Dirs(str(target), [MovedTopic("moved", [0])])]), 2)

        eventually(lambda: _partition_directories(first, second).get("moved-0") == target, what="the replica moved")
        eventually(lambda: "compacted-0 compacted" in broker.output(), what="the topic is compacted")
        eventually(lambda: _segments(before["retained-0"] / "retained-0") == 1, what="old segments are removed")
        eventually(lambda: not _waiting_for_removal(first, second), what="everything is removed")
        assert broker.removed_but_open() == []


def test_more_partitions_are_served_than_files_may_be_open(start_broker: StartBroker) -> None:
    broker = start_broker(open_files=256)
    assert "only 256 files can be open at a time" in broker.output()
    with Wire(broker) as wire:
        create(wire, "many", 300)
        for partition in range(300):
            _insist(wire, "many", partition, b"first")
        assert [_values(wire, "many", partition) for partition in range(300)] == [[b"first"]] * 300
    assert broker.is_running()
    assert "is offline" not in broker.output()

    broker.kill()
    broker.start()

    with Wire(broker) as wire:
        for partition in range(300):
            _insist(wire, "many", partition, b"second")
        assert [_values(wire, "many", partition) for partition in range(300)] == [[b"first", b"second"]] * 300
    assert "is offline" not in broker.output()
    assert broker.stop() == 0


def test_clients_that_want_more_sockets_than_there_are_take_none_from_the_log(start_broker: StartBroker) -> None:
    broker = start_broker(open_files=256, max_connections="100000")
    with Wire(broker) as wire:
        create(wire, "orders")
        crowd = [broker.connect() for _ in range(400)]
        eventually(lambda: "max.connections" in broker.output(), what="some of them are refused")

        assert produce(wire, "orders", batch_of(b"first"))[0] == ErrorCode.NONE
        for connection in crowd:
            connection.close()
        eventually(lambda: _answers(broker), what="new clients are served again")
        assert produce(wire, "orders", batch_of(b"second"))[0] == ErrorCode.NONE
    assert "is offline" not in broker.output()
    assert broker.stop() == 0


def _insist(wire: Wire, topic: str, partition: int, value: bytes) -> None:
    """As clients do: KAFKA_STORAGE_ERROR is tried again."""

    def is_taken() -> bool:
        code, _ = produce(wire, topic, batch_of(value, at_ms=int(time.time() * 1000)), partition=partition)
        assert code in (ErrorCode.NONE, ErrorCode.KAFKA_STORAGE_ERROR)
        return code == ErrorCode.NONE

    eventually(is_taken, what=f"{topic}-{partition} takes a record")


def _values(wire: Wire, topic: str, partition: int) -> list[bytes | None]:
    [answer] = fetch(wire, fetch_of(topic, 0, partition=partition)).responses[0].partitions
    assert answer.error_code == ErrorCode.NONE
    data = bytes(answer.records)
    return [
        record.value for position, header in iterate_batches(data) for record in iterate_records(data, position, header)
    ]


def _answers(broker: BrokerProcess) -> bool:
    try:
        assert_serves(broker)
    except OSError:
        return False
    return True


def _partition_directories(*places: Path) -> dict[str, Path]:
    return {folder.name: place for place in places for folder in place.iterdir() if folder.is_dir()}


def _segments(folder: Path) -> int:
    return len(list(folder.glob("*.log")))


def _waiting_for_removal(*places: Path) -> list[Path]:
    found: list[Path] = []
    for place in places:
        for pattern in ("*-delete", "*/*.deleted"):
            try:
                found += place.glob(pattern)
            except FileNotFoundError:
                # A directory was removed while it was looked into: look again.
                found.append(place)
    return found
