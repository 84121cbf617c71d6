"""Stored bytes that make no sense: who asks for them is told, and everybody is served as before."""

from pathlib import Path

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import offset_commit_request, offset_fetch_request
from ottla.protocol.generated.alter_replica_log_dirs_request import AlterReplicaLogDirsRequest, Dirs
from ottla.protocol.generated.alter_replica_log_dirs_request import Topics as MovedTopic
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.records.batch import patch_checksum
from ottla.records.builder import build_batch
from ottla.records.record import Record
from tests.support.batches import START_MS, batch_of
from tests.support.broker_process import StartBroker
from tests.support.partition_requests import create, fetch, fetch_of, list_offset, produce
from tests.support.waiting import eventually
from tests.support.wire import Wire

MAX_TIMESTAMP = -3
#: Places in the header of a batch.
LENGTH_BYTE, MAGIC_BYTE = 8, 16


def unreadable_batch() -> bytearray:
    """Its header is in order, its record is not: a broker that does not look at records takes it."""
    batch = batch_of(b"abc")
    batch[-5] = 0x7E  # the length of the value
    patch_checksum(batch, 0, len(batch))
    return batch


def test_records_that_cannot_be_read_do_not_end_the_connection_of_who_asks_by_time(start_broker: StartBroker) -> None:
    broker = start_broker()
    with Wire(broker) as wire:
        create(wire, "orders")
        assert produce(wire, "orders", unreadable_batch()) == (0, 0)

        for time_ms in (START_MS, MAX_TIMESTAMP):
            assert list_offset(wire, "orders", time_ms)[0] == ErrorCode.CORRUPT_MESSAGE

        assert produce(wire, "orders", batch_of(b"next", at_ms=START_MS + 1000)) == (0, 1)
        assert list_offset(wire, "orders", START_MS + 500) == (0, START_MS + 1000, 1)
    assert "Traceback" not in broker.output()
    assert broker.output().count("orders-0: corrupt") == 1


def damage(segment: Path, position: int) -> None:
    data = bytearray(segment.read_bytes())
    data[position] = 0xFF
    segment.write_bytes(data)


@pytest.mark.parametrize("damaged_byte", [LENGTH_BYTE, MAGIC_BYTE], ids=["length", "magic"])
def test_a_damaged_segment_is_told_to_its_readers_and_the_others_are_read(
    start_broker: StartBroker, damaged_byte: int
) -> None:
    broker = start_broker()
    with Wire(broker) as wire:
        create(wire, "orders", segment_bytes="1048576")
        for offset in range(3):
            # Two of them do not go into one segment.
            assert produce(wire, "orders", batch_of(bytes(600_000))) == (0, offset)
    assert broker.stop() == 0
    damage(broker.log_directory / "orders-0" / "00000000000000000000.log", damaged_byte)

    broker.start()

    with Wire(broker) as wire:
        codes = [fetch(wire, fetch_of("orders", offset)).responses[0].partitions[0].error_code for offset in range(3)]
        assert codes == [ErrorCode.CORRUPT_MESSAGE, 0, 0]
    assert "Traceback" not in broker.output()
    assert "orders-0: corrupt" in broker.output()


def test_a_producer_whose_earlier_batches_are_damaged_is_told(start_broker: StartBroker) -> None:
    """They are read back after a restart when an old one seems to come again."""

    def sent(number: int) -> bytearray:
        # Two of them do not go into one segment.
        return batch_of(bytes(600_000), producer=(1000, 0, number))

    broker = start_broker()
    with Wire(broker) as wire:
        create(wire, "orders", segment_bytes="1048576")
        assert [produce(wire, "orders", sent(number)) for number in range(3)] == [(0, 0), (0, 1), (0, 2)]
    assert broker.stop() == 0
    damage(broker.log_directory / "orders-0" / "00000000000000000000.log", MAGIC_BYTE)

    broker.start()

    with Wire(broker) as wire:
        assert produce(wire, "orders", sent(0))[0] == ErrorCode.KAFKA_STORAGE_ERROR
        assert produce(wire, "orders", sent(3)) == (0, 3)
        # Now on the short way.
        assert produce(wire, "orders", sent(0))[0] == ErrorCode.KAFKA_STORAGE_ERROR
    assert "Traceback" not in broker.output()
    assert "orders-0: corrupt" in broker.output()


@pytest.mark.parametrize("damaged_offset", [0, 1], ids=["at the start", "on the way"])
def test_a_damaged_partition_that_is_to_be_moved_stays_where_it_is(
    start_broker: StartBroker, tmp_path: Path, damaged_offset: int
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    broker = start_broker(log_dirs=f"{here},{there}")
    with Wire(broker) as wire:
        create(wire, "orders", segment_bytes="1048576")
        for _ in range(3):
            produce(wire, "orders", batch_of(bytes(600_000)))
    assert broker.stop() == 0
    home, target = (here, there) if (here / "orders-0").exists() else (there, here)
    damage(home / "orders-0" / f"{damaged_offset:020}.log", MAGIC_BYTE)
    broker.start()

    with Wire(broker) as wire:
        request = AlterReplicaLogDirsRequest(dirs=[Dirs(str(target), [MovedTopic("orders", [0])])])
        [moved] = wire.ask(request, 2).results[0].partitions
        if damaged_offset == 0:
            assert moved.error_code == ErrorCode.CORRUPT_MESSAGE
        else:
            assert moved.error_code == 0
            eventually(lambda: "moving orders-0 to another directory failed" in broker.output(), what="it is given up")
        eventually(lambda: list(target.glob("orders-0*")) == [], what="the copy is removed")
        assert produce(wire, "orders", batch_of(b"next")) == (0, 3)
    assert "Traceback" not in broker.output()


#: Keys and values that no coordinator writes: a commit without the rest of it, an unknown kind, nothing, half a value.
NONSENSE = [
    (b"\x00\x01junk", b"xx"),
    (b"\x7f\x7f", b"xx"),
    (b"", None),
    (b"\x00\x01\x00\x01g\x00\x01t\x00\x00\x00\x00", b"\xff"),
    (b"\x00\x02\x00\x01g", b"\x00\x03\x00"),
]


def commit(wire: Wire, offset: int) -> int:
    one = offset_commit_request.Partitions(partition_index=0, committed_offset=offset)
    topics = [offset_commit_request.Topics(name="orders", partitions=[one])]
    request = offset_commit_request.OffsetCommitRequest(group_id="g", topics=topics)
    [answer] = wire.ask(request, 8).topics[0].partitions
    code: int = answer.error_code
    return code


def committed(wire: Wire) -> list[int]:
    request = offset_fetch_request.OffsetFetchRequest(groups=[offset_fetch_request.Groups(group_id="g", topics=None)])
    [group] = wire.ask(request, 8).groups
    return [group.error_code, *(each.committed_offset for topic in group.topics for each in topic.partitions)]


def test_nonsense_among_committed_offsets_takes_no_group_away(start_broker: StartBroker) -> None:
    broker = start_broker(offsets_topic_num_partitions="1")
    with Wire(broker) as wire, Wire(broker, "__admin_client") as admin:
        create(wire, "orders")
        assert wire.ask(FindCoordinatorRequest(key="g"), 2).error_code == 0
        eventually(lambda: commit(wire, 5) == 0, what="the coordinator takes a commit")
        for key, value in NONSENSE:
            batch = build_batch([Record(0, START_MS, key, value, ())])
            # As with Kafka, this client alone may write there.
            assert produce(admin, "__consumer_offsets", batch)[0] == 0
        assert commit(wire, 7) == 0
    broker.kill()

    broker.start()

    with Wire(broker) as wire:
        eventually(lambda: committed(wire) == [0, 7], what="the committed offset is back")
        assert commit(wire, 9) == 0
        assert committed(wire) == [0, 9]
    assert "Traceback" not in broker.output()
    assert broker.output().count("__consumer_offsets-0: a record is invalid") == 1
