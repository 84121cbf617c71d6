"""Traces with OpenTelemetry: an interceptor for producers and consumers. Needs `pip install ottla[otel]`.

A producer's span goes from `send` to the acknowledgement, and its context travels in the record's headers; a consumer's
span of a record is linked to it. Names and attributes follow OpenTelemetry's conventions for messaging.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ottla.client.interceptors import ProducerRecord

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_NAME = "ottla.client"
#: Spans of records that were never acknowledged are given up, oldest first: their number is limited.
_MAX_OPEN_SPANS = 100_000


class OpenTelemetryInterceptor:
    """For `interceptor_classes=[OpenTelemetryInterceptor()]`, of producers and consumers; one object for one client.

    >>> OpenTelemetryInterceptor()  # doctest: +ELLIPSIS
    <ottla.client.telemetry.OpenTelemetryInterceptor object at ...>
    """

    def __init__(self, tracer: "Tracer | None" = None) -> None:
        """Without a tracer, that of the global tracer provider is used."""
        try:
            from opentelemetry import propagate, trace
        except ImportError as error:
            raise ImportError("OpenTelemetry is not installed: pip install ottla[otel]") from error
        self._propagate = propagate
        self._trace = trace
        self._tracer = tracer if tracer is not None else trace.get_tracer(_NAME)
        self._open: dict[bytes, Span] = {}

    # producers

    def on_send(self, record: ProducerRecord) -> ProducerRecord:
        span = self._tracer.start_span(
            f"send {record.topic}", kind=self._trace.SpanKind.PRODUCER, attributes=_attributes(record.topic, "send")
        )
        carrier: dict[str, str] = {}
        self._propagate.inject(carrier, context=self._trace.set_span_in_context(span))
        added = tuple((name, text.encode()) for name, text in carrier.items())
        others = tuple(header for header in record.headers if header[0] not in carrier)
        self._remember(added, span)
        return record._replace(headers=others + added)

    def on_acknowledgement(self, metadata: Any, error: Exception | None, headers: Any) -> None:
        span = self._open.pop(_trace_of(headers), None)
        if span is None:
            return
        if error is not None:
            span.record_exception(error)
            span.set_status(self._trace.StatusCode.ERROR, str(error))
        else:
            span.set_attribute("messaging.destination.partition.id", str(metadata.partition))
            span.set_attribute("messaging.kafka.offset", metadata.offset)
        span.end()

    def _remember(self, headers: Sequence[tuple[str, bytes]], span: "Span") -> None:
        if len(self._open) >= _MAX_OPEN_SPANS:
            self._open.pop(next(iter(self._open))).end()
        self._open[_trace_of(headers)] = span

    # consumers

    def on_consume(self, records: Sequence[Any]) -> Sequence[Any]:
        for record in records:
            carrier = {name: value.decode(errors="replace") for name, value in record.headers if value is not None}
            sent = self._trace.get_current_span(self._propagate.extract(carrier)).get_span_context()
            span = self._tracer.start_span(
                f"receive {record.topic}",
                kind=self._trace.SpanKind.CONSUMER,
                links=[self._trace.Link(sent)] if sent.is_valid else [],
                attributes={
                    **_attributes(record.topic, "receive"),
                    "messaging.destination.partition.id": str(record.partition),
                    "messaging.kafka.offset": record.offset,
                },
            )
            span.end()
        return records

    def close(self) -> None:
        for span in self._open.values():
            span.end()
        self._open.clear()


def _attributes(topic: str, operation: str) -> dict[str, Any]:
    return {
        "messaging.system": "kafka",
        "messaging.destination.name": topic,
        "messaging.operation.name": operation,
        "messaging.operation.type": operation,
    }


def _trace_of(headers: Any) -> bytes:
    return next((value for name, value in headers if name == "traceparent" and value is not None), b"")
