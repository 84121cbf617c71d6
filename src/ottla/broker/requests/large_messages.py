"""Decoding of large requests and encoding of large responses, in a thread; building the responses in slices.

Produce requests are decoded on the loop at any size: theirs are few numbers around large batches.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol

from ottla.broker.execution.tasks import Tasks
from ottla.broker.execution.time_slices import UNFINISHED, Failed, TimeSlices
from ottla.broker.execution.worker_thread import OneAtATime
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import Deferred
from ottla.doors.executor import Executor
from ottla.model.steps import Steps
from ottla.protocol.exchange import encode_response
from ottla.protocol.parts import PartedBuffer

#: A frame beyond this size is decoded in a thread: up to here it takes less than 20 ms, whatever it holds.
LARGE_FRAME_BYTES: Final = 64 * 1024


class LargeFrame(NamedTuple):
    """A request that is not decoded yet: it begins at `position`. The frame does not change until the response."""

    frame: memoryview
    position: int


class Encoded:
    """A response in the form in which it is sent."""

    __slots__ = ("data",)

    def __init__(self, data: PartedBuffer) -> None:
        self.data = data


class RequestLimits(Protocol):
    @property
    def max_request_elements(self) -> int:
        """Of all arrays of a request together."""


class LargeMessages:
    """Owned by the node."""

    def __init__(self, executor: Executor, slices: TimeSlices, tasks: Tasks, limits: RequestLimits) -> None:
        self._thread = OneAtATime(executor)
        self._slices = slices
        self._tasks = tasks
        self._limits = limits

    async def decode(self, frame: LargeFrame, context: RequestContext[Any]) -> Any:
        """Raises RemoteProtocolError."""
        max_elements = self._limits.max_request_elements
        request, _ = await self._thread.run(context.entry.decode, *frame, context.version, max_elements)
        return request

    async def encode(self, response: list[Any], context: RequestContext[Any]) -> Encoded | Failed:
        """Takes the response out of its list: it must not change any more, and dies in the thread."""
        try:
            return Encoded(await self._thread.run(_encode, response, context))
        except Exception as error:  # noqa: BLE001 - too little memory, for one: without a response its client would hang
            return Failed(error)

    def resolve(self, deferred: Deferred, response: Any, context: RequestContext[Any]) -> None:
        """Resolves it when the response is encoded."""
        if isinstance(response, Failed):
            deferred.resolve(response)
            return

        async def encode(taken: list[Any]) -> None:
            if not deferred.is_done:
                deferred.resolve(await self.encode(taken, context))

        self._tasks.spawn(encode([response]), name="encoding a large response")

    def in_slices(self, steps: Steps[Any], context: RequestContext[Any]) -> Any:
        """The response that the steps return: at once where they are few, else a Deferred that a thread encodes."""
        response = self._slices.start(steps)
        if response is not UNFINISHED:
            return response
        deferred = Deferred(on_abandoned=lambda: work.cancel())
        work = self._slices.resume(steps, lambda built: self.resolve(deferred, built, context))
        return deferred


def _encode(response: list[Any], context: RequestContext[Any]) -> PartedBuffer:
    # A million objects take a tenth of a second to be freed: not on the event loop.
    return encode_response(context.correlation_id, context.api_key, context.version, response.pop())
