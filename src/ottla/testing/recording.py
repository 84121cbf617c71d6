"""Requests that clients have sent, for tests to look at."""

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ottla.broker.handlers.services import Context
from ottla.broker.requests.context import ClientConnection
from ottla.broker.requests.registry import Handler
from ottla.protocol.api_keys import api
from ottla.protocol.message import Struct
from ottla.testing.client_calls import CLIENT_ID

#: Older ones are forgotten.
_KEPT = 10_000


class RecordedRequest(NamedTuple):
    """One request: `body` is the decoded request with the names of Kafka's protocol, as `body.group_id`."""

    api: str
    version: int
    client_id: str | None
    body: Any
    #: The broker's clock, in milliseconds.
    received_ms: int

    @property
    def group(self) -> str | None:
        """The group that it is about; None for requests without one."""
        found: str | None = getattr(self.body, "group_id", None)
        if found:
            return found
        rows: list[Any] = getattr(self.body, "groups", None) or [None]
        first: str | None = getattr(rows[0], "group_id", rows[0])
        return first

    @property
    def topics(self) -> list[str]:
        """The names of the topics that it is about. Newer versions have ids instead of names: then there are none."""
        rows = getattr(self.body, "topic_data", None) or getattr(self.body, "topics", None) or []
        names = (getattr(row, "name", None) or getattr(row, "topic", None) for row in rows)
        return [name for name in names if name]

    def __str__(self) -> str:
        about = [f"group={self.group}" if self.group else "", f"topics={','.join(self.topics)}" if self.topics else ""]
        words = [f"{self.api} v{self.version}", f"client={self.client_id}", *filter(None, about)]
        return " ".join(words)


class Recording:
    """The first guard of the pipeline: it lets all requests pass."""

    def __init__(self) -> None:
        self._requests: deque[RecordedRequest] = deque(maxlen=_KEPT)
        #: Whose connection it is: known from its last request.
        self.clients: WeakKeyDictionary[ClientConnection, str | None] = WeakKeyDictionary()

    def guard(self, request: Any, context: Context, proceed: Handler) -> Any:
        if context.client_id != CLIENT_ID and request is not None:
            self.clients[context.connection] = context.client_id
            name = api(context.api_key).name
            now_ms = context.services.clock.now_ms()
            self._requests.append(RecordedRequest(name, context.version, context.client_id, _copy(request), now_ms))
        return proceed(request, context)

    def requests(self, wanted: str | None = None, client_id: str | None = None) -> Sequence[RecordedRequest]:
        return [
            each for each in list(self._requests) if wanted in (None, each.api) and client_id in (None, each.client_id)
        ]


def _copy(value: Any) -> Any:
    """Requests are views of a receive buffer that is used again."""
    if isinstance(value, Struct):
        names: tuple[str, ...] = type(value).__slots__
        if not names:
            return value  # a shared default, which nobody changes
        twin = object.__new__(type(value))
        for name in names:
            object.__setattr__(twin, name, _copy(getattr(value, name)))
        return twin
    if isinstance(value, list):
        return [_copy(each) for each in value]
    return bytes(value) if isinstance(value, memoryview) else value
