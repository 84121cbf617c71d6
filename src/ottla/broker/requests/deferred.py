"""A response that comes later, without the cost of a task or a future."""

import asyncio
from collections.abc import Callable
from typing import Any

from ottla.model.errors import Refused


class Deferred:
    """Returned by a handler that must wait. Whoever completes it calls `resolve` once; the connection listens.

    A long poll is one of these: no task (10 us) and no future with its trip through the event loop.
    """

    __slots__ = ("_listener", "_on_abandoned", "_on_respond_now", "_refused", "is_done", "response")

    def __init__(
        self,
        on_abandoned: Callable[[], None] | None = None,
        on_respond_now: Callable[[], None] | None = None,
        refused: Callable[[Refused], Any] | None = None,
    ) -> None:
        """`refused` gives the response that tells the client of a refusal; only who may `refuse` needs it."""
        self.is_done = False
        self.response: Any = None
        self._listener: Callable[[Any], None] | None = None
        self._on_abandoned = on_abandoned
        self._on_respond_now = on_respond_now
        self._refused = refused

    def resolve(self, response: Any) -> None:
        if self.is_done:
            return
        self.is_done = True
        self.response = response
        # Whoever resolves it refers to it: without this, both and their connection would wait for the collector.
        self._on_abandoned = self._on_respond_now = None
        if self._listener is not None:
            self._listener(response)

    def refuse(self, refusal: Refused) -> None:
        assert self._refused is not None
        self.resolve(self._refused(refusal))

    def listen(self, listener: Callable[[Any], None]) -> None:
        self._listener = listener
        if self.is_done:
            listener(self.response)

    def respond_now(self) -> None:
        """The broker stops: whoever only waits for more to respond with should respond now."""
        if not self.is_done and self._on_respond_now is not None:
            self._on_respond_now()

    def abandon(self) -> None:
        """The client is gone: nobody wants the response."""
        if not self.is_done:
            self.is_done = True
            self._listener = None
            if self._on_abandoned is not None:
                self._on_abandoned()
            self._on_abandoned = self._on_respond_now = None


async def settled(result: Any) -> Any:
    """What a handler has given, waited for where that is needed: for who handles a request in a coroutine."""
    if asyncio.iscoroutine(result):
        result = await result
    if not isinstance(result, Deferred):
        return result
    done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    result.listen(lambda response: None if done.done() else done.set_result(response))
    try:
        return await done
    finally:
        result.abandon()
