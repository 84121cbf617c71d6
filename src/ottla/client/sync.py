"""The clients without asyncio: each runs its asyncio twin on a loop in a thread of its own.

Any number of threads may use one client. A method here is one line: `blocking` gives it the signature and the
documentation of the coroutine that it waits for.
"""

import functools
from collections.abc import Callable, Coroutine, Mapping
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from ottla.client.admin.admin import AsyncAdmin
from ottla.runtime.loop_thread import LoopThread

P = ParamSpec("P")
T = TypeVar("T")


def blocking(
    method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Any, P], T]:
    """A method that runs the coroutine of the asyncio client and waits for it."""

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._thread.run(method(self._client, *args, **kwargs))
        return result

    return call


class SyncClient:
    """Owns the loop thread: started with the client, stopped when it is closed."""

    _client: Any

    def _open(self, client: Any) -> None:
        # A setting that is wrong has raised by now: no thread is left behind.
        self._client = client
        self._thread = LoopThread(f"ottla {type(self).__name__.lower()}")
        self._thread.run(client.start())

    def close(self, **how: Any) -> None:
        """As `close` of the asyncio client; then ends the thread. More than once does no harm."""
        if self._thread.is_running:
            try:
                self._thread.run(self._client.close(**how))
            finally:
                self._thread.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class Admin(SyncClient):
    """`AsyncAdmin` without asyncio.

    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.create_topics([NewTopic("invoices", partitions=2)])
    ...     len(admin.describe_topics(["invoices"])["invoices"].partitions)
    2
    """

    def __init__(self, config: Mapping[str, Any] | None = None, /, **options: Any) -> None:
        self._open(AsyncAdmin(config, **options))

    describe_cluster = blocking(AsyncAdmin.describe_cluster)
    create_topics = blocking(AsyncAdmin.create_topics)
    delete_topics = blocking(AsyncAdmin.delete_topics)
    list_topics = blocking(AsyncAdmin.list_topics)
    describe_topics = blocking(AsyncAdmin.describe_topics)
    end_transaction = blocking(AsyncAdmin.end_transaction)
