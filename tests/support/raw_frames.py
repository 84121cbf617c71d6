"""Kafka's protocol byte by byte, for peers that do not behave."""

import contextlib
import socket
import struct

from tests.support.broker_process import ANSWER_TIMEOUT_S, BrokerProcess


def api_versions_frame(version: int = 0, correlation_id: int = 7) -> bytes:
    body = struct.pack(">hhih", 18, version, correlation_id, 4) + b"test" + (b"\0" if version >= 3 else b"")
    return struct.pack(">i", len(body)) + body


def all_metadata_frame() -> bytes:
    """Asks for the metadata of all topics, in version 4."""
    body = struct.pack(">hhih", 3, 4, 7, 4) + b"test" + struct.pack(">i?", -1, False)
    return struct.pack(">i", len(body)) + body


def ask(connection: socket.socket, frame: bytes) -> bytes:
    connection.sendall(frame)
    return read_frame(connection)


def read_frame(connection: socket.socket) -> bytes:
    (size,) = struct.unpack(">i", read_exactly(connection, 4))
    return read_exactly(connection, size)


def read_exactly(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionError("closed by the broker")
        data += more
    return data


def send_while_open(connection: socket.socket, data: bytes) -> None:
    """For bytes that the broker may refuse before it has all of them: it closes, and the rest of the send is reset."""
    with contextlib.suppress(ConnectionError):
        connection.sendall(data)


def is_closed(connection: socket.socket, *, within_s: float = ANSWER_TIMEOUT_S) -> bool:
    connection.settimeout(within_s)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def connect_from(host: str, broker: BrokerProcess) -> socket.socket:
    """Every address of 127.0.0.0/8 is this machine, and a peer of its own to the broker."""
    return socket.create_connection(("127.0.0.1", broker.port), ANSWER_TIMEOUT_S, source_address=(host, 0))


def assert_serves(broker: BrokerProcess) -> None:
    with broker.connect() as connection:
        assert ask(connection, api_versions_frame())[:4] == struct.pack(">i", 7)
