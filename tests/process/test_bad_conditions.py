"""A world that does not behave: no room on the disk, a log directory that cannot be used, a port that is taken."""

from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from tests.support.broker_process import START_TIMEOUT_S, StartBroker
from tests.support.full_disk import fill
from tests.support.ports import free_port
from tests.support.single_records import send, try_to_send
from tests.support.topics import create_topic
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually

MIB = 1 << 20
SMALL_DISK_MIB = 64


def test_a_full_disk_refuses_writes_and_resumes_by_itself(
    start_broker: StartBroker, mount: Callable[..., Path]
) -> None:
    place = mount("small", f"size={SMALL_DISK_MIB}m")
    broker = start_broker(log_dirs=str(place / "logs"))
    create_topic(broker, "orders")
    assert send(broker, "orders", b"before") is None

    filler = fill(place)
    taken = 0
    while try_to_send(broker, "orders", b"x" * (MIB // 2)) is None:
        taken += 1
        assert taken < SMALL_DISK_MIB * 2, "the disk never became full"
    kept = committed_values(broker, "orders")

    assert kept[0] == b"before", "what is there is still served"
    assert broker.is_running()
    filler.unlink()
    eventually(lambda: try_to_send(broker, "orders", b"after") is None, what="writes are taken again")
    assert committed_values(broker, "orders")[0] == b"before"
    assert committed_values(broker, "orders")[-1] == b"after"


def test_a_full_disk_survives_kill_9(start_broker: StartBroker, mount: Callable[..., Path]) -> None:
    place = mount("small", f"size={SMALL_DISK_MIB}m")
    broker = start_broker(log_dirs=str(place / "logs"))
    create_topic(broker, "orders")
    assert send(broker, "orders", b"before") is None
    filler = fill(place)
    try_to_send(broker, "orders", b"x" * (MIB // 2))

    broker.kill()
    filler.unlink()
    broker.start()

    assert committed_values(broker, "orders")[0] == b"before"
    eventually(lambda: try_to_send(broker, "orders", b"after") is None, what="writes are taken again")


def test_a_start_on_a_full_disk_waits_for_room(start_broker: StartBroker, mount: Callable[..., Path]) -> None:
    place = mount("small", f"size={SMALL_DISK_MIB}m")
    broker = start_broker(log_dirs=str(place / "logs"))
    create_topic(broker, "orders")
    assert send(broker, "orders", b"before") is None
    broker.kill()
    filler = fill(place)
    starting = Thread(target=broker.start)

    starting.start()
    eventually(lambda: "no room to start" in broker.output(), what="the missing room is named")
    filler.unlink()
    starting.join(START_TIMEOUT_S)

    assert not starting.is_alive()
    assert broker.is_running()
    assert committed_values(broker, "orders") == [b"before"]
    assert send(broker, "orders", b"after") is None


def test_a_log_directory_that_cannot_be_used_is_named_before_anything_starts(
    start_broker: StartBroker, tmp_path: Path
) -> None:
    (tmp_path / "broken").write_text("not a directory")

    with pytest.raises(RuntimeError, match="did not start") as failure:
        start_broker(log_dirs=f"{tmp_path / 'good'},{tmp_path / 'broken'}")

    assert f"{tmp_path / 'broken'} is not a directory" in str(failure.value)
    assert "Traceback" not in str(failure.value)
    assert not (tmp_path / "good").exists(), "nothing was made"


def test_a_log_directory_that_is_lost_takes_only_its_own_partitions_along(
    start_broker: StartBroker, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    broker = start_broker(log_dirs=f"{good},{bad}")
    for number in range(6):
        create_topic(broker, f"topic{number}")
        assert send(broker, f"topic{number}", b"before") is None
    in_good, in_bad = ([folder.name.removesuffix("-0") for folder in place.glob("topic*")] for place in (good, bad))
    assert in_good
    assert in_bad

    bad.rename(tmp_path / "gone")
    bad.write_text("where a directory was")
    try_to_send(broker, in_bad[0], b"noticed at the next flush")
    eventually(lambda: f"log directory {bad} is offline" in broker.output(), what="the loss is noticed and said")

    assert try_to_send(broker, in_bad[0], b"refused") is not None
    for topic in in_good:
        assert send(broker, topic, b"after") is None
        assert committed_values(broker, topic) == [b"before", b"after"]
    assert broker.is_running()


def test_a_port_that_is_taken_is_said_in_one_line(start_broker: StartBroker) -> None:
    first = start_broker()

    with pytest.raises(RuntimeError, match="did not start") as failure:
        # Two nodes on one port: the second must not run beside the first one's listener.
        start_broker(
            listeners=f"PLAINTEXT://127.0.0.1:{first.port},OTHER://127.0.0.1:{free_port()}",
            listener_security_protocol_map="PLAINTEXT:PLAINTEXT,OTHER:PLAINTEXT",
        )

    assert str(first.port) in str(failure.value)
    assert "Traceback" not in str(failure.value)
    create_topic(first, "orders")
    assert send(first, "orders", b"value") is None
