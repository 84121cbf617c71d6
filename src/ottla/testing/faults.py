"""Faults on purpose: requests that are refused, delayed or cut off. A guard of the pipeline."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred, settled
from ottla.broker.requests.registry import Handler
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey, api
from ottla.protocol.generated.fetch_response import FetchResponse
from ottla.testing.client_calls import CLIENT_ID
from ottla.testing.error_responses import error_response


class Fault:
    """Active from when it is created until its `with` block ends, or until it has hit `times` requests."""

    def __init__(
        self, owner: "Faults", act: "Action", *, api_name: str | None, client_id: str | None, times: int | None
    ) -> None:
        self._owner = owner
        self.act = act
        self.api_name = api_name
        self._client_id = client_id
        self._times = times
        #: How many requests it has hit.
        self.hits = 0

    def matches(self, context: Context) -> bool:
        return (
            self.api_name in (None, api(context.api_key).name)
            and self._client_id in (None, context.client_id)
            and (self._times is None or self.hits < self._times)
        )

    def stop(self) -> None:
        """Ends the fault. What it delays goes on being delayed."""
        self._owner.remove(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()


#: Gives what the pipeline sends; may proceed to the handler before, or later.
Action = Callable[[Any, Context, Handler], Any]


class Faults:
    """Rules are added and removed by any thread; the guard runs on the broker's loop."""

    def __init__(self) -> None:
        self._rules: tuple[Fault, ...] = ()
        #: Set when the broker stops: nothing is delayed any more.
        self.has_ended = asyncio.Event()

    def fail(self, api_name: str, error: str | int, *, times: int | None, client_id: str | None) -> Fault:
        code = error_named(error)
        return self._add(
            lambda request, context, proceed: _refuse(request, context, proceed, code),
            known_api(api_name),
            client_id,
            times,
        )

    def delay(self, api_name: str | None, seconds: float, *, times: int | None, client_id: str | None) -> Fault:
        if seconds < 0:
            raise ValueError(f"a delay of {seconds} s")
        name = None if api_name is None else known_api(api_name)
        return self._add(
            lambda request, context, proceed: self._later(request, context, proceed, seconds), name, client_id, times
        )

    def drop(self, api_name: str | None, *, times: int | None, client_id: str | None, after_handling: bool) -> Fault:
        name = None if api_name is None else known_api(api_name)
        return self._add(_drop_handled if after_handling else _drop, name, client_id, times)

    def _add(self, act: Action, api_name: str | None, client_id: str | None, times: int | None) -> Fault:
        if times is not None and times < 1:
            raise ValueError(f"times={times}: must be 1 or more, or None for no limit")
        fault = Fault(self, act, api_name=api_name, client_id=client_id, times=times)
        self._rules = (*self._rules, fault)
        return fault

    def remove(self, fault: Fault) -> None:
        self._rules = tuple(each for each in self._rules if each is not fault)

    def clear(self) -> None:
        self._rules = ()

    def guard(self, request: Any, context: Context, proceed: Handler) -> Any:
        if not self._rules or context.client_id == CLIENT_ID or request is None:
            return proceed(request, context)
        for fault in self._rules:
            if fault.matches(context):
                response = fault.act(request, context, proceed)
                if isinstance(response, _NotCounted):
                    return response.response
                fault.hits += 1
                return response
        return proceed(request, context)

    async def _later(self, request: Any, context: Context, proceed: Handler, seconds: float) -> Any:
        try:
            async with asyncio.timeout(seconds):
                await self.has_ended.wait()
        except TimeoutError:
            pass
        return await settled(proceed(request, context))


class _NotCounted:
    """A response that prepares the client for the fault: the next request is the one to hit."""

    def __init__(self, response: Any) -> None:
        self.response = response


def _refuse(request: Any, context: Context, proceed: Handler, code: ErrorCode) -> Any:
    if context.api_key == ApiKey.PRODUCE and request.acks == 0:
        # Nobody reads a response: Kafka closes the connection to report an error.
        return _drop(request, context, proceed)
    if context.api_key == ApiKey.FETCH and request.session_epoch > 0:
        # A request in a session names no partitions; the client sends a whole one when its session is gone.
        return _NotCounted(FetchResponse(error_code=ErrorCode.FETCH_SESSION_ID_NOT_FOUND))
    if context.api_key == ApiKey.METADATA:
        return _refuse_topics(request, context, proceed, code)
    return error_response(request, code)


async def _refuse_topics(request: Any, context: Context, proceed: Handler, code: ErrorCode) -> Any:
    """Clients need the nodes of the cluster whatever becomes of the topics."""
    response = await settled(proceed(request, context))
    for topic in getattr(response, "topics", ()):
        topic.error_code = int(code)
        topic.partitions = []
    return response


def _drop(request: Any, context: Context, proceed: Handler) -> Deferred:
    """The connection is closed before the request is handled. Never resolved: it is abandoned with the connection."""
    context.connection.abort()
    return Deferred()


async def _drop_handled(request: Any, context: Context, proceed: Handler) -> None:
    """The request is handled; its response is lost with the connection."""
    await settled(proceed(request, context))
    context.connection.abort()


def known_api(name: str) -> str:
    """Raises ValueError with the names that exist."""
    names = [api(key).name for key in ApiKey]
    if name not in names:
        raise ValueError(f"{name!r} is not an API of Kafka; known are {', '.join(sorted(names))}")
    return name


def error_named(error: str | int) -> ErrorCode:
    try:
        return ErrorCode[error] if isinstance(error, str) else ErrorCode(error)
    except (KeyError, ValueError):
        raise ValueError(f"{error!r} is not an error of Kafka; give a name such as NOT_LEADER_OR_FOLLOWER") from None
