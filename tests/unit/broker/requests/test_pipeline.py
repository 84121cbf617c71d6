"""Every request takes one path: decode, guards, handler, count, response."""

from types import SimpleNamespace
from typing import Any

import pytest

from ottla.broker.handlers import load_handlers
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.pipeline import Counters, Pending, Pipeline, RequestFailed
from ottla.broker.requests.registry import Entry, Handler
from ottla.broker.requests.repeated_produce import ProduceEnvelopes
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.generated.produce_response import PartitionResponses, ProduceResponse, Responses
from ottla.protocol.message import Message
from ottla.protocol.wire import MAX_ELEMENTS

BATCHES = [b"one", b"another", b"x" * 200, b"y" * 20_000]


class PipelineStage:
    """A pipeline whose handlers are the test's own."""

    def __init__(self, **handlers: Any) -> None:
        self.counters = Counters()
        limits: Any = SimpleNamespace(max_request_elements=MAX_ELEMENTS)
        unused: Any = None
        self.connection: Any = SimpleNamespace(envelopes=ProduceEnvelopes())
        entries = {int(ApiKey[name]): Entry(ApiKey[name], 0, 13, 0, handler) for name, handler in handlers.items()}
        self.pipeline = Pipeline(entries, None, messages=unused, limits=limits, counters=self.counters)
        self.connection.apis = entries

    def serve(self, request: Message, version: int, correlation_id: int = 1) -> Any:
        frame = memoryview(encode_request(correlation_id, "a client", version, request))[4:]
        return self.pipeline.serve(frame, self.connection)

    def ask(self, request: Message, version: int, correlation_id: int = 1) -> tuple[int, Any]:
        out = self.serve(request, version, correlation_id)
        return decode_response(request.API_KEY, version, bytes(out[4:]))


def beat(request: HeartbeatRequest, context: RequestContext[Any]) -> HeartbeatResponse:
    return HeartbeatResponse(error_code=25)


def produce_request(records: bytes, partition: int = 0) -> ProduceRequest:
    data = PartitionData(index=partition, records=records)
    return ProduceRequest(acks=1, timeout_ms=1000, topic_data=[TopicData(name="orders", partition_data=[data])])


def test_the_response_of_the_handler_is_encoded_and_counted() -> None:
    stage = PipelineStage(HEARTBEAT=beat)

    assert stage.ask(HeartbeatRequest(), 4, correlation_id=77) == (77, HeartbeatResponse(error_code=25))
    assert stage.counters.requests[ApiKey.HEARTBEAT] == 1


def test_a_guard_responds_instead_of_the_handler() -> None:
    stage = PipelineStage(HEARTBEAT=beat)
    stage.pipeline.add_guard(lambda request, context, proceed: HeartbeatResponse(error_code=30))

    assert stage.ask(HeartbeatRequest(), 4)[1].error_code == 30


def test_a_guard_that_proceeds_later_proceeds_to_the_guards_behind_it() -> None:
    stage = PipelineStage(HEARTBEAT=beat)
    seen = []

    def throttle(request: HeartbeatRequest, context: RequestContext[Any], proceed: Handler) -> Any:
        seen.append("throttle")
        return proceed(request, context)

    async def delay(request: HeartbeatRequest, context: RequestContext[Any], proceed: Handler) -> Any:
        seen.append("delay")
        return proceed(request, context)

    stage.pipeline.add_guard(throttle)
    stage.pipeline.add_guard(delay)
    pending = stage.serve(HeartbeatRequest(), 4)
    with pytest.raises(StopIteration) as finished:
        pending.work.send(None)

    assert seen == ["delay", "throttle"]
    assert finished.value.value == HeartbeatResponse(error_code=25)


def test_guards_see_requests_whose_decoding_is_cached() -> None:
    seen: list[bytes] = []
    stage = PipelineStage(PRODUCE=lambda request, context: ProduceResponse())

    def guard(request: ProduceRequest, context: RequestContext[Any], proceed: Handler) -> ProduceResponse:
        seen.append(bytes(request.topic_data[0].partition_data[0].records or b""))
        partition = PartitionResponses(error_code=29)
        return ProduceResponse(responses=[Responses(name="orders", partition_responses=[partition])])

    stage.pipeline.add_guard(guard)
    answers = [stage.ask(produce_request(batch), 9)[1] for batch in BATCHES]

    assert seen == BATCHES
    assert {answer.responses[0].partition_responses[0].error_code for answer in answers} == {29}


@pytest.mark.parametrize("version", range(3, 14))
def test_repeated_requests_are_decoded_and_encoded_as_the_first_one(version: int) -> None:
    seen: list[tuple[int, bytes, int, str | None]] = []

    def produce(request: ProduceRequest, context: RequestContext[Any]) -> ProduceResponse:
        (topic,) = request.topic_data
        (data,) = topic.partition_data
        seen.append((data.index, bytes(data.records or b""), context.correlation_id, context.client_id))
        code = 2 if len(seen) == 3 else 0
        partition = PartitionResponses(data.index, code, len(seen), -1, 5)
        return ProduceResponse(responses=[Responses(name=topic.name, partition_responses=[partition])])

    stage = PipelineStage(PRODUCE=produce)
    asked = [(number % 2, batch) for number, batch in enumerate(BATCHES * 3)]
    answers = [
        stage.ask(produce_request(batch, partition), version, correlation_id=number)
        for number, (partition, batch) in enumerate(asked)
    ]

    assert seen == [(partition, batch, number, "a client") for number, (partition, batch) in enumerate(asked)]
    assert [correlation_id for correlation_id, _ in answers] == list(range(12))
    found = [response.responses[0].partition_responses[0] for _, response in answers]
    assert [one.index for one in found] == [partition for partition, _ in asked]
    assert [one.base_offset for one in found] == list(range(1, 13))
    assert [one.error_code for one in found] == [0, 0, 2] + [0] * 9


def test_a_throttle_time_is_in_the_response_that_was_throttled() -> None:
    throttle_times_ms = [0, 0, 777, 0]

    def produce(request: ProduceRequest, context: RequestContext[Any]) -> ProduceResponse:
        assert context.repeated is not None
        response: ProduceResponse = context.repeated.started.response
        response.throttle_time_ms += throttle_times_ms[context.correlation_id]
        return response

    stage = PipelineStage(PRODUCE=produce)
    answers = [stage.ask(produce_request(b"x"), 9, correlation_id=number)[1] for number in range(4)]

    assert [answer.throttle_time_ms for answer in answers] == throttle_times_ms


@pytest.mark.parametrize("is_accepted", [True, False])
def test_a_request_that_is_kept_keeps_no_receive_buffer(is_accepted: bool) -> None:
    def produce(request: ProduceRequest, context: RequestContext[Any]) -> ProduceResponse:
        assert context.repeated is not None
        response: ProduceResponse = context.repeated.started.response
        response.responses[0].partition_responses[0].error_code = 0 if is_accepted else 87
        return response

    stage = PipelineStage(PRODUCE=produce)
    for correlation_id in range(3):
        received = bytearray(encode_request(correlation_id, "a client", 9, produce_request(b"x" * 200)))
        frame = memoryview(received)[4:]
        stage.pipeline.serve(frame, stage.connection)
        frame.release()
        # Not allowed while there is a view of it.
        received.clear()


def test_a_request_with_bytes_behind_its_end_is_not_kept() -> None:
    stage = PipelineStage(PRODUCE=lambda request, context: ProduceResponse())
    frame = memoryview(bytes(encode_request(1, "a client", 7, produce_request(b"x" * 200))) + bytes(5))[4:]

    stage.pipeline.serve(frame, stage.connection)

    assert stage.connection.envelopes.find(frame) is None


def test_a_response_that_comes_later_is_pending() -> None:
    deferred = Deferred()
    stage = PipelineStage(HEARTBEAT=lambda request, context: deferred)

    outcome = stage.serve(HeartbeatRequest(), 4)

    assert isinstance(outcome, Pending)
    assert outcome.work is deferred


def test_without_a_response_the_request_counts_all_the_same() -> None:
    stage = PipelineStage(HEARTBEAT=lambda request, context: None)

    assert stage.serve(HeartbeatRequest(), 4) is None
    assert stage.counters.requests[ApiKey.HEARTBEAT] == 1


def test_a_handler_that_raises_fails_its_request() -> None:
    def fail(request: Any, context: RequestContext[Any]) -> Any:
        raise KeyError("a bug")

    with pytest.raises(RequestFailed, match="HEARTBEAT v4") as failure:
        PipelineStage(HEARTBEAT=fail).serve(HeartbeatRequest(), 4)

    assert isinstance(failure.value.__cause__, KeyError)


def test_a_response_that_cannot_be_encoded_fails_its_request() -> None:
    with pytest.raises(RequestFailed):
        PipelineStage(HEARTBEAT=lambda request, context: HeartbeatResponse(error_code=1 << 40)).serve(
            HeartbeatRequest(), 4
        )


def test_an_api_that_is_not_served_is_refused() -> None:
    with pytest.raises(RemoteProtocolError, match="api key 12 version 4 is not served"):
        PipelineStage().serve(HeartbeatRequest(), 4)


def test_an_unknown_version_of_api_versions_gets_a_response_in_version_0() -> None:
    stage = PipelineStage(HEARTBEAT=beat)
    stage.pipeline.handlers = stage.connection.apis = load_handlers()
    frame = bytearray(encode_request(5, None, 3, ApiVersionsRequest()))[4:]
    frame[2:4] = b"\0\x63"

    out = stage.pipeline.serve(memoryview(frame), stage.connection)

    assert decode_response(ApiKey.API_VERSIONS, 0, bytes(out[4:]))[1].error_code == 35  # type: ignore[attr-defined]
