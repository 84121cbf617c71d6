"""One server: puts the parts together and brings them up and down in order.

Up: directories, metadata, logs, partitions, coordinators, listeners. Down: the same backwards. Everything the node asks
of the world goes through its `World`, so the simulator runs this very class.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any

from ottla.broker.cleaning import Cleaning
from ottla.broker.connection import Connection
from ottla.broker.connection_limits import limits_of, max_request_elements
from ottla.broker.connections import Connections
from ottla.broker.context import RequestContext
from ottla.broker.controller_client import ControllerClient
from ottla.broker.coordinators import Coordinators
from ottla.broker.counters import Counters
from ottla.broker.descriptor_budget import budget_of
from ottla.broker.fetch_sessions import FetchSessions
from ottla.broker.flusher import Flusher
from ottla.broker.group_coordinators import GroupCoordinators
from ottla.broker.internal_topics import definition
from ottla.broker.large_messages import LargeMessages
from ottla.broker.long_checks import LongChecks
from ottla.broker.maintenance import Maintenance
from ottla.broker.metadata_follower import MetadataFollower
from ottla.broker.metadata_store import MetadataStore
from ottla.broker.moving import Moving
from ottla.broker.name_syncs import NameSyncs
from ottla.broker.partition_reconciler import PartitionReconciler
from ottla.broker.partitions import Partitions
from ottla.broker.pipeline import Pipeline
from ottla.broker.producer_ids import ProducerIds
from ottla.broker.refusals import RefusalLog
from ottla.broker.registry import Entry, load_handlers
from ottla.broker.request_memory import RequestMemory
from ottla.broker.retention_clock import RetentionClock
from ottla.broker.storage_faults import StorageFaults
from ottla.broker.time_slices import TimeSlices
from ottla.broker.transaction_coordinators import TransactionCoordinators
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import Listener as PlannedListener
from ottla.config.listeners import ListenerPlan
from ottla.config.sources import BrokerLayers
from ottla.config.topic_options import TopicOptions
from ottla.doors.network import Listener
from ottla.doors.world import World
from ottla.log.flush import NoRoom
from ottla.log.log_store import LogStore
from ottla.log.partition_log import PartitionLog
from ottla.log.segment_cache import SegmentCache
from ottla.metadata.broker_registration import Endpoint
from ottla.metadata.image import BROKER_RESOURCE, EMPTY_IMAGE, MetadataImage
from ottla.model.topic import TopicPartition
from ottla.protocol.api_keys import api
from ottla.protocol.generated.create_topics_request import Topics
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.replication.partition_leader import PartitionLeader
from ottla.runtime.ordered import first_done

_log = logging.getLogger(__name__)
#: For responses to requests in flight, then for tasks.
_ANSWER_GRACE_S = 0.5
_STOP_GRACE_S = 2.0
#: How often a full disk is looked at again before a start.
_ROOM_CHECK_S = 5.0
_BACKLOG = 512
#: Numbers of the security protocols in registrations.
SECURITY_PROTOCOL_IDS = {"PLAINTEXT": 0, "SSL": 1, "SASL_PLAINTEXT": 2, "SASL_SSL": 3}


class BrokerNode:
    """Lives from `start` to `stop`; a node that was stopped is not started again."""

    def __init__(self, options: BrokerOptions, listeners: ListenerPlan, world: World) -> None:
        self.options = options
        self.layers = BrokerLayers(options)
        self.world = world
        self.clock = world.clock
        self.node_id: int = options.node_id
        self.image: MetadataImage = EMPTY_IMAGE
        self.retention_clock = RetentionClock(world.clock, options.ottla_retention_clock_jump_hold_ms)
        self.limits = limits_of(options, world.machine, listeners)
        self.max_request_elements = max_request_elements(options, 0)
        self.counters = Counters()
        self.refusals = RefusalLog(world.clock)
        self.request_memory = RequestMemory(self.limits.request_memory_bytes)
        self.connections = Connections(self.limits, world.clock, self.request_memory)
        self.fetch_sessions = FetchSessions(
            options.max_incremental_fetch_session_cache_slots, self.limits.fetch_session_bytes, world.rng
        )
        self.handlers = load_handlers()
        #: One for each listener.
        self.pipelines: list[Pipeline] = []
        self._listener_plan = listeners
        self._listeners: list[Listener] = []
        self._controller_listeners: list[Listener] = []
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self.failure: str | None = None
        self.has_ended = asyncio.Event()

        budget = self.descriptors = budget_of(options, world.machine.open_files)
        self.faults = StorageFaults(self)
        #: For acks that wait; and for topics where nobody waits.
        new_flusher = partial(
            Flusher, world.executor, world.clock, self.faults.flush_failed, logs_at_once=budget.flushed_at_once
        )
        self.flusher = new_flusher()
        self.background_flusher = new_flusher(one_by_one=True)
        #: For topics where nobody but the end of a transaction waits.
        self.transaction_flusher = new_flusher()
        cache = SegmentCache.with_limit(budget.segment_files)
        self.store = LogStore(
            disk=world.disk,
            directories=list(options.log_dirs or options.log_dir or ()),
            node_id=self.node_id,
            rng=world.rng,
            clock=world.clock,
            metadata_directory=options.metadata_log_dir,
            cache=cache,
            reserve_bytes=options.ottla_disk_reserve_max_bytes,
        )
        self.name_syncs = NameSyncs(world.executor, self.faults.flush_failed)
        self.store.on_names_wanted = self.name_syncs.want
        self.long_checks = LongChecks(world.executor)
        self.reconciler = PartitionReconciler(self)
        self.partitions = Partitions(self._flush_wanted, self.reconciler)
        self.time_slices = TimeSlices(world.clock)
        self.large_messages = LargeMessages(world.executor)
        self.follower = MetadataFollower(self)
        self.cleaning = Cleaning(self)
        self.moving = Moving(self)
        self.maintenance = Maintenance(self)
        cache.on_full = self.maintenance.flush_everything
        self.metadata: MetadataStore
        self.controller: ControllerClient
        self.producer_ids: ProducerIds
        self.groups = GroupCoordinators(self)
        self.transactions = TransactionCoordinators(self)

    # -- up

    async def start(self) -> None:
        """Raises InvalidConfig, InUse or OSError when the node cannot serve; then nothing of it is left running."""
        cluster_id = await self._open_directories()
        self.retention_clock.resume(self.store.last_alive_ms)
        metadata_log = self.store.open_metadata_log(metadata_log_options(self.options))
        self.metadata = MetadataStore(
            self.world, metadata_log, self.flusher, self.node_id, cluster_id, self.store.directory_ids()[0]
        )
        self.controller = ControllerClient(self)
        self.producer_ids = ProducerIds(self.controller.allocate_producer_ids)
        self.metadata.start(lambda image: self.controller.make_shard(image, cluster_id))
        self.image = self.metadata.image
        self.reload_dynamic_options(self.image)
        self.store.load_logs(self.follower.options_for)
        self.follower.put_strays_aside(self.image, self.metadata.controller.removed_topic_ids)
        for path, error in self.store.finish_loading():
            self.faults.path_failed(path, error)
        self.follower.follow(EMPTY_IMAGE, self.image, at_once=True)
        self.descriptors.warn_if_small(len(self.store.logs))
        self.metadata.listen(self._image_changed)
        self.moving.resume()
        await self._take_addresses()
        await self._unless_ended(self.controller.register(self.advertised_endpoints()))
        for listener in (*self._listeners, *self._controller_listeners):
            await listener.start()
        self.maintenance.start()

    async def _unless_ended(self, work: Coroutine[Any, Any, None]) -> None:
        """What waits for the metadata log waits forever when that fails. Raises OSError then."""
        task = asyncio.ensure_future(work)
        ended = asyncio.ensure_future(self.has_ended.wait())
        try:
            await first_done(task, ended)
        finally:
            ended.cancel()
        if not task.done():
            task.cancel()
            raise OSError(errno.EIO, self.failure or "the node was stopped before it served")
        task.result()

    async def _open_directories(self) -> str:
        """Waits for room on a full disk: to end and be started again would not make any."""
        while True:
            try:
                return self.store.open_directories(None)
            except NoRoom as error:
                _log.critical("%s; waiting for it", error)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_ROOM_CHECK_S):
                        await self.has_ended.wait()
                if self.has_ended.is_set():
                    raise

    async def _take_addresses(self) -> None:
        plan = self._listener_plan
        for listener in plan.listeners:
            self._listeners.append(await self._listen(listener, self.handlers))
        served_by_controllers = {
            key: entry for key, entry in self.handlers.items() if "controller" in api(key).listeners
        }
        for listener in plan.controller_listeners:
            self._controller_listeners.append(await self._listen(listener, served_by_controllers))

    async def _listen(self, plan: PlannedListener, handlers: dict[int, Entry]) -> Listener:
        pipeline = Pipeline(self, handlers)
        self.pipelines.append(pipeline)

        def make_connection() -> Connection:
            return Connection(self, plan.name, pipeline)

        options = self.options
        # Kafka's default of 50 loses clients that all come at once: used only where somebody asks for it.
        backlog = options.socket_listen_backlog_size if options.is_set("socket.listen.backlog.size") else _BACKLOG
        return await self.world.network.listen(plan.host, plan.port, make_connection, backlog=backlog)

    def advertised_endpoints(self) -> list[Endpoint]:
        """Each listener as clients are told of it; port 0 has become a real one."""
        found = []
        for plan, listener in zip(self._listener_plan.listeners, self._listeners, strict=True):
            advertised = self._listener_plan.advertised_for(plan.name)
            host = advertised.host if advertised is not None else plan.host
            port = advertised.port if advertised is not None else plan.port
            found.append(Endpoint(plan.name, host, port or listener.port, SECURITY_PROTOCOL_IDS[plan.protocol.name]))
        return found

    def controller_endpoints(self) -> list[Endpoint]:
        plans = self._listener_plan.controller_listeners
        return [
            Endpoint(plan.name, plan.host, listener.port, SECURITY_PROTOCOL_IDS[plan.protocol.name])
            for plan, listener in zip(plans, self._controller_listeners, strict=True)
        ]

    # -- down

    async def stop(self) -> None:
        for listener in (*self._listeners, *self._controller_listeners):
            await listener.close()
        await self.connections.drain(_ANSWER_GRACE_S)
        await self.maintenance.stop()
        self.groups.close()
        self.transactions.close()
        await self._end_tasks()
        await self.maintenance.saved()
        self.connections.abort_all()
        await self.background_flusher.close()
        await self.transaction_flusher.close()
        for leader in self.partitions:
            if leader.log.recovery_point < leader.log.end_offset and not leader.log.is_failed:
                # Here many syncs run at once; one log after another, as they close, they would take their time.
                self.flusher.want(leader.log, leader.flushed)
        await self.flusher.close()
        self.store.close(clean=self.failure is None)

    async def _end_tasks(self) -> None:
        """Requests in work get a moment to end; what is left then is cancelled."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_STOP_GRACE_S):
                while self._tasks:
                    await asyncio.gather(next(iter(self._tasks)), return_exceptions=True)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.sleep(0)

    # -- tasks

    def spawn(self, work: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
        """A task that is kept until it ends; one that fails is logged by whoever looks at it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._task_ended)
        return task

    def _task_ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)

    # -- what other parts tell the node

    def _image_changed(self, before: MetadataImage, after: MetadataImage) -> None:
        self.image = after
        self.max_request_elements = max_request_elements(self.options, after.topics.partition_count)
        self.follower.follow(before, after)

    def flusher_for(self, log: PartitionLog) -> Flusher:
        """A log has one flusher: acks that wait for a flush must not wait behind gigabytes of other topics."""
        if log.flushes_before_ack or log.counts_to_flush:
            return self.flusher
        return self.transaction_flusher if log.producers.has_markers else self.background_flusher

    def _flush_wanted(self, leader: PartitionLeader) -> None:
        self.flusher_for(leader.log).want(leader.log, leader.flushed)

    def storage_failed(self, topic_partition: tuple[str, int], error: OSError) -> None:
        self.faults.happened(topic_partition, error)

    def directories_failed(self) -> None:
        """Called after a log directory went offline."""
        if not self.store.has_working_directory():
            self.give_up("no log directory is left")

    def give_up(self, reason: str) -> None:
        """The node cannot go on: what was acked is safe, what is not must not be acked any more."""
        _log.critical("the node stops: %s", reason)
        self.connections.abort_all()
        self.failure = reason
        self.has_ended.set()

    def partition_led(self, leader: PartitionLeader) -> None:
        coordinators = self._coordinators_on(leader.topic_partition.topic)
        if coordinators is not None:
            coordinators.led(leader)
        self.transactions.partition_opened(leader)

    def partition_lost(self, topic_partition: TopicPartition) -> None:
        coordinators = self._coordinators_on(topic_partition.topic)
        if coordinators is not None:
            coordinators.lost(topic_partition.partition)

    def _coordinators_on(self, topic: str) -> Coordinators | None:
        return next((one for one in (self.groups, self.transactions) if one.topic == topic), None)

    def coordinators_of(self, key_type: int) -> Coordinators | None:
        return {0: self.groups, 1: self.transactions}.get(key_type)

    def transactional_produce(self, request: ProduceRequest, context: RequestContext) -> Any:
        """A request with batches of open transactions: the coordinator must know of them first (KIP-890)."""
        from ottla.broker.transactional_produce import transactional_produce

        return transactional_produce(request, context)

    def topics_changed(self) -> None:
        """Topics were created, deleted or grew."""
        self.groups.topics_changed()

    def group_configs_changed(self) -> None:
        """Dynamic settings changed."""
        self.groups.settings_changed()

    def reload_dynamic_options(self, image: MetadataImage) -> None:
        """Settings of this broker, or of all brokers, as the metadata has them now."""
        self.layers = self.layers.with_dynamic(
            image.config_overrides(BROKER_RESOURCE, str(self.node_id)), image.config_overrides(BROKER_RESOURCE, "")
        )
        self.options = self.layers.options
        self.limits = limits_of(self.options, self.world.machine, self._listener_plan)
        self.max_request_elements = max_request_elements(self.options, image.topics.partition_count)
        self.connections.set_limits(self.limits)

    @property
    def epoch(self) -> int:
        """This broker's epoch: that of its newest registration."""
        registration = self.image.broker(self.node_id)
        return registration.epoch if registration is not None else -1

    def internal_topic(self, name: str) -> Topics | None:
        return definition(name, self.options, len(self.image.alive_brokers()))

    async def auto_create(self, names: list[str]) -> dict[str, Any]:
        return await self.controller.auto_create(names)


def metadata_log_options(options: BrokerOptions) -> TopicOptions:
    """The metadata log flushes before each response and is cut by snapshots, never by retention."""
    values = {
        "segment.bytes": str(options.metadata_log_segment_bytes),
        "segment.ms": str(max(1, options.metadata_log_segment_ms)),
        "file.delete.delay.ms": str(max(0, options.internal_metadata_delete_delay_millis)),
        "flush.messages": "1",
        "retention.ms": "-1",
        "retention.bytes": "-1",
        "max.message.bytes": str(16 * 1024 * 1024),
    }
    if options.internal_metadata_log_segment_bytes is not None:
        values["internal.segment.bytes"] = str(options.internal_metadata_log_segment_bytes)
    return TopicOptions(values)
