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


def client_of(context: RequestContext[Any]) -> Client:
    """Kafka shows the address of a member with a slash before it."""
    return Client(context.client_id or "", f"/{context.client_host}")


def ask(
    submit: Callable[[Op, Receiver], None],
    operation: Op,
    refused: Callable[[Refused], S],
    respond: Callable[[S], S] | None = None,
) -> S | Deferred:
    """Has a shard's host carry out an operation. The response at once when there is nothing to wait for, else later.

    `submit` is one of the host's methods of that name. No future and no task: every heartbeat and commit passes here.
    `respond` changes a response that is not a refusal.
    """
    deferred = Deferred(refused=refused)
    try:
        submit(operation, deferred if respond is None else _Changed(deferred, respond))
    except Refused as refusal:
        return refused(refusal)
    return deferred.response if deferred.is_done else deferred


class _Changed:
    """Changes a response on its way to the client."""

    __slots__ = ("_deferred", "_respond")

    def __init__(self, deferred: Deferred, respond: Callable[[Any], Any]) -> None:
        self._deferred = deferred
        self._respond = respond

    def resolve(self, response: Any) -> None:
        self._deferred.resolve(self._respond(response))

    def refuse(self, refusal: Refused) -> None:
        self._deferred.refuse(refusal)
