"""What is kept of produce requests, and how much of it."""

from typing import Any

from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.registry import Entry
from ottla.broker.requests.repeated_produce import MAX_ENVELOPE_BYTES, MAX_ENVELOPES, ProduceEnvelopes
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.exchange import encode_request
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.header import read_request_header
from ottla.protocol.wire import MAX_ELEMENTS

VERSION = 9
#: Of a topic in a request: tags, acks, timeout, and the lengths around the names.
FIXED_BYTES = 40


class Sender:
    """Requests of one connection, as the pipeline reads them."""

    def __init__(self) -> None:
        self.envelopes = ProduceEnvelopes()
        self._entry = Entry(ApiKey.PRODUCE, 0, VERSION, 0, lambda request, context: None)

    def send(self, topic: str, partition: int = 0, client_id: str = "client") -> bool:
        """Whether the request was known."""
        data = PartitionData(index=partition, records=b"one batch")
        request = ProduceRequest(acks=1, timeout_ms=1000, topic_data=[TopicData(name=topic, partition_data=[data])])
        frame = memoryview(bytes(encode_request(5, client_id, VERSION, request)))[4:]
        found = self.envelopes.find(frame)
        if found is not None:
            assert found.request.topic_data[0].name == topic
            assert found.data.index == partition
            assert bytes(found.data.records or b"") == b"one batch"
            return True
        services: Any = None
        context = RequestContext(services, services, self._entry, VERSION, 5, client_id)
        _, position = read_request_header(frame)
        decoded, _ = self._entry.decode(frame, position, VERSION, MAX_ELEMENTS)
        self.envelopes.keep(frame, decoded, context)
        return False


def test_topics_with_names_of_different_lengths_take_turns() -> None:
    sender = Sender()
    topics = ["orders", "payments", "clicks", "a-longer-name"]

    known = [[sender.send(topic) for topic in topics] for _ in range(3)]

    assert known == [[False] * 4, [True] * 4, [True] * 4]


def test_a_topic_for_which_there_is_no_room_takes_none_from_the_others() -> None:
    sender = Sender()
    topics = ["x" * length for length in range(1, 8)]

    known = [[sender.send(topic) for topic in topics] for _ in range(3)]

    assert known[2] == [True] * 4 + [False] * 3


def test_a_connection_keeps_so_many_envelopes_at_most() -> None:
    sender = Sender()
    partitions = range(MAX_ENVELOPES + 50)

    for partition in partitions:
        sender.send("orders", partition)

    assert len(sender.envelopes) == MAX_ENVELOPES
    assert sum(sender.send("orders", partition) for partition in partitions) == MAX_ENVELOPES


def test_long_envelopes_are_not_kept() -> None:
    sender = Sender()
    client_id = "c" * (MAX_ENVELOPE_BYTES - FIXED_BYTES)

    assert [sender.send("t", client_id=client_id) for _ in range(2)] == [False, True]
    assert [sender.send("t", client_id=client_id + "c" * FIXED_BYTES) for _ in range(2)] == [False, False]


def test_envelopes_that_are_out_of_date_make_room() -> None:
    sender = Sender()
    for topic in ("x", "xx", "xxx", "xxxx"):
        sender.send(topic)

    assert not any(sender.send("today") for _ in range(1000))
    assert sender.send("today")
