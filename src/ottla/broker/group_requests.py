"""What the handlers of group requests have in common."""

from collections.abc import Callable
from typing import Any, TypeVar

from ottla.broker.context import RequestContext
from ottla.broker.deferred import Deferred
from ottla.broker.shard_host import Receiver
from ottla.groups.client import Client
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused

Op = TypeVar("Op")
S = TypeVar("S")


def unchanged(response: S) -> S:
    return response


def client_of(context: RequestContext) -> Client:
    """Kafka shows the address of a member with a slash before it."""
    return Client(context.client_id or "", f"/{context.client_host}")


def check_consumer_protocol(context: RequestContext) -> None:
    """The protocol of KIP-848 can be switched off, for the cluster or on this broker."""
    broker = context.broker
    is_on = "consumer" in broker.options.group_coordinator_rebalance_protocols
    if not is_on or broker.image.feature_level("group.version") < 1:
        raise Refused(ErrorCode.UNSUPPORTED_VERSION, "the consumer group protocol is not enabled")


def ask(
    submit: Callable[[Op, Receiver], None],
    operation: Op,
    refused: Callable[[Refused], S],
    answer: Callable[[Any], S] = unchanged,
) -> S | Deferred:
    """Has a shard's host carry out an operation. The response at once when there is nothing to wait for, else later.

    `submit` is one of the host's methods of that name. No future and no task: every heartbeat and commit passes here.
    """
    deferred = Deferred()

    def receive(outcome: Any) -> None:
        deferred.resolve(refused(outcome) if isinstance(outcome, Refused) else answer(outcome))

    try:
        submit(operation, receive)
    except Refused as refusal:
        return refused(refusal)
    return deferred.response if deferred.is_done else deferred
