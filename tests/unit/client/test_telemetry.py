"""Traces: from `send` to the acknowledgement, and on to whoever reads the record."""

from typing import Any, NamedTuple

import pytest

from ottla.client.interceptors import ProducerRecord
from ottla.client.producer.outcome import RecordMetadata
from ottla.client.telemetry import OpenTelemetryInterceptor

sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="OpenTelemetry is not installed")


class Read(NamedTuple):
    topic: str
    partition: int
    offset: int
    headers: Any


class Traces:
    def __init__(self) -> None:
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        self._exporter = InMemorySpanExporter()
        provider = sdk.TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.interceptor = OpenTelemetryInterceptor(provider.get_tracer("test"))

    def spans(self) -> list[Any]:
        return list(self._exporter.get_finished_spans())


def test_a_span_ends_with_the_acknowledgement() -> None:
    traces = Traces()

    sent = traces.interceptor.on_send(ProducerRecord("orders", b"x", headers=(("mine", b"1"),)))
    assert traces.spans() == []
    traces.interceptor.on_acknowledgement(RecordMetadata("orders", 2, 7, 0), None, sent.headers)

    (span,) = traces.spans()
    assert span.name == "send orders"
    assert span.attributes["messaging.kafka.offset"] == 7
    assert sent.headers[0] == ("mine", b"1")
    assert sent.headers[1][0] == "traceparent"


def test_a_failure_is_an_error_of_the_span() -> None:
    traces = Traces()

    sent = traces.interceptor.on_send(ProducerRecord("orders", b"x"))
    traces.interceptor.on_acknowledgement(None, TimeoutError("late"), sent.headers)

    (span,) = traces.spans()
    assert not span.status.is_ok
    assert span.status.description == "late"


def test_reading_is_linked_to_sending() -> None:
    traces = Traces()
    sent = traces.interceptor.on_send(ProducerRecord("orders", b"x"))
    traces.interceptor.on_acknowledgement(RecordMetadata("orders", 0, 3, 0), None, sent.headers)

    traces.interceptor.on_consume([Read("orders", 0, 3, sent.headers), Read("orders", 0, 4, ())])

    send, receive, alone = traces.spans()
    assert receive.name == "receive orders"
    assert [link.context.span_id for link in receive.links] == [send.context.span_id]
    assert list(alone.links) == []


def test_spans_that_nobody_ends_are_ended_at_the_close() -> None:
    traces = Traces()
    traces.interceptor.on_send(ProducerRecord("orders", b"x"))

    traces.interceptor.close()

    assert len(traces.spans()) == 1
