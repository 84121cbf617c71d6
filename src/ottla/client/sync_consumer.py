"""`Consumer`: `AsyncConsumer` without asyncio.

Rebalance listeners and commit callbacks run on the thread that polls: there they may block, and use the consumer.
"""

import functools
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Concatenate, ParamSpec, TypeVar

from ottla.client.consumer.committable import Committable
from ottla.client.consumer.consumer import AsyncConsumer
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import ClientClosed
from ottla.client.sync import SyncClient, blocking, on_loop
from ottla.runtime.caller_thread import CallerThread

P = ParamSpec("P")
T = TypeVar("T")

_LISTENER_METHODS = ("on_partitions_revoked", "on_partitions_assigned", "on_partitions_lost")


def serving(method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Any, P], T]:
    """As `blocking`; callbacks run on the calling thread meanwhile."""

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._serve(method(self._client, *args, **kwargs))
        return result

    return call


class Consumer(SyncClient):
    """`AsyncConsumer` without asyncio. One thread polls or iterates; others may commit, pause, or ask for its health.

    >>> with Producer(bootstrap_servers=servers, value_serializer="str") as producer:
    ...     delivery = producer.send("letters", "a")
    >>> with Consumer(
    ...     bootstrap_servers=servers, group_id="post", auto_offset_reset="earliest", value_deserializer="str"
    ... ) as consumer:
    ...     consumer.subscribe(["letters"])
    ...     for record in consumer:
    ...         break
    >>> record.value
    'a'
    """

    def __init__(self, config: Mapping[str, Any] | None = None, /, **options: Any) -> None:
        self._client: AsyncConsumer
        self._open(AsyncConsumer(config, **options))
        self._callers = CallerThread(self._thread)

    def subscribe(
        self,
        topics: Iterable[str] = (),
        *,
        pattern: "str | re.Pattern[str] | None" = None,
        listener: object | None = None,
    ) -> None:
        """As `AsyncConsumer.subscribe`. The listener's methods are plain functions."""
        self._subscribe(topics, pattern=pattern, listener=self._on_this_side(listener))

    def _on_this_side(self, listener: object | None) -> SimpleNamespace:
        methods = {name: getattr(listener, name, None) for name in _LISTENER_METHODS}
        return SimpleNamespace(
            **{
                name: functools.partial(self._callers.call, method)
                for name, method in methods.items()
                if method is not None
            }
        )

    def commit_async(
        self, offsets: Committable = None, *, on_done: Callable[[Exception | None], None] | None = None
    ) -> None:
        """As `AsyncConsumer.commit_async`. `on_done` is called during a later poll, or when the consumer is closed."""
        self._commit_async(offsets, on_done=None if on_done is None else functools.partial(self._callers.post, on_done))

    def __iter__(self) -> Iterator[ConsumerRecord]:
        """Records one by one, until the consumer is closed. What was not taken is not consumed."""
        while True:
            try:
                records = self._serve(self._client.next_records())
            except ClientClosed:
                return
            yield from records

    def _serve(self, work: Coroutine[Any, Any, T]) -> T:
        """As `_run`; callbacks run on the calling thread meanwhile."""
        self._require_open(work)
        return self._callers.run(work)

    def _end(self, last_work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._thread.is_running:
            try:
                self._callers.run(last_work())
            finally:
                self._thread.close()

    poll = serving(AsyncConsumer.poll)
    poll_arrow = serving(AsyncConsumer.poll_arrow)
    getmany = serving(AsyncConsumer.getmany)
    unsubscribe = serving(AsyncConsumer.unsubscribe)

    assign = on_loop(AsyncConsumer.assign)
    subscription = on_loop(AsyncConsumer.subscription)
    assignment = on_loop(AsyncConsumer.assignment)
    group_metadata = on_loop(AsyncConsumer.group_metadata)
    seek = on_loop(AsyncConsumer.seek)
    seek_to_beginning = on_loop(AsyncConsumer.seek_to_beginning)
    seek_to_end = on_loop(AsyncConsumer.seek_to_end)
    pause = on_loop(AsyncConsumer.pause)
    resume = on_loop(AsyncConsumer.resume)
    paused = on_loop(AsyncConsumer.paused)
    lag = on_loop(AsyncConsumer.lag)
    health = on_loop(AsyncConsumer.health)
    metrics = on_loop(AsyncConsumer.metrics)
    _subscribe = on_loop(AsyncConsumer.subscribe)
    _commit_async = on_loop(AsyncConsumer.commit_async)

    position = blocking(AsyncConsumer.position)
    commit = blocking(AsyncConsumer.commit)
    committed = blocking(AsyncConsumer.committed)
    beginning_offsets = blocking(AsyncConsumer.beginning_offsets)
    end_offsets = blocking(AsyncConsumer.end_offsets)
    offsets_for_times = blocking(AsyncConsumer.offsets_for_times)
    partitions_for = blocking(AsyncConsumer.partitions_for)
