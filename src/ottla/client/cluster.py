"""The cluster from a client's side: what is known of it, and one request to one of its nodes.

Producer, consumer and admin client own one each. It decides nothing about records: it knows leaders and coordinators,
has a channel to each node, keeps metadata fresh, and turns failures into the exceptions of `ottla.client.errors`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from ottla.client.coordinators import CoordinatorKind, Coordinators
from ottla.client.errors import ClientError, ConnectionFailed, raise_for, refusal
from ottla.client.metadata import (
    NOTHING_KNOWN,
    ClusterImage,
    Node,
    TopicView,
    controllers_after,
    image_after,
    is_stale,
)
from ottla.client.nodes import Nodes
from ottla.client.options import controllers_of
from ottla.client.refresher import Refresher
from ottla.client.retrying import Backoff, Deadline, retry, timed_out
from ottla.client.security import login_of, network_of
from ottla.config.client_options import ClientOptions
from ottla.doors.world import World
from ottla.model.error_codes import RETRIABLE, STALE_METADATA, ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.describe_cluster_request import DescribeClusterRequest
from ottla.protocol.generated.metadata_request import MetadataRequest, Topics
from ottla.protocol.message import Message

T = TypeVar("T")
_IDLE_CHECK_MS = 30_000
#: An endpoint type of DescribeCluster.
_CONTROLLERS = 2
#: The coordinator has moved, or is about to be one.
_LOST_COORDINATOR = frozenset({ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE})


class Cluster:
    """Opened by use, closed by its owner. All methods run on one event loop."""

    def __init__(
        self,
        options: ClientOptions,
        world: World,
        *,
        allows_topic_creation: bool = False,
        topic_idle_ms: int | None = None,
    ) -> None:
        self.options = options
        self.clock = world.clock
        self.rng = world.rng
        self.nodes = Nodes(options, world.clock, world.rng, network_of(options, world), login_of(options, world))
        #: One request to one node, once; which node is chosen here.
        self.ask, self.version_for, self.channel = self.nodes.ask, self.nodes.version_for, self.nodes.channel
        self.coordinators = Coordinators(self.nodes, self.any_node)
        self.image: ClusterImage = NOTHING_KNOWN
        #: The image is from after the request for a refresh with this number.
        self.refreshed = 0
        #: Called with each new image, in order.
        self.on_image: list[Callable[[ClusterImage], None]] = []
        controllers = controllers_of(options)
        #: Metadata comes from controllers, and the nodes are controllers (KIP-919).
        self.asks_controllers = bool(controllers)
        self._bootstrap = _bootstrap_nodes(controllers or options.bootstrap_servers)
        self._allows_topic_creation = allows_topic_creation
        self._topic_idle_ms = topic_idle_ms
        self._wanted: dict[str, int] = {}
        self._wants_all_topics = False
        self._refresher = Refresher(
            self._fetch_metadata,
            backoff=self.new_backoff(),
            max_age_ms=options.metadata_max_age_ms,
        )
        self._idle_timer: asyncio.TimerHandle | None = None
        self.nodes.update(self._bootstrap)

    async def close(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        await self._refresher.close()
        await self.nodes.close()

    # metadata

    def want(self, topics: Iterable[str]) -> None:
        """Metadata of these is kept from now on; asked for soon if it is not known."""
        now_ms = self.clock.monotonic_ms()
        for name in topics:
            if name not in self._wanted:
                self._refresher.request(is_new=True)
            self._wanted[name] = now_ms

    def want_all_topics(self, *, wants: bool = True) -> None:
        """For patterns: every topic of the cluster is in the image."""
        if wants != self._wants_all_topics:
            self._wants_all_topics = wants
            self._refresher.request(is_new=True)

    def touch(self, topic: str) -> None:
        """It is still in use: its metadata is kept."""
        self._wanted[topic] = self.clock.monotonic_ms()

    def unwant(self, topics: Iterable[str]) -> None:
        for name in topics:
            self._wanted.pop(name, None)

    def request_refresh(self) -> int:
        """Something does not fit to the image; it is refreshed soon. Once it is, `refreshed` reaches this number."""
        return self._refresher.request()

    async def refresh(self) -> ClusterImage:
        """A new image, from after this call. One attempt: raises what it meets."""
        await self._refresher.refreshed()
        return self.image

    async def topic(self, name: str, deadline: Deadline) -> TopicView:
        """The topic, as soon as it can be used. Raises UnknownTopic, AuthorizationFailed, TimedOut."""
        self.want([name])
        cause: ClientError | None = None
        while True:
            view = self.image.topics.get(name)
            if view is not None and view.error == ErrorCode.NONE and view.partitions:
                return view
            if view is not None and view.error not in RETRIABLE and view.error != ErrorCode.NONE:
                raise refusal(view.error, f"topic {name}")
            if view is not None and view.error != ErrorCode.NONE:
                cause = refusal(view.error, f"topic {name}")
            try:
                async with asyncio.timeout(deadline.left_ms / 1000):
                    await self._refresher.refreshed()
            except TimeoutError:
                if cause is not None and cause.code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                    raise refusal(cause.code, f"topic {name} does not exist; waited {deadline.timeout_ms} ms") from None
                raise timed_out(f"metadata of topic {name}", deadline, cause) from cause
            except ClientError as error:
                if not error.retriable:
                    raise
                cause = error

    def leader_of(self, partition: TopicPartition) -> Node | None:
        return self.image.leader_of(partition)

    def note_leader(self, partition: TopicPartition, leader_id: int, leader_epoch: int, nodes: Iterable[Node]) -> None:
        """A response has named a newer leader (KIP-951)."""
        known = [node for node in nodes if self.image.nodes.get(node.id) != node]
        image = self.image.with_nodes(known) if known else self.image
        self._publish(image.with_leader(partition, leader_id, leader_epoch))

    async def _fetch_metadata(self) -> bool:
        """Whether all that is wanted can be used now."""
        if self.asks_controllers:
            await self._fetch_controllers()
            return True
        self._forget_idle_topics()
        serving = self._refresher.requested
        asked = None if self._wants_all_topics else sorted(self._wanted)
        request = MetadataRequest(
            topics=None if asked is None else [Topics(name=name) for name in asked],
            allow_auto_topic_creation=self._allows_topic_creation,
        )
        response = await self._ask_somebody(request)
        if response.error_code == ErrorCode.REBOOTSTRAP_REQUIRED:
            self._start_again()
        raise_for(response.error_code)
        if not response.brokers:
            raise ConnectionFailed("the metadata has no brokers: the cluster is starting, or no listener fits")
        self.refreshed = serving
        self._publish(image_after(self.image, response))
        topics = [self.image.topics.get(name) for name in self._wanted]
        return not any(topic is not None and is_stale(topic) for topic in topics)

    async def _fetch_controllers(self) -> None:
        """Controllers know no topics here: a Metadata request is for brokers."""
        response = await self._ask_somebody(DescribeClusterRequest(endpoint_type=_CONTROLLERS))
        raise_for(response.error_code, response.error_message)
        self._publish(controllers_after(self.image, response))

    async def _ask_somebody(self, request: Message) -> Any:
        """Tries the nodes one after another, the connected one first, the bootstrap servers last."""
        failure: ClientError = ConnectionFailed("no node is known")
        for node_id in self._nodes_to_try():
            try:
                return await self.ask(node_id, request)
            except ClientError as error:
                failure = error
        if self.options.metadata_recovery_strategy.upper() != "NONE":
            # Nobody whom we know can be reached: the cluster may have moved (KIP-899).
            self._start_again()
        raise failure

    def _nodes_to_try(self) -> list[int]:
        known = list(self.image.nodes) or list(self._bootstrap)
        first = self.nodes.least_loaded(known)
        others = [node_id for node_id in self._shuffled(known) if node_id != first]
        return ([first] if first is not None else []) + others

    def _start_again(self) -> None:
        """From the bootstrap servers. What is known of topics stays until there is something newer."""
        self._publish(self.image._replace(version=self.image.version + 1, nodes={}))

    def _publish(self, image: ClusterImage) -> None:
        if image is self.image:
            return
        self.image = image
        self.nodes.update(image.nodes or self._bootstrap)
        self._watch_idle()
        for listener in self.on_image:
            listener(image)

    def _forget_idle_topics(self) -> None:
        if self._topic_idle_ms is not None:
            oldest_ms = self.clock.monotonic_ms() - self._topic_idle_ms
            self._wanted = {name: used_ms for name, used_ms in self._wanted.items() if used_ms >= oldest_ms}

    def _watch_idle(self) -> None:
        if self._idle_timer is None and self.options.connections_max_idle_ms > 0:
            pause_ms = min(_IDLE_CHECK_MS, self.options.connections_max_idle_ms)
            self._idle_timer = asyncio.get_running_loop().call_later(pause_ms / 1000, self._check_idle)

    def _check_idle(self) -> None:
        self._idle_timer = None
        self.nodes.close_idle()
        self._watch_idle()

    # requests

    async def any_node(self) -> int:
        """A node that can be asked for anything; the first call gets metadata."""
        if not self.image.nodes:
            await self._refresher.refreshed()
        connected = self.nodes.least_loaded(self.image.nodes)
        if connected is not None:
            return connected
        if not self.image.nodes:
            raise ConnectionFailed("no node of the cluster can be reached")
        return self._shuffled(list(self.image.nodes))[0]

    async def controller(self) -> int:
        """The node for requests that change the cluster; brokers forward them where they do not decide themselves."""
        if not self.image.nodes:
            await self._refresher.refreshed()
        chosen = self.image.controller_id
        return chosen if chosen in self.image.nodes else await self.any_node()

    async def retry(
        self,
        attempt: Callable[[], Awaitable[T]],
        *,
        timeout_ms: int,
        what: str,
        coordinator: tuple[CoordinatorKind, str] | None = None,
        may_retry: Callable[[ClientError], bool] = lambda error: error.retriable,
    ) -> T:
        """`ottla.client.retrying.retry` with this cluster's back-off. Refreshes what an error says is stale."""

        def on_retry(error: ClientError) -> None:
            is_lost = isinstance(error, ConnectionFailed) or error.code in _LOST_COORDINATOR
            if coordinator is not None and is_lost:
                self.coordinators.forget(*coordinator)
            if isinstance(error, ConnectionFailed) or error.code in STALE_METADATA:
                self.request_refresh()

        return await retry(
            attempt,
            deadline=Deadline(self.clock, timeout_ms),
            backoff=self.new_backoff(),
            what=what,
            on_retry=on_retry,
            may_retry=may_retry,
        )

    def new_backoff(self) -> Backoff:
        return Backoff(self.options.retry_backoff_ms, self.options.retry_backoff_max_ms, self.rng)

    def _shuffled(self, node_ids: list[int]) -> list[int]:
        """Those that are not backing off first; chance decides among equals."""
        left = list(node_ids)
        order = []
        while left:
            order.append(left.pop(self.rng.below(len(left))))
        return sorted(order, key=self.nodes.is_backing_off)


def _bootstrap_nodes(servers: tuple[str, ...]) -> dict[int, Node]:
    nodes = {}
    for index, server in enumerate(servers):
        host, _, port = server.rpartition(":")
        nodes[-1 - index] = Node(-1 - index, host.strip("[]"), int(port))
    return nodes
