"""What an application does when partitions come and go."""

import inspect
from collections.abc import Awaitable, Iterable
from typing import Protocol

from ottla.model.topic import TopicPartition


class RebalanceListener(Protocol):
    """Passed to `subscribe`. Methods may be plain or async, and any of them may be missing.

    They are called during `poll` (or `getmany`, or the iteration), so never while the application works on records that
    it got from there. What they raise comes out of that call, after the rebalance went on.

    >>> class Buffers:
    ...     def on_partitions_revoked(self, partitions):
    ...         print("give up", *partitions)
    >>> Buffers().on_partitions_revoked([TopicPartition("orders", 0)])
    give up orders-0
    """

    def on_partitions_revoked(self, partitions: list[TopicPartition]) -> Awaitable[None] | None:
        """They are still this consumer's: what is committed now counts. With auto-commit that has been done."""

    def on_partitions_assigned(self, partitions: list[TopicPartition]) -> Awaitable[None] | None:
        """These came in addition to what was there. The place to seek."""

    def on_partitions_lost(self, partitions: list[TopicPartition]) -> Awaitable[None] | None:
        """Somebody else may have them already: commits would fail. Without this method, `on_partitions_revoked`."""


async def call_listener(listener: object, kind: str, partitions: Iterable[TopicPartition]) -> None:
    """`kind` is revoked, assigned or lost."""
    method = getattr(listener, f"on_partitions_{kind}", None)
    if method is None and kind == "lost":
        method = getattr(listener, "on_partitions_revoked", None)
    if method is None:
        return
    result = method(sorted(partitions))
    if inspect.isawaitable(result):
        await result
