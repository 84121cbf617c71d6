"""Limits of connections in a real broker: by number, by address, by listener, by rate, by time."""

import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ResourceType,
)

from tests.support.broker_process import ANSWER_TIMEOUT_S, BrokerProcess, StartBroker
from tests.support.ports import free_port
from tests.support.raw_frames import (
    api_versions_frame,
    ask,
    assert_serves,
    connect_from,
    is_closed,
    read_frame,
    send_while_open,
)
from tests.support.topics import create_topic
from tests.support.waiting import eventually


def set_dynamically(broker: BrokerProcess, **settings: str) -> None:
    resource = ConfigResource(ResourceType.BROKER, "1")
    for name, value in settings.items():
        entry = ConfigEntry(name.replace("_", "."), value, incremental_operation=AlterConfigOpType.SET)
        resource.add_incremental_config(entry)
    admin = AdminClient({"bootstrap.servers": broker.address})
    for future in admin.incremental_alter_configs([resource]).values():
        future.result(ANSWER_TIMEOUT_S)


def is_served(connection: socket.socket) -> bool:
    try:
        return ask(connection, api_versions_frame())[:4] == struct.pack(">i", 7)
    except ConnectionError:
        return False


def served_connection(broker: BrokerProcess) -> socket.socket:
    """For limits on time: on a busy machine a connection may be over its limit before it could ask."""

    def connect() -> socket.socket | None:
        connection = broker.connect()
        return connection if is_served(connection) else None

    connection = eventually(connect, what="a connection is served in time")
    assert connection is not None
    return connection


def ask_for_ever(connection: socket.socket) -> None:
    while True:
        connection.sendall(api_versions_frame() * 1000)


def test_an_address_may_have_as_many_connections_as_it_is_given(start_broker: StartBroker) -> None:
    broker = start_broker(max_connections_per_ip="3", max_connections_per_ip_overrides="127.0.0.9:5")

    crowd = [connect_from("127.0.0.2", broker) for _ in range(4)]
    favoured = [connect_from("127.0.0.9", broker) for _ in range(6)]

    assert [is_served(connection) for connection in crowd] == [True, True, True, False]
    assert [is_served(connection) for connection in favoured] == [True] * 5 + [False]
    assert_serves(broker)
    crowd[0].close()
    eventually(lambda: is_served(connect_from("127.0.0.2", broker)), what="the place is free again")


def test_limits_can_be_changed_while_the_broker_runs(start_broker: StartBroker) -> None:
    broker = start_broker()
    crowd = [connect_from("127.0.0.2", broker) for _ in range(3)]
    assert all(is_served(connection) for connection in crowd)

    set_dynamically(broker, max_connections_per_ip="3")

    assert not is_served(connect_from("127.0.0.2", broker))
    # The connections that the change was made with have gone, but the broker may not have seen it yet.
    eventually(lambda: is_served(broker.connect()), what="other addresses have their own count")
    set_dynamically(broker, max_connections_per_ip="4")
    assert is_served(connect_from("127.0.0.2", broker))


def test_fewer_connections_than_there_are_close_the_silent_ones(start_broker: StartBroker) -> None:
    broker = start_broker()
    silent = [connect_from("127.0.0.2", broker) for _ in range(20)]
    assert all(is_served(connection) for connection in silent)

    set_dynamically(broker, max_connections="10")

    assert all(is_closed(connection) for connection in silent[:10])


def test_a_listener_has_limits_of_its_own(start_broker: StartBroker) -> None:
    other = free_port()
    broker = start_broker(
        listeners=f"PLAINTEXT://127.0.0.1:{{port}},SMALL://127.0.0.1:{other}",
        listener_security_protocol_map="PLAINTEXT:PLAINTEXT,SMALL:PLAINTEXT",
        listener_name_small_max_connections="2",
    )
    small = [socket.create_connection(("127.0.0.1", other), 10) for _ in range(3)]

    assert [is_served(connection) for connection in small] == [True, True, False]
    assert_serves(broker)


def test_the_limit_of_a_listener_can_be_changed_while_it_is_open(start_broker: StartBroker) -> None:
    broker = start_broker()
    crowd = [connect_from("127.0.0.2", broker) for _ in range(5)]
    assert all(is_served(connection) for connection in crowd)

    set_dynamically(broker, listener_name_plaintext_max_connections="5")

    assert not is_served(connect_from("127.0.0.2", broker))
    for connection in crowd:
        connection.close()
    eventually(lambda: is_served(broker.connect()), what="there is room again")


def test_new_connections_beyond_the_rate_are_all_served(start_broker: StartBroker) -> None:
    """How long each of them waits: tests/unit/broker/network/test_connections.py, on a clock of its own."""
    broker = start_broker(max_connection_creation_rate="10")
    crowd = [connect_from("127.0.0.2", broker) for _ in range(25)]
    for connection in crowd:
        connection.sendall(api_versions_frame())

    for connection in crowd:
        assert read_frame(connection)[:4] == struct.pack(">i", 7)


def test_a_connection_that_says_nothing_is_closed(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_first_request_timeout_ms="400")
    with served_connection(broker) as honest, broker.connect() as mute, broker.connect() as slow:
        send_while_open(slow, api_versions_frame()[:5])

        assert is_closed(mute)
        assert is_closed(slow)
        assert is_served(honest), "only the first request has this limit"
    assert "no request since it was opened" in broker.output()


def test_an_idle_connection_is_closed(start_broker: StartBroker) -> None:
    broker = start_broker(connections_max_idle_ms="400")
    with served_connection(broker) as idle:
        assert is_closed(idle)


def test_a_peer_that_stops_reading_is_cut(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_send_stall_timeout_ms="400")
    with broker.connect() as deaf:
        deaf.settimeout(60)

        with pytest.raises(OSError, match=r"reset|Broken pipe"):
            ask_for_ever(deaf)

    assert "does not read its responses" in broker.output()
    assert_serves(broker)


def test_the_backlog_is_the_one_that_was_asked_for(start_broker: StartBroker) -> None:
    broker = start_broker(socket_listen_backlog_size="7")

    assert _backlog(broker.port) == 7


def _backlog(port: int) -> int:
    """Only netlink tells the backlog of a listening socket: `ss` asks there."""
    done = subprocess.run(["ss", "-Hltn", f"sport = :{port}"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("ss is not installed")
    return int(done.stdout.split()[2])


def test_connections_leave_open_files_for_segments(start_broker: StartBroker, tmp_path: Path) -> None:
    """A process with few open files: a crowd gets half of them, the rest serves topics."""
    few_files = tmp_path / "python-with-few-files"
    few_files.write_text(f'#!/bin/sh\nulimit -n 300\nexec {sys.executable} "$@"\n')
    few_files.chmod(0o755)
    broker = start_broker(python=str(few_files))
    first = broker.connect()
    assert is_served(first)

    crowd = [connect_from("127.0.0.2", broker) for _ in range(400)]
    served = [connection for connection in crowd if is_served(connection)]

    assert 100 < len(served) < 160
    for connection in served[:20]:
        connection.close()
    for number in range(10):
        create_topic(broker, f"topic{number}")
    assert is_served(first)
    assert "Too many open files" not in broker.output()


def test_wrong_limits_are_named_at_the_start(start_broker: StartBroker) -> None:
    with pytest.raises(RuntimeError, match="did not start") as failure:
        start_broker(max_connections_per_ip_overrides="nonsense", listener_name_plaintext_max_connections="-1")

    assert "'nonsense' is not of the form address:number" in str(failure.value)
    assert "listener.name.plaintext.max.connections: Value must be at least 0" in str(failure.value)
