"""The controller as a shard: its state is the metadata image, its log is `__cluster_metadata-0`.

Each operation is a function in a module of its noun (topics, partitions, configs, ...) over a `ClusterView`; this class
binds them to the shard's image. The same shard serves a single node and a quorum. Modules that serve one kind of
request are imported with the first one: a node must start fast, and most are never asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ottla.config.broker_options import BrokerOptions
from ottla.config.sources import BrokerLayers
from ottla.controller import bootstrap, brokers
from ottla.controller.feature_levels import unsupported_level
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision, Now, RecordOrigin, StartTimer, StopTimer, TimerOrder
from ottla.doors.rng import Rng
from ottla.metadata.image import BROKER_RESOURCE, EMPTY_IMAGE, MetadataImage
from ottla.metadata.image_builder import ImageBuilder
from ottla.metadata.record_frame import FEATURE_LEVEL, REMOVE_TOPIC
from ottla.model.errors import Bug, Refused
from ottla.model.steps import Steps

if TYPE_CHECKING:
    from ottla.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
    from ottla.protocol.generated.allocate_producer_ids_response import AllocateProducerIdsResponse
    from ottla.protocol.generated.alter_configs_request import AlterConfigsRequest
    from ottla.protocol.generated.alter_configs_response import AlterConfigsResponse
    from ottla.protocol.generated.alter_partition_reassignments_request import AlterPartitionReassignmentsRequest
    from ottla.protocol.generated.alter_partition_reassignments_response import AlterPartitionReassignmentsResponse
    from ottla.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
    from ottla.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse
    from ottla.protocol.generated.broker_registration_request import BrokerRegistrationRequest
    from ottla.protocol.generated.broker_registration_response import BrokerRegistrationResponse
    from ottla.protocol.generated.create_partitions_request import CreatePartitionsRequest
    from ottla.protocol.generated.create_partitions_response import CreatePartitionsResponse
    from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
    from ottla.protocol.generated.create_topics_response import CreateTopicsResponse
    from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
    from ottla.protocol.generated.delete_topics_response import DeleteTopicsResponse
    from ottla.protocol.generated.elect_leaders_request import ElectLeadersRequest
    from ottla.protocol.generated.elect_leaders_response import ElectLeadersResponse
    from ottla.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest
    from ottla.protocol.generated.incremental_alter_configs_response import IncrementalAlterConfigsResponse
    from ottla.protocol.generated.list_partition_reassignments_request import ListPartitionReassignmentsRequest
    from ottla.protocol.generated.list_partition_reassignments_response import ListPartitionReassignmentsResponse
    from ottla.protocol.generated.update_features_request import UpdateFeaturesRequest
    from ottla.protocol.generated.update_features_response import UpdateFeaturesResponse


class ControllerShard:
    """Lives while its node leads the metadata log. Hard state: the image. Soft state: the sessions of the brokers."""

    def __init__(
        self,
        *,
        node_id: int,
        cluster_id: str,
        options: BrokerOptions,
        rng: Rng,
        image: MetadataImage = EMPTY_IMAGE,
        first_records: list[Any] | None = None,
        is_single_node: bool = False,
    ) -> None:
        """`image` is that of a snapshot; `first_records` those of a `bootstrap.checkpoint`, if there is one.

        `is_single_node`: its own broker is the only one there is.
        """
        self._node_id = node_id
        self._options = options
        self._rng = rng
        self._builder = ImageBuilder(image._replace(cluster_id=cluster_id, controller_id=node_id))
        self._layers = BrokerLayers(options)
        self._layers_of: tuple[Any, Any] = (None, None)
        self._sessions: dict[int, int] = {}
        self._first_records = first_records or bootstrap.bootstrap_records()
        self._is_single_node = is_single_node
        self._is_loaded = False
        #: Ids of the topics whose removal the log contains since its snapshot: their data may go.
        self.removed_topic_ids: dict[bytes, None] = {}

    @property
    def image(self) -> MetadataImage:
        """After all applied records. The same object until the next record."""
        return self._builder.build()

    def unsupported_level(self) -> str | None:
        """Why the records applied so far are not for this release."""
        return unsupported_level(self._builder.features)

    def unsupported_first_level(self) -> str | None:
        """Why the first records, which an empty log will get, are not for this release."""
        if self._builder.features:
            return None
        return unsupported_level(
            {record.name: record.feature_level for record in self._first_records if _is_level(record)}
        )

    # -- the frame of a shard

    def apply(self, record: Any, origin: RecordOrigin) -> None:
        if not self._is_loaded and record.RECORD_TYPE == REMOVE_TOPIC:
            self.removed_topic_ids[record.topic_id] = None
        self._builder.apply(record, origin.offset, origin.timestamp_ms)

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        raise Bug("a transaction marker in the metadata log")

    def advance_to(self, offset: int, timestamp_ms: int, epoch: int) -> None:
        """The log holds something up to `offset` that is no metadata record (a leader change)."""
        self._builder.advance_to(offset, timestamp_ms, epoch)

    def on_loaded(self, now: Now) -> Decision[None]:
        """An empty log gets the first records of a cluster; one that ends inside a transaction gets its end."""
        self._is_loaded = True
        if self._builder.is_in_transaction:
            from ottla.protocol.generated.abort_transaction_record import AbortTransactionRecord

            return Decision(None, [AbortTransactionRecord(reason="the controller that began it is gone")])
        if not self.image.features:
            return Decision(None, bootstrap.first_records(self._first_records, self._options.min_insync_replicas))
        return Decision(None)

    def on_unloaded(self) -> None:
        self._sessions.clear()

    # -- topics and partitions

    def create_topics(self, request: CreateTopicsRequest, version: int) -> Steps[Decision[CreateTopicsResponse]]:
        from ottla.controller import topics

        return topics.create_topics(self._view(), request, version)

    def delete_topics(self, request: DeleteTopicsRequest, version: int) -> Steps[Decision[DeleteTopicsResponse]]:
        from ottla.controller import topic_deletion

        return topic_deletion.delete_topics(self._view(), request, version)

    def create_partitions(self, request: CreatePartitionsRequest) -> Steps[Decision[CreatePartitionsResponse]]:
        from ottla.controller import partitions

        return partitions.create_partitions(self._view(), request)

    def elect_leaders(self, request: ElectLeadersRequest, now: Now) -> Decision[ElectLeadersResponse]:
        from ottla.controller import elections

        return elections.elect_leaders(self._view(), request)

    def alter_partition_reassignments(
        self, request: AlterPartitionReassignmentsRequest, now: Now
    ) -> Decision[AlterPartitionReassignmentsResponse]:
        from ottla.controller import reassignment

        return reassignment.alter_partition_reassignments(self._view(), request)

    def list_partition_reassignments(
        self, request: ListPartitionReassignmentsRequest
    ) -> ListPartitionReassignmentsResponse:
        from ottla.controller import reassignment

        return reassignment.list_partition_reassignments(self._view(), request)

    # -- configs and features

    def alter_configs(self, request: AlterConfigsRequest) -> Steps[Decision[AlterConfigsResponse]]:
        from ottla.controller import configs

        return configs.alter_configs(self._view(), request)

    def incremental_alter_configs(
        self, request: IncrementalAlterConfigsRequest
    ) -> Steps[Decision[IncrementalAlterConfigsResponse]]:
        from ottla.controller import configs

        return configs.incremental_alter_configs(self._view(), request)

    def update_features(
        self, request: UpdateFeaturesRequest, version: int, now: Now
    ) -> Decision[UpdateFeaturesResponse]:
        from ottla.controller import features

        return features.update_features(self._view(), request, version)

    # -- producer ids

    def allocate_producer_ids(
        self, request: AllocateProducerIdsRequest, now: Now
    ) -> Decision[AllocateProducerIdsResponse]:
        from ottla.controller import producer_ids

        return producer_ids.allocate_producer_ids(self._view(), request)

    # -- brokers

    def admit_broker(self, request: BrokerRegistrationRequest, now: Now) -> Decision[BrokerRegistrationResponse]:
        return self.start_single_node(request, now) if self._is_single_node else self.register_broker(request, now)

    def start_single_node(self, request: BrokerRegistrationRequest, now: Now) -> Decision[BrokerRegistrationResponse]:
        return brokers.start_single_node(self._view(), request)

    def register_broker(self, request: BrokerRegistrationRequest, now: Now) -> Decision[BrokerRegistrationResponse]:
        has_session = self._has_session(request.broker_id, now)
        decision = brokers.register_broker(self._view(), request, has_session=has_session)
        if decision.records:
            decision.timers.append(self._heard(request.broker_id, now))
        return decision

    def heartbeat(self, request: BrokerHeartbeatRequest, now: Now) -> Decision[BrokerHeartbeatResponse]:
        decision = brokers.heartbeat(self._view(), request)
        if decision.response is not None and decision.response.error_code == 0:
            decision.timers.append(self._heard(request.broker_id, now))
        return decision

    def unregister_broker(self, broker_id: int, now: Now) -> Decision[Refused | None]:
        decision = brokers.unregister_broker(self._view(), broker_id)
        if decision.records:
            self._sessions.pop(broker_id, None)
            decision.timers.append(StopTimer(("session", broker_id)))
        return decision

    def _has_session(self, broker_id: int, now: Now) -> bool:
        last_ms = self._sessions.get(broker_id)
        return last_ms is not None and now.monotonic_ms - last_ms < self._options.broker_session_timeout_ms

    def _heard(self, broker_id: int, now: Now) -> TimerOrder:
        self._sessions[broker_id] = now.monotonic_ms
        delay_ms = self._options.broker_session_timeout_ms
        return StartTimer(("session", broker_id), delay_ms, lambda later: self._session_ended(broker_id))

    def _session_ended(self, broker_id: int) -> Decision[None]:
        self._sessions.pop(broker_id, None)
        view = self._view()
        broker = view.image.broker(broker_id)
        if broker is None or broker.is_fenced:
            return Decision(None)
        return Decision(None, brokers.fence_records(view, broker))

    # -- the view

    def _view(self) -> ClusterView:
        image = self.image
        return ClusterView(image, self._node_id, self._current_layers(image), self._rng, image.offset + 1)

    def _current_layers(self, image: MetadataImage) -> BrokerLayers:
        own = image.config_overrides(BROKER_RESOURCE, str(self._node_id))
        cluster = image.config_overrides(BROKER_RESOURCE, "")
        if self._layers_of[0] is not own or self._layers_of[1] is not cluster:
            self._layers = self._layers.with_dynamic(own, cluster)
            self._layers_of = (own, cluster)
        return self._layers


def _is_level(record: Any) -> bool:
    return bool(record.RECORD_TYPE == FEATURE_LEVEL)
