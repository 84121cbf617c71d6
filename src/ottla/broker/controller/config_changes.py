"""What a broker looks at itself before it hands a change of configs to the controller.

A client sends changes of a broker's settings and loggers to that broker, so a resource that names another one is a
mistake. Loggers are changed here at once: they are this process's own.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from ottla.config.alter import broker_resource
from ottla.metadata.image import BROKER_LOGGER_RESOURCE, BROKER_RESOURCE
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps


class Outcome(NamedTuple):
    error_code: int
    error_message: str | None
    resource_type: int
    resource_name: str


class Divided(NamedTuple):
    """Resources for the controller, and what is decided already, by position in the request."""

    forwarded: list[tuple[int, Any]]
    decided: dict[int, Outcome]


def divide(resources: list[Any], node_id: int, change_loggers: Any) -> Steps[Divided]:
    """`change_loggers` is called with a logger resource and raises Refused; None where loggers cannot be changed."""
    counts = Counter((each.resource_type, each.resource_name) for each in resources)
    forwarded: list[tuple[int, Any]] = []
    decided: dict[int, Outcome] = {}
    for position, each in enumerate(resources):
        yield
        kind, name = each.resource_type, each.resource_name
        try:
            if counts[kind, name] > 1:
                raise Refused(ErrorCode.INVALID_REQUEST, "Each resource must appear at most once.")
            if kind == BROKER_RESOURCE:
                broker_resource(name, node_id)
            if kind != BROKER_LOGGER_RESOURCE or change_loggers is None:
                forwarded.append((position, each))
                continue
            broker_resource(name, node_id, what="node")
            change_loggers(each)
            decided[position] = Outcome(ErrorCode.NONE, None, kind, name)
        except Refused as refusal:
            # Kafka has no text for an operation that does not exist.
            message = None if refusal.code is ErrorCode.UNKNOWN_SERVER_ERROR else refusal.message
            decided[position] = Outcome(refusal.code, message, kind, name)
    return Divided(forwarded, decided)


def joined(divided: Divided, responses: list[Any]) -> Steps[list[Outcome]]:
    """All outcomes in the order of the request. `responses` are the controller's, in the order of `forwarded`."""
    outcomes = dict(divided.decided)
    for (position, _), response in zip(divided.forwarded, responses, strict=True):
        yield
        outcomes[position] = Outcome(
            response.error_code, response.error_message, response.resource_type, response.resource_name
        )
    return [outcome for _, outcome in sorted(outcomes.items())]
