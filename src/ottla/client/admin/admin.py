"""`AsyncAdmin`: what an operator asks of a cluster."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from ottla.client.admin import cluster as cluster_calls
from ottla.client.admin import topics as topic_calls
from ottla.client.admin import transactions as transaction_calls
from ottla.client.admin.call import Call
from ottla.client.admin.cluster import ClusterDescription
from ottla.client.admin.topics import NewTopic, TopicDescription, TopicListing
from ottla.client.lifetime import Lifetime
from ottla.client.producer.transactional import TransactionHandle
from ottla.config.admin_options import AdminOptions
from ottla.doors.world import World


class AsyncAdmin:
    """Topics, configs, groups, transactions and nodes of a cluster, for asyncio. `Admin` is the same without asyncio.

    Settings are Kafka's, with Python names as keywords or with their own in a mapping. Every call takes `timeout_ms`;
    without it `default.api.timeout.ms` is the limit. Errors that may pass are retried until then.

    >>> async def example(servers):
    ...     async with AsyncAdmin(bootstrap_servers=servers) as admin:
    ...         await admin.create_topics([NewTopic("orders", partitions=3)])
    ...         return sorted(topic.name for topic in await admin.list_topics())
    >>> asyncio.run(example(servers))
    ['orders']
    """

    def __init__(
        self, config: Mapping[str, Any] | None = None, /, *, world: World | None = None, **options: Any
    ) -> None:
        self._lifetime = Lifetime(AdminOptions, config, options, world)

    async def start(self) -> None:
        """Done by `async with`. Connects to nobody: the first call does."""
        self._lifetime.start()

    async def close(self) -> None:
        await self._lifetime.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def _call(self, what: str, timeout_ms: int | None) -> Call:
        limit_ms = self._lifetime.options.default_api_timeout_ms if timeout_ms is None else timeout_ms
        return Call(self._lifetime.cluster, what, limit_ms)

    # the cluster

    async def describe_cluster(self, *, timeout_ms: int | None = None) -> ClusterDescription:
        return await cluster_calls.describe_cluster(self._call("describe_cluster", timeout_ms))

    # topics

    async def create_topics(
        self, topics: Sequence[NewTopic], *, validate_only: bool = False, timeout_ms: int | None = None
    ) -> None:
        """Creates all of them, or raises what was wrong with the first that failed."""
        await topic_calls.create_topics(self._call("create_topics", timeout_ms), topics, validate_only=validate_only)

    async def delete_topics(self, topics: Sequence[str], *, timeout_ms: int | None = None) -> None:
        await topic_calls.delete_topics(self._call("delete_topics", timeout_ms), topics)

    async def list_topics(self, *, include_internal: bool = False, timeout_ms: int | None = None) -> list[TopicListing]:
        return await topic_calls.list_topics(self._call("list_topics", timeout_ms), include_internal=include_internal)

    async def describe_topics(
        self, topics: Sequence[str], *, timeout_ms: int | None = None
    ) -> dict[str, TopicDescription]:
        return await topic_calls.describe_topics(self._call("describe_topics", timeout_ms), topics)

    # transactions

    async def end_transaction(self, handle: TransactionHandle, *, commit: bool, timeout_ms: int | None = None) -> None:
        """Commits or aborts a transaction that `producer.detach()` has handed over. Asking twice does no harm."""
        await transaction_calls.end_transaction(self._call("end_transaction", timeout_ms), handle, commit=commit)
