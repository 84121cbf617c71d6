"""The clients without asyncio: each runs its asyncio twin on a loop in a thread of its own.

Any number of threads may use one client. A method here is one line: `blocking` gives it the signature and the
documentation of the coroutine that it waits for.
"""

import functools
from collections.abc import Callable, Coroutine, Mapping
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from ottla.client.admin.admin import AsyncAdmin
from ottla.client.errors import ClientClosed
from ottla.runtime.loop_thread import LoopThread

P = ParamSpec("P")
T = TypeVar("T")


def blocking(
    method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Any, P], T]:
    """A method that runs the coroutine of the asyncio client and waits for it."""

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._run(method(self._client, *args, **kwargs))
        return result

    return call


def on_loop(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """A method that calls a plain one of the asyncio client on its loop."""

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async def there() -> T:
            return method(self._client, *args, **kwargs)

        result: T = self._run(there())
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

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine on the loop and waits for it, from any thread. Raises ClientClosed."""
        self._require_open(work)

        async def in_order() -> T:
            self._on_loop()
            return await work

        return self._thread.run(in_order())

    def _require_open(self, work: Coroutine[Any, Any, object]) -> None:
        if not self._thread.is_running:
            work.close()
            raise ClientClosed("the client is closed; create a new one")

    def _on_loop(self) -> None:
        """Called on the loop before each call, for what has to come first."""

    def close(self, **how: Any) -> None:
        """As `close` of the asyncio client; then ends the thread. More than once does no harm."""
        self._end(lambda: self._client.close(**how))

    def _end(self, last_work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._thread.is_running:
            try:
                self._run(last_work())
            finally:
                self._thread.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end(lambda: self._client.__aexit__(kind, error, traceback))


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
    describe_api_versions = blocking(AsyncAdmin.describe_api_versions)
    describe_features = blocking(AsyncAdmin.describe_features)
    update_features = blocking(AsyncAdmin.update_features)
    describe_quorum = blocking(AsyncAdmin.describe_quorum)
    unregister_broker = blocking(AsyncAdmin.unregister_broker)
    create_topics = blocking(AsyncAdmin.create_topics)
    delete_topics = blocking(AsyncAdmin.delete_topics)
    list_topics = blocking(AsyncAdmin.list_topics)
    describe_topics = blocking(AsyncAdmin.describe_topics)
    eligible_leaders = blocking(AsyncAdmin.eligible_leaders)
    create_partitions = blocking(AsyncAdmin.create_partitions)
    delete_records = blocking(AsyncAdmin.delete_records)
    list_offsets = blocking(AsyncAdmin.list_offsets)
    describe_configs = blocking(AsyncAdmin.describe_configs)
    alter_configs = blocking(AsyncAdmin.alter_configs)
    list_config_resources = blocking(AsyncAdmin.list_config_resources)
    list_groups = blocking(AsyncAdmin.list_groups)
    describe_groups = blocking(AsyncAdmin.describe_groups)
    delete_groups = blocking(AsyncAdmin.delete_groups)
    list_group_offsets = blocking(AsyncAdmin.list_group_offsets)
    alter_group_offsets = blocking(AsyncAdmin.alter_group_offsets)
    delete_group_offsets = blocking(AsyncAdmin.delete_group_offsets)
    remove_members = blocking(AsyncAdmin.remove_members)
    list_transactions = blocking(AsyncAdmin.list_transactions)
    describe_transactions = blocking(AsyncAdmin.describe_transactions)
    describe_producers = blocking(AsyncAdmin.describe_producers)
    abort_transaction = blocking(AsyncAdmin.abort_transaction)
    fence_producers = blocking(AsyncAdmin.fence_producers)
    end_transaction = blocking(AsyncAdmin.end_transaction)
    alter_partition_reassignments = blocking(AsyncAdmin.alter_partition_reassignments)
    list_partition_reassignments = blocking(AsyncAdmin.list_partition_reassignments)
    elect_leaders = blocking(AsyncAdmin.elect_leaders)
    describe_log_dirs = blocking(AsyncAdmin.describe_log_dirs)
    alter_replica_log_dirs = blocking(AsyncAdmin.alter_replica_log_dirs)
    create_acls = blocking(AsyncAdmin.create_acls)
    describe_acls = blocking(AsyncAdmin.describe_acls)
    delete_acls = blocking(AsyncAdmin.delete_acls)
    describe_user_scram_credentials = blocking(AsyncAdmin.describe_user_scram_credentials)
    set_scram_credential = blocking(AsyncAdmin.set_scram_credential)
    delete_scram_credential = blocking(AsyncAdmin.delete_scram_credential)
    describe_client_quotas = blocking(AsyncAdmin.describe_client_quotas)
    alter_client_quotas = blocking(AsyncAdmin.alter_client_quotas)
