"""One server: builds the parts, hands each what it uses, and brings them up and down in order.

Up: directories, metadata, logs, partitions, coordinators, listeners. Down: the same backwards. Everything the node asks
of the world goes through its `World`, so the simulator runs this very class. No part knows the node: what a lower part
reports to a higher one is a callback that is set here.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
from collections.abc import Coroutine, Mapping
from functools import partial
from typing import Any

from ottla.broker.controller.client import ControllerClient
from ottla.broker.controller.producer_ids import ProducerIds
from ottla.broker.controller.quorum_of_one import QuorumOfOne, metadata_log_options
from ottla.broker.controller.registration import Registration
from ottla.broker.coordinators.coordinators import Hosting
from ottla.broker.coordinators.group_coordinators import GroupCoordinators
from ottla.broker.coordinators.markers import MarkerLog
from ottla.broker.coordinators.transaction_coordinators import TransactionCoordinators
from ottla.broker.execution.tasks import Tasks
from ottla.broker.execution.time_slices import TimeSlices
from ottla.broker.fetch.purgatory import FetchPurgatory
from ottla.broker.fetch.reading import FetchSource
from ottla.broker.fetch.sessions import FetchSessions
from ottla.broker.handlers import load_handlers
from ottla.broker.handlers.services import Services
from ottla.broker.maintenance.background_flush import BackgroundFlush
from ottla.broker.maintenance.chores import Chore
from ottla.broker.maintenance.compaction import Cleaning
from ottla.broker.maintenance.maintenance import Maintained, Maintenance
from ottla.broker.maintenance.moves import Moving
from ottla.broker.maintenance.retention import Retention
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.metadata.publisher import Follower, MetadataPublisher
from ottla.broker.network.connection import ServerParts
from ottla.broker.network.connections import Connections
from ottla.broker.network.limits import limits_of
from ottla.broker.network.listeners import Listeners
from ottla.broker.network.refusals import RefusalLog
from ottla.broker.network.request_memory import RequestMemory
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.partitions.reconciler import PartitionReconciler
from ottla.broker.produce.appending import Appender
from ottla.broker.produce.long_checks import LongChecks
from ottla.broker.produce.transactional_produce import TransactionalProduce
from ottla.broker.requests.large_messages import LargeMessages
from ottla.broker.requests.pipeline import Counters, Pipeline
from ottla.broker.requests.registry import Entry
from ottla.broker.storage.checkpoints import Checkpoints
from ottla.broker.storage.descriptor_budget import budget_of
from ottla.broker.storage.faults import StorageFaults
from ottla.broker.storage.flusher import Flusher
from ottla.broker.storage.flushers import Flushers
from ottla.broker.storage.name_syncs import NameSyncs
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import ListenerPlan
from ottla.doors.world import World
from ottla.log.files.disk_errors import NoRoom
from ottla.log.segments.segment_cache import SegmentCache
from ottla.log.store.log_store import LogStore
from ottla.metadata.broker_registration import Endpoint
from ottla.metadata.delta import MetadataDelta
from ottla.metadata.image import EMPTY_IMAGE, MetadataImage
from ottla.runtime.ordered import first_done

_log = logging.getLogger(__name__)
#: For responses to requests in flight, then for tasks.
_RESPONSE_GRACE_S = 0.5
_STOP_GRACE_S = 2.0
#: How often a full disk is looked at again before a start.
_ROOM_CHECK_S = 5.0
_UNSENT_CHECK_MS = 1_000


class BrokerNode:
    """Lives from `start` to `stop`; a node that was stopped is not started again."""

    def __init__(self, options: BrokerOptions, listeners: ListenerPlan, world: World) -> None:
        self.world = world
        self.clock = world.clock
        self.node_id: int = options.node_id
        self.failure: str | None = None
        self.has_ended = asyncio.Event()
        self._listener_plan = listeners
        self.tasks = Tasks()
        self.time_slices = TimeSlices(world.clock)
        self.metadata_cache = MetadataCache(self.node_id)
        self.config = DynamicConfig(options, self.metadata_cache)
        self.config.on_broker_changed = self._set_limits
        self.retention_clock = RetentionClock(world.clock, options.ottla_retention_clock_jump_hold_ms)
        self._build_storage(options)
        self._build_partitions()
        self._build_controller()
        self._build_coordinators()
        self._build_maintenance()
        self._build_services(options)
        self._build_network(options)

    # -- the parts, each with what it uses

    def _build_storage(self, options: BrokerOptions) -> None:
        world = self.world
        budget = self.descriptors = budget_of(options, world.machine.open_files)
        self._segment_cache = SegmentCache.with_limit(budget.segment_files)
        self.store = LogStore(
            disk=world.disk,
            directories=list(options.log_dirs or options.log_dir or ()),
            node_id=self.node_id,
            rng=world.rng,
            clock=world.clock,
            metadata_directory=options.metadata_log_dir,
            cache=self._segment_cache,
            reserve_bytes=options.ottla_disk_reserve_max_bytes,
        )
        self.faults = StorageFaults(self.store, world.clock, world.machine.open_files, give_up=self.give_up)
        new_flusher = partial(
            Flusher, world.executor, world.clock, self.faults.flush_failed, logs_at_once=budget.flushed_at_once
        )
        self.flusher = new_flusher()
        self.flushers = Flushers(acks=self.flusher, transactions=new_flusher(), background=new_flusher(one_by_one=True))
        self.checkpoints = Checkpoints(self.store, world.executor, self.faults)
        self.name_syncs = NameSyncs(world.executor, self.faults.flush_failed)
        self.store.on_names_wanted = self.name_syncs.want

    def _build_partitions(self) -> None:
        self.partitions = Partitions(self.metadata_cache, self.flushers.want)
        self.faults.on_partition_failed = self.partitions.take_offline
        self.reconciler = PartitionReconciler(
            self.partitions,
            self.store,
            metadata=self.metadata_cache,
            config=self.config,
            faults=self.faults,
            checkpoints=self.checkpoints,
            clock=self.clock,
            tasks=self.tasks,
        )

    def _build_controller(self) -> None:
        self.metadata = QuorumOfOne(self.world, self.flusher, self.time_slices, self.node_id)
        self.controller = ControllerClient(
            self.metadata, self.metadata_cache, self.config, self.reconciler.names_are_free
        )
        self.registration = Registration(self.controller, self.metadata_cache, self.store, self.world.rng)
        self.producer_ids = ProducerIds(self.controller.allocate_producer_ids)

    def _build_coordinators(self) -> None:
        hosting = Hosting(self.metadata_cache, self.partitions, self.clock, self.flusher, self.faults, self.tasks)
        shared = (hosting, self.controller, self.config, self.retention_clock)
        self.groups = GroupCoordinators(*shared, self.world.rng)
        self.markers = MarkerLog(self.partitions, self.groups, self.faults, self.clock)
        self.transactions = TransactionCoordinators(*shared, self.producer_ids, self.markers)
        self.partitions.listeners += [self.groups, self.transactions]
        followers: list[Follower] = [self.config.follow, self.reconciler.follow, self.groups.follow]
        self.publisher = MetadataPublisher(self.metadata_cache, followers)

    def _build_maintenance(self) -> None:
        world, store, partitions = self.world, self.store, self.partitions
        background_flush = BackgroundFlush(partitions, self.flushers, world.clock)
        self._segment_cache.on_full = background_flush.flush_everything
        self.faults.on_out_of_files = background_flush.flush_everything
        self.moving = Moving(store, partitions, world.executor, self.tasks)
        cleaning = Cleaning(
            world,
            store,
            partitions,
            config=self.config,
            retention_clock=self.retention_clock,
            flushers=self.flushers,
            faults=self.faults,
        )
        retention = Retention(
            partitions,
            store,
            clock=world.clock,
            retention_clock=self.retention_clock,
            executor=world.executor,
            name_syncs=self.name_syncs,
            faults=self.faults,
        )
        maintained = Maintained(
            store=store,
            partitions=partitions,
            reconciler=self.reconciler,
            metadata_store=self.metadata,
            checkpoints=self.checkpoints,
            retention=retention,
            cleaning=cleaning,
            background_flush=background_flush,
            retention_clock=self.retention_clock,
        )
        self.maintenance = Maintenance(maintained, self.config, world.clock, world.executor, self.tasks)

    def _build_services(self, options: BrokerOptions) -> None:
        """What requests may use."""
        world = self.world
        limits = limits_of(options, world.machine, self._listener_plan)
        self.large_messages = LargeMessages(world.executor, self.time_slices, self.tasks, self.config)
        self.long_checks = LongChecks(world.executor)
        self.fetch_sessions = FetchSessions(
            options.max_incremental_fetch_session_cache_slots, limits.fetch_session_bytes, world.rng
        )
        appender = Appender(
            self.partitions,
            self.store,
            metadata=self.metadata_cache,
            clock=self.clock,
            faults=self.faults,
            long_checks=self.long_checks,
            slices=self.time_slices,
        )
        self.services = Services(
            clock=self.clock,
            metadata=self.metadata_cache,
            config=self.config,
            controller_endpoints=self.controller_endpoints,
            partitions=self.partitions,
            appender=appender,
            transactional_produce=TransactionalProduce(appender, self.partitions, self.transactions, self.config),
            fetch_source=FetchSource(
                self.partitions, self.metadata_cache, self.faults, self.descriptors.files_of_response
            ),
            fetch_sessions=self.fetch_sessions,
            fetch_purgatory=FetchPurgatory(self.clock),
            controller=self.controller,
            metadata_store=self.metadata,
            producer_ids=self.producer_ids,
            groups=self.groups,
            transactions=self.transactions,
            markers=self.markers,
            store=self.store,
            checkpoints=self.checkpoints,
            faults=self.faults,
            moving=self.moving,
            time_slices=self.time_slices,
            large_messages=self.large_messages,
        )

    def _build_network(self, options: BrokerOptions) -> None:
        world = self.world
        limits = limits_of(options, world.machine, self._listener_plan)
        self.counters = Counters()
        self.request_memory = RequestMemory(limits.request_memory_bytes)
        self.connections = Connections(limits, world.clock, self.request_memory)
        self.handlers = load_handlers()
        self._server_parts = ServerParts(
            clock=world.clock,
            network=world.network,
            connections=self.connections,
            memory=self.request_memory,
            refusals=RefusalLog(world.clock),
            tasks=self.tasks,
            on_closed=self.fetch_sessions.close_of,
        )
        self._listeners = Listeners(self._listener_plan, options, self.handlers, self._new_pipeline)

    def _new_pipeline(self, handlers: Mapping[int, Entry]) -> Pipeline:
        return Pipeline(
            handlers, self.services, messages=self.large_messages, limits=self.config, counters=self.counters
        )

    # -- up

    async def start(self) -> None:
        """Raises InvalidConfig, InUse or OSError when the node cannot serve; then nothing of it is left running."""
        cluster_id = await self._open_directories()
        self.retention_clock.resume(self.store.last_alive_ms)
        options = self.config.options
        metadata_log = self.store.open_metadata_log(metadata_log_options(options))
        directory_id = self.store.directory_ids()[0]
        self.metadata.start(metadata_log, options, cluster_id=cluster_id, directory_id=directory_id)
        self.metadata_cache.image = self.metadata.image
        self.config.reload()
        self.store.load_logs(self.config.topic_options)
        self.reconciler.put_strays_aside(self.metadata.removed_topic_ids)
        for path, error in self.store.finish_loading():
            self.faults.path_failed(path, error)
        self.reconciler.follow(MetadataDelta(EMPTY_IMAGE, self.metadata.image), at_once=True)
        self.descriptors.warn_if_small(len(self.store.logs))
        self.metadata.listen(self.publisher.publish)
        self.moving.resume()
        await self._listeners.bind(self._server_parts)
        rack, held_ms = self.config.options.broker_rack, self.retention_clock.held_ms
        await self._unless_ended(self.registration.register(self.advertised_endpoints(), rack, held_ms))
        await self._listeners.accept()
        self.maintenance.start(
            [
                Chore("connection sweep", self.connections.limits.sweep_ms, self._sweep_connections),
                Chore("unsent responses", _UNSENT_CHECK_MS, self._bound_unsent_responses),
            ]
        )

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

    # -- down

    async def stop(self) -> None:
        await self._listeners.close()
        await self.connections.drain(_RESPONSE_GRACE_S)
        await self.maintenance.stop()
        self.groups.close()
        self.transactions.close()
        await self.tasks.finish(_STOP_GRACE_S)
        await self.checkpoints.saved()
        self.connections.abort_all()
        await self.flushers.background.close()
        await self.flushers.transactions.close()
        for leader in self.partitions:
            if leader.log.recovery_point < leader.log.end_offset and not leader.log.is_failed:
                # Here many syncs run at once; one log after another, as they close, they would take their time.
                self.flusher.want(leader.log, leader.flushed)
        await self.flusher.close()
        self.store.close(clean=self.failure is None)

    def give_up(self, reason: str) -> None:
        """The node cannot continue: what was acked is safe, what is not must not be acked any more."""
        _log.critical("the node stops: %s", reason)
        self.connections.abort_all()
        self.failure = reason
        self.has_ended.set()

    # -- what the parts report

    def _set_limits(self, options: BrokerOptions) -> None:
        self.connections.set_limits(limits_of(options, self.world.machine, self._listener_plan))

    async def _sweep_connections(self) -> None:
        self.connections.sweep()

    async def _bound_unsent_responses(self) -> None:
        """They fill the memory faster than the time limits of the sweep pass."""
        self.connections.bound_unsent_responses()

    # -- for those who run a node

    @property
    def image(self) -> MetadataImage:
        return self.metadata_cache.image

    @property
    def pipelines(self) -> list[Pipeline]:
        """One for each listener."""
        return self._listeners.pipelines

    def advertised_endpoints(self) -> list[Endpoint]:
        """Each listener as it is advertised to clients; port 0 has become a real one."""
        return self._listeners.advertised_endpoints()

    def controller_endpoints(self) -> list[Endpoint]:
        return self._listeners.controller_endpoints()
