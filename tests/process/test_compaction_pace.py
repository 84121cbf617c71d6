"""Compaction that may only use a part of the disk, and ends with its broker."""

import os
import re
import signal
from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.waiting import eventually

MIB = 1 << 20
VALUE_BYTES = 10_000


def broker_with_something_to_compact(start_broker: StartBroker, bytes_per_second: int) -> BrokerProcess:
    """Two closed segments of 1 MiB with ten keys."""
    broker = start_broker(
        log_cleaner_io_max_bytes_per_second=str(bytes_per_second),
        log_cleaner_backoff_ms="100",
        log_cleaner_min_cleanable_ratio="0.01",
        log_segment_bytes=str(MIB),
    )
    admin = AdminClient({"bootstrap.servers": broker.address})
    admin.create_topics([NewTopic("orders", 1, 1, config={"cleanup.policy": "compact"})])["orders"].result(40)
    producer = Producer({"bootstrap.servers": broker.address, "batch.size": 65536})
    for number in range(250):
        producer.produce("orders", bytes(VALUE_BYTES), key=b"%d" % (number % 10))
    assert producer.flush(20) == 0
    return broker


def test_compaction_takes_as_long_as_its_share_of_the_disk_allows(start_broker: StartBroker) -> None:
    broker = broker_with_something_to_compact(start_broker, 2 * MIB)

    reported = re.compile(r"orders-0 compacted up to offset (\d+) in (\d+) ms")
    found = eventually(lambda: reported.search(broker.output()), within_s=60, what="the topic is compacted")

    assert found is not None
    offset, took_ms = int(found[1]), int(found[2])
    # As many segments as were closed by then; a slow machine only takes longer.
    assert took_ms > 0.7 * 2 * offset * VALUE_BYTES / (2 * MIB) * 1000, "each byte is read twice"


def test_a_stop_does_not_wait_for_a_slow_compaction(start_broker: StartBroker) -> None:
    broker = broker_with_something_to_compact(start_broker, 1000)
    parent = broker.pid
    eventually(lambda: _helpers(parent), what="the cleaner is at work")

    assert broker.stop() == 0, "within STOP_TIMEOUT_S; the compaction would take an hour"

    assert not _helpers(parent)
    broker.start()
    assert not list((broker.log_directory / "orders-0").glob("*.cleaned")), "its half-done work is cleared away"


@pytest.mark.parametrize("bytes_per_second", [1000, 100 * MIB], ids=["at work", "idle"])
def test_the_cleaner_does_not_outlive_a_killed_broker(start_broker: StartBroker, bytes_per_second: int) -> None:
    """Left alone it would stay for ever, and write where the next broker cleans."""
    broker = broker_with_something_to_compact(start_broker, bytes_per_second)
    if bytes_per_second > MIB:
        eventually(lambda: "orders-0 compacted" in broker.output(), what="the topic is compacted")
    (helper,) = eventually(lambda: _helpers(broker.pid), what="there is a cleaner")

    broker.kill()

    eventually(lambda: not _is_alive(helper), what="the cleaner is gone")


def test_another_cleaner_takes_the_place_of_one_that_was_killed(start_broker: StartBroker) -> None:
    """Where memory is short, the system kills it first."""
    broker = broker_with_something_to_compact(start_broker, 2 * MIB)
    (helper,) = eventually(lambda: _helpers(broker.pid), what="the cleaner is at work")

    os.kill(int(helper.name), signal.SIGKILL)

    eventually(lambda: "orders-0 compacted" in broker.output(), within_s=60, what="the topic is compacted")
    (other,) = _helpers(broker.pid)
    assert other != helper
    assert "the helper process was killed" in broker.output()
    assert "Traceback" not in broker.output()


def _is_alive(process: Path) -> bool:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def _helpers(parent: int) -> list[Path]:
    """Processes that clean for the broker."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent and b"spawn_main" in (process / "cmdline").read_bytes():
                found.append(process)
        except OSError:
            continue
    return found
