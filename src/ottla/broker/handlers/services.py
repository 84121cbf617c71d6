"""What handlers may use. The node is not among it: a handler starts, stops and owns nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ottla.broker.controller.client import ControllerClient
from ottla.broker.controller.metadata_store import MetadataStore
from ottla.broker.controller.producer_ids import ProducerIds
from ottla.broker.coordinators.group_coordinators import GroupCoordinators
from ottla.broker.coordinators.markers import MarkerLog
from ottla.broker.coordinators.transaction_coordinators import TransactionCoordinators
from ottla.broker.execution.time_slices import TimeSlices
from ottla.broker.fetch.purgatory import FetchPurgatory
from ottla.broker.fetch.reading import FetchSource
from ottla.broker.fetch.sessions import FetchSessions
from ottla.broker.maintenance.moves import Moving
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.produce.appending import Appender
from ottla.broker.produce.transactional_produce import TransactionalProduce
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.large_messages import LargeMessages
from ottla.broker.storage.checkpoints import Checkpoints
from ottla.broker.storage.faults import StorageFaults
from ottla.doors.clock import Clock
from ottla.log.store.log_store import LogStore
from ottla.metadata.broker_registration import Endpoint


@dataclass(frozen=True, slots=True)
class Services:
    """Built by the node, the same for all requests."""

    # What is known.
    clock: Clock
    metadata: MetadataCache
    config: DynamicConfig
    controller_endpoints: Callable[[], list[Endpoint]]
    # Data.
    partitions: Partitions
    appender: Appender
    transactional_produce: TransactionalProduce
    fetch_source: FetchSource
    fetch_sessions: FetchSessions
    fetch_purgatory: FetchPurgatory
    # The cluster.
    controller: ControllerClient
    metadata_store: MetadataStore
    producer_ids: ProducerIds
    groups: GroupCoordinators
    transactions: TransactionCoordinators
    markers: MarkerLog
    # The disks of this node.
    store: LogStore
    checkpoints: Checkpoints
    faults: StorageFaults
    moving: Moving
    # Long work.
    time_slices: TimeSlices
    large_messages: LargeMessages


#: What each handler gets with its request.
Context: TypeAlias = RequestContext[Services]
