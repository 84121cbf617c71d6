"""What the handlers of group requests have in common."""

from collections.abc import Callable
from typing import Any, TypeVar

from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import Deferred
from ottla.broker.shards.shard_host import Receiver
from ottla.groups.operation import Client
from ottla.model.errors import Refused

Op = TypeVar("Op")
S = TypeVar("S")


def unchanged(response: S) -> S:
    return response


def client_of(context: RequestContext[Any]) -> Client:
    """Kafka shows the address of a member with a slash before it."""
    return Client(context.client_id or "", f"/{context.client_host}")


def ask(
    submit: Callable[[Op, Receiver], None],
    operation: Op,
    refused: Callable[[Refused], S],
    respond: Callable[[Any], S] = unchanged,
) -> S | Deferred:
    """Has a shard's host carry out an operation. The response at once when there is nothing to wait for, else later.

    `submit` is one of the host's methods of that name. No future and no task: every heartbeat and commit passes here.
    """
    deferred = Deferred()

    def receive(outcome: Any) -> None:
        deferred.resolve(refused(outcome) if isinstance(outcome, Refused) else respond(outcome))

    try:
        submit(operation, receive)
    except Refused as refusal:
        return refused(refusal)
    return deferred.response if deferred.is_done else deferred
