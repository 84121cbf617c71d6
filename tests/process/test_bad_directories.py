"""Log directories that are closed, read-only, linked or taken: a clear word at the start, or the right thing."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from confluent_kafka.admin import AdminClient

from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.single_records import send, try_to_send
from tests.support.topics import create_topic
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually

Mount = Callable[..., Path]


@pytest.fixture
def ordinary_python(tmp_path: Path) -> str:
    """An interpreter that file modes count for, even if root runs the tests."""
    if os.getuid() != 0:
        return sys.executable
    if shutil.which("setpriv") is None:
        pytest.skip("root may read everything here, and setpriv is not installed")
    script = tmp_path / "ordinary-python"
    script.write_text(f'#!/bin/sh\nexec setpriv --bounding-set=-dac_override,-dac_read_search {sys.executable} "$@"\n')
    script.chmod(0o755)
    return str(script)


def refusal(start_broker: StartBroker, **properties: str) -> str:
    """What a broker says that does not start."""
    with pytest.raises(RuntimeError, match="did not start") as failure:
        start_broker(**properties)
    said = str(failure.value)
    assert "Traceback" not in said
    return said


def with_one_record(broker: BrokerProcess, topic: str = "orders") -> None:
    create_topic(broker, topic)
    assert send(broker, topic, b"before") is None


def test_a_directory_that_may_not_be_read_is_named(
    start_broker: StartBroker, ordinary_python: str, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)

    said = refusal(start_broker, python=ordinary_python, log_dirs=str(closed))

    assert f"log.dirs={closed}: no right to read and write in {closed}" in said


def test_a_directory_below_one_that_may_not_be_entered_is_named(
    start_broker: StartBroker, ordinary_python: str, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)

    said = refusal(start_broker, python=ordinary_python, log_dirs=str(closed / "logs"))

    assert f"log.dirs={closed / 'logs'}: no right to read and write in {closed}" in said


def test_one_closed_directory_does_not_stop_the_others(
    start_broker: StartBroker, ordinary_python: str, tmp_path: Path
) -> None:
    good, closed = tmp_path / "good", tmp_path / "closed"
    broker = start_broker(python=ordinary_python, log_dirs=f"{good},{closed}")
    for number in range(4):
        with_one_record(broker, f"topic{number}")
    in_good = sorted(folder.name.removesuffix("-0") for folder in good.glob("topic*"))
    assert len(in_good) == 2
    assert broker.stop() == 0
    closed.chmod(0o000)

    broker.start()

    assert [committed_values(broker, topic) for topic in in_good] == [[b"before"]] * 2
    assert f"log directory {closed} is offline" in broker.output()
    assert "Traceback" not in broker.output()
    closed.chmod(0o700)


def test_a_partition_that_may_not_be_read_takes_only_itself_along(
    start_broker: StartBroker, ordinary_python: str
) -> None:
    broker = start_broker(python=ordinary_python)
    for topic in ("closed", "open"):
        with_one_record(broker, topic)
    broker.stop()
    segment = broker.log_directory / "closed-0" / f"{0:020}.log"
    segment.chmod(0o000)

    broker.start()

    assert committed_values(broker, "open") == [b"before"]
    assert try_to_send(broker, "closed", b"refused") is not None
    assert "Traceback" not in broker.output()


def test_a_read_only_disk_is_named(start_broker: StartBroker, mount: Mount) -> None:
    place = mount("small", "size=1m")
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)

    said = refusal(start_broker, log_dirs=str(place / "logs"))

    assert str(place / "logs") in said
    assert "Read-only file system" in said


def test_a_disk_that_was_made_read_only_is_named(start_broker: StartBroker, mount: Mount) -> None:
    place = mount("small", "size=64m")
    broker = start_broker(log_dirs=str(place / "logs"))
    with_one_record(broker)
    assert broker.stop() == 0
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)

    with pytest.raises(RuntimeError, match="Read-only file system") as failure:
        broker.start()

    assert "Traceback" not in str(failure.value)


def test_a_log_directory_may_be_a_link(start_broker: StartBroker, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    broker = start_broker(log_dirs=str(link))
    with_one_record(broker)

    broker.kill()
    broker.start()

    assert committed_values(broker, "orders") == [b"before"]
    assert (real / "orders-0").is_dir()


def test_a_link_to_nowhere_is_named(start_broker: StartBroker, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")

    said = refusal(start_broker, log_dirs=str(link))

    assert str(link) in said
    assert not (tmp_path / "nowhere").exists()


def test_one_directory_under_two_names_is_refused(start_broker: StartBroker, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)

    said = refusal(start_broker, log_dirs=f"{real},{link}")

    assert f"log.dirs={link}: is the same directory as {real}" in said
    assert list(real.iterdir()) == [], "nothing was made"


def test_a_partition_may_live_elsewhere_behind_a_link(start_broker: StartBroker, tmp_path: Path) -> None:
    """How people move one large partition to another disk by hand."""
    broker = start_broker(log_segment_delete_delay_ms="0")
    for topic in ("orders", "other"):
        with_one_record(broker, topic)
    assert broker.stop() == 0
    home, elsewhere = broker.log_directory / "orders-0", tmp_path / "elsewhere"
    home.rename(elsewhere)
    home.symlink_to(elsewhere)

    broker.start()

    assert send(broker, "orders", b"after") is None
    broker.kill()
    broker.start()
    assert committed_values(broker, "orders") == [b"before", b"after"]

    admin = AdminClient({"bootstrap.servers": broker.address})
    admin.delete_topics(["orders"])["orders"].result(40)
    eventually(lambda: not home.is_symlink(), what="the partition is gone")
    eventually(lambda: not list(broker.log_directory.glob("orders*")), what="the link is removed")
    assert list(elsewhere.iterdir()) == [], "and what was behind it"
    assert send(broker, "other", b"after") is None
    assert broker.stop() == 0
    broker.start()
    assert committed_values(broker, "other") == [b"before", b"after"]
    assert "is offline" not in broker.output()
    assert "Traceback" not in broker.output()


def test_two_nodes_on_one_directory_are_one_too_many(start_broker: StartBroker) -> None:
    first = start_broker()
    with_one_record(first)

    said = refusal(start_broker, log_dirs=str(first.log_directory))

    assert f"log.dirs={first.log_directory}: the directory is in use by another process" in said
    assert send(first, "orders", b"after") is None
    assert committed_values(first, "orders") == [b"before", b"after"]


def test_the_directory_of_another_node_is_not_taken_over(start_broker: StartBroker) -> None:
    first = start_broker()
    with_one_record(first)
    assert first.stop() == 0

    said = refusal(start_broker, log_dirs=str(first.log_directory), node_id="2")

    assert str(first.log_directory) in said
    first.start()
    assert committed_values(first, "orders") == [b"before"]


@pytest.mark.parametrize("content", [b"\xff\xfegarbage", b"", bytes(4096)])
def test_unreadable_meta_properties_are_refused_and_left_as_they_are(start_broker: StartBroker, content: bytes) -> None:
    broker = start_broker()
    assert broker.stop() == 0
    file = broker.log_directory / "meta.properties"
    good = file.read_bytes()
    file.write_bytes(content)

    with pytest.raises(RuntimeError, match="did not start") as failure:
        broker.start()

    assert f"{file}: " in str(failure.value)
    assert "Traceback" not in str(failure.value)
    assert file.read_bytes() == content
    file.write_bytes(good)
    broker.start()


def test_metadata_without_meta_properties_are_not_taken_over(start_broker: StartBroker) -> None:
    broker = start_broker()
    assert broker.stop() == 0
    (broker.log_directory / "meta.properties").unlink()

    with pytest.raises(RuntimeError, match=r"holds partitions but no meta\.properties"):
        broker.start()
