"""What the handlers of group requests have in common."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from ottla.broker.context import RequestContext
from ottla.broker.deferred import Deferred
from ottla.groups.client import Client
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused

R = TypeVar("R")
S = TypeVar("S")


def client_of(context: RequestContext) -> Client:
    """Kafka shows the address of a member with a slash before it."""
    return Client(context.client_id or "", f"/{context.client_host}")


def check_consumer_protocol(context: RequestContext) -> None:
    """The protocol of KIP-848 can be switched off, for the cluster or on this broker."""
    broker = context.broker
    is_on = "consumer" in broker.options.group_coordinator_rebalance_protocols
    if not is_on or broker.image.feature_level("group.version") < 1:
        raise Refused(ErrorCode.UNSUPPORTED_VERSION, "the consumer group protocol is not enabled")


def answer_when_done(
    future: asyncio.Future[R], answer: Callable[[R], S], refused: Callable[[Refused], S]
) -> S | Deferred:
    """The answer at once when nothing has to be waited for; otherwise later, without a task of its own."""
    if future.done():
        return _outcome(future, answer, refused)

    def give_up() -> None:
        future.cancel()

    deferred = Deferred(on_abandoned=give_up)

    def finish(done: asyncio.Future[R]) -> None:
        if not done.cancelled():
            deferred.resolve(_outcome(done, answer, refused))

    future.add_done_callback(finish)
    return deferred


def _outcome(done: asyncio.Future[R], answer: Callable[[R], S], refused: Callable[[Refused], S]) -> S:
    try:
        return answer(done.result())
    except Refused as refusal:
        return refused(refusal)


def unchanged(response: R) -> R:
    return response
