"""Hostile peers: each damages at most its own connection, and memory stays flat."""

import random
import socket
import struct
from collections.abc import Iterator

import pytest

from tests.support.broker_process import StartBroker
from tests.support.kit_broker import KitBroker
from tests.support.raw_frames import api_versions_frame, ask, assert_serves, is_closed, read_frame, send_while_open

MIB = 1 << 20
#: For connections that shall stay, however long a busy machine takes to open them all.
LONG_MS = "600000"


BAD_FRAMES = {
    "negative size": struct.pack(">i", -1),
    "size of zero": struct.pack(">i", 0),
    "size above the limit": struct.pack(">i", 2**31 - 1) + b"x" * 100,
    "TLS hello": bytes.fromhex("16030100ee010000ea0303"),
    "HTTP": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "unknown api key": struct.pack(">ihhih", 10, 999, 0, 1, -1),
    "negative api key": struct.pack(">ihhih", 10, -3, 0, 1, -1),
    "unknown version": struct.pack(">ihhih", 10, 3, 99, 1, -1),
    "client id longer than the frame": struct.pack(">ihhih", 10, 3, 1, 1, 30000),
    "body cut short": struct.pack(">ihhih", 14, 3, 1, 1, -1) + struct.pack(">i", 5),
    "a billion topics": struct.pack(">ihhih", 14, 3, 1, 1, -1) + struct.pack(">i", 10**9),
}


@pytest.fixture
def broker() -> Iterator[KitBroker]:
    with KitBroker() as started:
        yield started


@pytest.mark.parametrize("name", BAD_FRAMES)
def test_bad_bytes_close_their_own_connection_only(broker: KitBroker, name: str) -> None:
    with broker.connect() as honest, broker.connect() as hostile:
        ask(honest, api_versions_frame())
        hostile.sendall(BAD_FRAMES[name])

        assert is_closed(hostile)
        assert ask(honest, api_versions_frame(correlation_id=8))[:4] == struct.pack(">i", 8)


@pytest.mark.parametrize("name", BAD_FRAMES)
def test_requests_before_bad_bytes_are_answered(broker: KitBroker, name: str) -> None:
    with broker.connect() as connection:
        connection.sendall(api_versions_frame() + api_versions_frame(correlation_id=8) + BAD_FRAMES[name])

        assert [struct.unpack_from(">i", read_frame(connection))[0] for _ in range(2)] == [7, 8]
        assert is_closed(connection)


def test_an_unknown_version_of_api_versions_is_answered_and_the_connection_stays(broker: KitBroker) -> None:
    with broker.connect() as connection:
        answer = ask(connection, api_versions_frame(version=77))

        assert struct.unpack_from(">ih", answer) == (7, 35)
        assert ask(connection, api_versions_frame(correlation_id=9))[:4] == struct.pack(">i", 9)


def test_bytes_behind_a_request_are_ignored_as_kafka_ignores_them(broker: KitBroker) -> None:
    """What librdkafka 2.16 sends to ask for all topics: Metadata v13 with three bytes too many."""
    with broker.connect() as connection:
        answer = ask(connection, bytes.fromhex("000000190003000d00000003000772646b61666b610000000000010000"))

        assert struct.unpack_from(">i", answer)[0] == 3


def test_a_frame_may_arrive_byte_by_byte(broker: KitBroker) -> None:
    with broker.connect() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in api_versions_frame():
            connection.sendall(bytes([byte]))

        assert read_frame(connection)[:4] == struct.pack(">i", 7)


def test_pipelined_requests_are_answered_in_order(broker: KitBroker) -> None:
    with broker.connect() as connection:
        connection.sendall(b"".join(api_versions_frame(correlation_id=number) for number in range(500)))

        assert [struct.unpack_from(">i", read_frame(connection))[0] for _ in range(500)] == list(range(500))


def test_half_frames_take_no_memory(start_broker: StartBroker) -> None:
    """Announces the largest frame on many connections and sends almost nothing of it."""
    broker = start_broker(ottla_first_request_timeout_ms=LONG_MS)
    assert_serves(broker)
    before = broker.resident_bytes()
    announcers = [broker.connect() for _ in range(300)]
    for connection in announcers:
        connection.sendall(struct.pack(">ihhih", 100 * MIB, 0, 7, 1, -1) + b"x" * 1000)

    assert_serves(broker)
    assert broker.resident_bytes() - before < 64 * MIB
    for connection in announcers:
        connection.close()


def test_a_thousand_idle_connections_cost_little(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_first_request_timeout_ms=LONG_MS)
    before = broker.resident_bytes()
    idle = [broker.connect() for _ in range(1000)]
    for connection in idle[::100]:
        ask(connection, api_versions_frame())

    assert_serves(broker)
    assert broker.resident_bytes() - before < 48 * MIB
    for connection in idle:
        connection.close()


def test_a_client_that_never_reads_is_not_sent_more(start_broker: StartBroker) -> None:
    """Asks for metadata again and again without reading an answer: the broker stops reading, memory stays flat."""
    broker = start_broker()
    before = broker.resident_bytes()
    with broker.connect() as deaf:
        deaf.setblocking(False)
        requests = api_versions_frame() * 1000
        sent = 0
        try:
            while sent < 200 * MIB:
                sent += deaf.send(requests)
        except BlockingIOError:
            pass

        assert_serves(broker)
        assert sent < 200 * MIB, "the broker never stopped reading"
        assert broker.resident_bytes() - before < 64 * MIB


def large_beginning(api_key: int) -> bytes:
    """The first MiB of 17."""
    return struct.pack(">ihhih", 17 * MIB, api_key, 3, 1, -1) + bytes(MIB)


def test_only_produce_may_be_as_large_as_the_limit(start_broker: StartBroker) -> None:
    """The rest of a frame that is too large for its kind is not waited for."""
    broker = start_broker()
    for api_key in (1, 3, 11, 18):
        with broker.connect() as connection:
            send_while_open(connection, large_beginning(api_key))
            assert is_closed(connection)
    with broker.connect() as connection:
        connection.sendall(large_beginning(api_key=0))
        assert_serves(broker)
        connection.sendall(bytes(MIB))

    assert "allowed are 8 to 16777216" in broker.output()


def test_noise_hurts_nobody(start_broker: StartBroker) -> None:
    broker = start_broker()
    chance = random.Random(7)
    for number in range(300):
        with broker.connect() as connection:
            key = chance.choice([0, 1, 2, 3, 9, 10, 11, 18, 19, 22, 32, chance.randrange(-5, 100)])
            body = struct.pack(">hhi", key, chance.randrange(14), number) + b"\x00\x03abc"
            body += chance.randbytes(chance.choice([0, 3, 40, 300]))
            size = chance.choice([len(body), len(body), len(body), 2**31 - 1, -1, 10**9, 3])
            connection.sendall(struct.pack(">i", size) + body)

    assert_serves(broker)
    assert broker.is_running()
    assert "Traceback" not in broker.output(), "no handler fails on noise"
