"""Brokers come and go: registration, heartbeats, fencing, controlled shutdown.

    (unknown) --register--> fenced --heartbeat, caught up--> unfenced --session ended--> fenced
                              ^                                 |
                              +---- register (restart) ---------+--shut down--> in controlled shutdown --> fenced

A fenced broker leads nothing and clients are not sent to it. Each registration gets an epoch of its own, and whatever
an older incarnation still sends is refused.
"""

from collections.abc import Callable
from typing import Any

from ottla.controller.feature_levels import SUPPORTED_FEATURES
from ottla.controller.leaders import elect, lead_where_nobody_does, leader_record
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.metadata.broker_registration import FENCE, IN_CONTROLLED_SHUTDOWN, UNFENCE, BrokerRegistration
from ottla.metadata.partition_registration import (
    NO_LEADER,
    NO_LEADER_CHANGE,
    PartitionRegistration,
)
from ottla.metadata.topics_image import TopicImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from ottla.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse
from ottla.protocol.generated.broker_registration_change_record import BrokerRegistrationChangeRecord
from ottla.protocol.generated.broker_registration_request import BrokerRegistrationRequest
from ottla.protocol.generated.broker_registration_response import BrokerRegistrationResponse
from ottla.protocol.generated.partition_change_record import PartitionChangeRecord
from ottla.protocol.generated.register_broker_record import EndPoints, Features, RegisterBrokerRecord
from ottla.protocol.generated.unregister_broker_record import UnregisterBrokerRecord


def register_broker(
    view: ClusterView, request: BrokerRegistrationRequest, *, has_session: bool
) -> Decision[BrokerRegistrationResponse]:
    """`has_session`: an incarnation of this broker was heard a moment ago, so a second one is a mistake."""
    known = view.image.broker(request.broker_id)
    refusal = _registration_refusal(view, request, known, has_session)
    if refusal is not None:
        return Decision(BrokerRegistrationResponse(error_code=refusal))
    is_same = known is not None and known.incarnation_id == request.incarnation_id
    epoch = known.epoch if known is not None and is_same else view.next_offset
    records: list[Any] = []
    if known is not None and not is_same:
        # If it did not stop cleanly, the end of its logs may be gone: it must not lead before it caught up.
        lost_tail = request.previous_broker_epoch != known.epoch
        if lost_tail or not known.is_fenced:
            records += _records_without(view, known.broker_id, lost_tail=lost_tail)
    records.append(registration_record(request, epoch))
    return Decision(BrokerRegistrationResponse(broker_epoch=epoch), records)


def _registration_refusal(
    view: ClusterView, request: BrokerRegistrationRequest, known: BrokerRegistration | None, has_session: bool
) -> ErrorCode | None:
    if request.cluster_id != view.image.cluster_id:
        return ErrorCode.INCONSISTENT_CLUSTER_ID
    if known is not None and has_session and known.incarnation_id != request.incarnation_id:
        return ErrorCode.DUPLICATE_BROKER_REGISTRATION
    if not request.listeners or not request.log_dirs or len(set(request.log_dirs)) != len(request.log_dirs):
        return ErrorCode.INVALID_REGISTRATION
    offered = {feature.name: feature for feature in request.features}
    for name, level in sorted(view.image.features.items()):
        feature = offered.get(name)
        if name not in SUPPORTED_FEATURES:
            continue
        if feature is None or not feature.min_supported_version <= level <= feature.max_supported_version:
            return ErrorCode.UNSUPPORTED_VERSION
    return None


def registration_record(request: BrokerRegistrationRequest, epoch: int) -> RegisterBrokerRecord:
    return RegisterBrokerRecord(
        broker_id=request.broker_id,
        incarnation_id=request.incarnation_id,
        broker_epoch=epoch,
        end_points=[EndPoints(each.name, each.host, each.port, each.security_protocol) for each in request.listeners],
        features=[
            Features(each.name, each.min_supported_version, each.max_supported_version) for each in request.features
        ],
        rack=request.rack,
        fenced=True,
        log_dirs=sorted(request.log_dirs),
    )


def start_single_node(view: ClusterView, request: BrokerRegistrationRequest) -> Decision[BrokerRegistrationResponse]:
    """The only broker of a cluster registers and is unfenced in one step: nobody else could have taken over.

    Partitions keep their leader epoch unless the end of their logs may be gone (see `previous_broker_epoch`); then
    every epoch rises, so that consumers that read the lost records notice.
    """
    known = view.image.broker(request.broker_id)
    lost_tail = known is not None and request.previous_broker_epoch != known.epoch
    epoch = view.next_offset
    records: list[Any] = [registration_record(request, epoch), _change(request.broker_id, epoch, fenced=UNFENCE)]
    if lost_tail:
        records += _same_leader_records(view, request.broker_id)
    records += lead_where_nobody_does(view, lambda broker_id: broker_id == request.broker_id)
    return Decision(BrokerRegistrationResponse(broker_epoch=epoch), records)


def _same_leader_records(view: ClusterView, broker_id: int) -> list[Any]:
    return [
        PartitionChangeRecord(partition_id=index, topic_id=topic.topic_id, leader=broker_id)
        for topic in view.image.topics
        for index, partition in topic.partitions.items()
        if partition.leader == broker_id
    ]


def heartbeat(view: ClusterView, request: BrokerHeartbeatRequest) -> Decision[BrokerHeartbeatResponse]:
    try:
        broker = _broker(view, request.broker_id, request.broker_epoch)
    except Refused as refusal:
        return Decision(BrokerHeartbeatResponse(error_code=refusal.code))
    is_caught_up = request.current_metadata_offset >= broker.epoch
    records: list[Any] = []
    is_fenced = broker.is_fenced
    if request.want_shut_down and not broker.is_fenced:
        records, is_fenced = _towards_shutdown(view, broker)
    elif request.want_fence and not broker.is_fenced:
        records, is_fenced = fence_records(view, broker), True
    elif broker.is_fenced and not request.want_fence and not request.want_shut_down and is_caught_up:
        records, is_fenced = unfence_records(view, broker), False
    response = BrokerHeartbeatResponse(
        is_caught_up=is_caught_up, is_fenced=is_fenced, should_shut_down=request.want_shut_down and is_fenced
    )
    return Decision(response, records)


def _broker(view: ClusterView, broker_id: int, epoch: int) -> BrokerRegistration:
    broker = view.image.broker(broker_id)
    if broker is None:
        raise Refused(ErrorCode.BROKER_ID_NOT_REGISTERED, f"Broker ID {broker_id} is not currently registered")
    if broker.epoch != epoch:
        raise Refused(ErrorCode.STALE_BROKER_EPOCH)
    return broker


def _towards_shutdown(view: ClusterView, broker: BrokerRegistration) -> tuple[list[Any], bool]:
    """First its partitions move away; when it leads none any more, it is fenced and may stop."""
    if broker.in_controlled_shutdown and not _leads_any(view, broker.broker_id):
        return [_change(broker.broker_id, broker.epoch, fenced=FENCE)], True
    records = _records_without(view, broker.broker_id)
    if not broker.in_controlled_shutdown:
        change = _change(broker.broker_id, broker.epoch, in_controlled_shutdown=IN_CONTROLLED_SHUTDOWN)
        records.insert(0, change)
    return records, False


def _leads_any(view: ClusterView, broker_id: int) -> bool:
    return any(partition.leader == broker_id for topic in view.image.topics for partition in topic.partitions.values())


def fence_records(view: ClusterView, broker: BrokerRegistration) -> list[Any]:
    fenced = _change(broker.broker_id, broker.epoch, fenced=FENCE)
    return [*_records_without(view, broker.broker_id), fenced]


def unfence_records(view: ClusterView, broker: BrokerRegistration) -> list[Any]:
    def may_lead(broker_id: int) -> bool:
        return broker_id == broker.broker_id or view.image.is_active(broker_id)

    unfenced = _change(broker.broker_id, broker.epoch, fenced=UNFENCE)
    return [unfenced, *lead_where_nobody_does(view, may_lead)]


def unregister_broker(view: ClusterView, broker_id: int) -> Decision[Refused | None]:
    broker = view.image.broker(broker_id)
    if broker is None:
        message = f"Broker ID {broker_id} is not currently registered"
        return Decision(Refused(ErrorCode.BROKER_ID_NOT_REGISTERED, message))
    removed = UnregisterBrokerRecord(broker_id=broker_id, broker_epoch=broker.epoch)
    return Decision(None, [*_records_without(view, broker_id), removed])


def _change(broker_id: int, epoch: int, **changes: Any) -> BrokerRegistrationChangeRecord:
    return BrokerRegistrationChangeRecord(broker_id=broker_id, broker_epoch=epoch, **changes)


# -- partitions of a broker that goes


def _records_without(view: ClusterView, broker_id: int, *, lost_tail: bool = False) -> list[Any]:
    """Takes a broker out of all in-sync sets and finds new leaders."""

    def may_lead(other: int) -> bool:
        return other != broker_id and view.image.is_active(other)

    records: list[Any] = []
    for topic in view.image.topics:
        for index, partition in topic.partitions.items():
            involved = broker_id in partition.isr or broker_id == partition.leader
            if involved or (lost_tail and broker_id in partition.eligible_leader_replicas):
                record = _without(view, topic, index, partition, broker_id, may_lead, lost_tail)
                if record is not None:
                    records.append(record)
    return records


def _without(
    view: ClusterView,
    topic: TopicImage,
    index: int,
    partition: PartitionRegistration,
    broker_id: int,
    may_lead: Callable[[int], bool],
    lost_tail: bool,
) -> PartitionChangeRecord | None:
    record = PartitionChangeRecord(partition_id=index, topic_id=topic.topic_id)
    in_sync = tuple(each for each in partition.isr if each != broker_id)
    if not in_sync and not view.keeps_eligible_leaders:
        # Without eligible leaders the last one in sync stays on the list: only it has all records.
        in_sync = partition.isr
    after = partition._replace(isr=in_sync)
    if in_sync != partition.isr:
        record.isr = list(in_sync)
    if view.keeps_eligible_leaders:
        after = _with_eligible(view, topic.name, partition, after, broker_id if lost_tail else None)
        if after.eligible_leader_replicas != partition.eligible_leader_replicas:
            record.eligible_leader_replicas = list(after.eligible_leader_replicas)
        if after.last_known_elr != partition.last_known_elr:
            record.last_known_elr = list(after.last_known_elr)
    if partition.leader == broker_id:
        elected = elect(after, may_lead, allows_unclean=view.allows_unclean_election(topic.name))
        record.leader = NO_LEADER
        if elected is not None:
            chosen = leader_record(topic, index, after, elected, view.min_in_sync_replicas(topic.name))
            record.leader, record.leader_recovery_state = chosen.leader, chosen.leader_recovery_state
            record.isr = chosen.isr if chosen.isr is not None else record.isr
    is_changed = record.leader != NO_LEADER_CHANGE or record.isr is not None
    return record if is_changed or record.eligible_leader_replicas is not None else None


def _with_eligible(
    view: ClusterView,
    name: str,
    before: PartitionRegistration,
    after: PartitionRegistration,
    lost_tail_of: int | None,
) -> PartitionRegistration:
    """KIP-966: below min.insync.replicas nothing is committed, so those that leave then still have all records."""
    if len(after.isr) >= view.min_in_sync_replicas(name):
        return after._replace(eligible_leader_replicas=(), last_known_elr=())
    known = (*before.eligible_leader_replicas, *before.isr)
    eligible = tuple(each for each in dict.fromkeys(known) if each not in after.isr and each != lost_tail_of)
    last_known = before.last_known_elr
    if not after.isr and before.has_leader:
        last_known = (before.leader,)
    return after._replace(eligible_leader_replicas=eligible, last_known_elr=last_known)
