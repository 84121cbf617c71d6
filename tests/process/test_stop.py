"""SIGTERM: what is in work is answered, nothing that was acked is lost, and it does not take long."""

import struct
import threading

from confluent_kafka import Producer

from ottla.protocol.exchange import encode_request
from ottla.protocol.generated import fetch_request, join_group_request
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from tests.support.broker_process import StartBroker
from tests.support.raw_frames import is_closed, read_frame
from tests.support.topics import create_topic
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually
from tests.support.wire import Wire

#: Longer than a stop of the broker process may take here (STOP_TIMEOUT_S).
LONG_MS = 600_000


def fetch_frame(topic: str, correlation_id: int) -> bytes:
    partition = fetch_request.Partitions(partition=0, fetch_offset=0, partition_max_bytes=1000)
    request = fetch_request.FetchRequest(
        replica_id=-1,
        max_wait_ms=LONG_MS,
        min_bytes=1,
        max_bytes=1000,
        topics=[fetch_request.Topics(topic=topic, partitions=[partition])],
    )
    return bytes(encode_request(correlation_id, "test", 4, request))


def test_a_long_poll_is_answered_and_its_connection_closed(start_broker: StartBroker) -> None:
    broker = start_broker()
    create_topic(broker, "orders")
    with broker.connect() as waiting, broker.connect() as idle:
        waiting.sendall(fetch_frame("orders", 77) + fetch_frame("orders", 78))
        # The poll is in work when the broker has read it; another request on another connection comes after it.
        Wire(broker).ask(FindCoordinatorRequest(key_type=0, coordinator_keys=["g"]), 4)

        assert broker.stop() == 0

        assert struct.unpack_from(">i", read_frame(waiting)) == (77,)
        assert is_closed(waiting), "the next request is not taken any more"
        assert is_closed(idle)


def test_a_member_that_waits_for_others_does_not_hold_the_stop_up(start_broker: StartBroker) -> None:
    broker = start_broker(group_initial_rebalance_delay_ms="600000")
    wire = Wire(broker)

    def is_ready() -> bool:
        answer = wire.ask(FindCoordinatorRequest(key_type=0, coordinator_keys=["g"]), 4)
        return bool(answer.coordinators[0].error_code == 0)

    eventually(is_ready, what="the coordinator is there")
    protocols = [join_group_request.Protocols(name="range", metadata=b"")]
    request = JoinGroupRequest(
        group_id="g", session_timeout_ms=30_000, rebalance_timeout_ms=LONG_MS, protocol_type="x", protocols=protocols
    )
    wire.send(request, 3)
    Wire(broker).ask(FindCoordinatorRequest(key_type=0, coordinator_keys=["g"]), 4)

    assert broker.stop() == 0


def test_what_was_acked_before_a_stop_under_load_is_there_after_it(start_broker: StartBroker) -> None:
    broker = start_broker(log_flush_interval_messages="1")
    create_topic(broker, "orders")
    acked: list[bytes] = []
    stop = threading.Event()

    def produce() -> None:
        settings = {"bootstrap.servers": broker.address, "enable.idempotence": True, "linger.ms": 0, "log_level": 0}
        producer = Producer({**settings, "message.timeout.ms": 30_000})
        number = 0
        while not stop.is_set():
            value = b"%d" % number
            number += 1

            def note(error: object, _: object, value: bytes = value) -> None:
                if error is None:
                    acked.append(value)

            producer.produce("orders", value, partition=0, on_delivery=note)
            producer.poll(0)
            if number % 50 == 0:
                producer.flush(1)
        producer.flush(30)

    thread = threading.Thread(target=produce)
    thread.start()
    eventually(lambda: len(acked) > 500, what="records are acked")
    assert broker.stop() == 0
    broker.start()
    eventually(lambda: len(acked) > 700, what="the producer goes on after the restart")
    stop.set()
    thread.join()

    assert "Traceback" not in broker.output()
    assert committed_values(broker, "orders") == acked
