"""DescribeQuorum (key 55), versions 0–2.

The leader, the voters and the progress of the metadata log. v1 timestamps · v2 directory ids, texts, nodes
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import CLUSTER_METADATA
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.controller.metadata_store import QuorumStatus
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.describe_quorum_request import DescribeQuorumRequest
    from ottla.protocol.generated.describe_quorum_response import DescribeQuorumResponse, Topics


@handles(ApiKey.DESCRIBE_QUORUM, 0, 2)
def describe_quorum(request: DescribeQuorumRequest, context: Context) -> DescribeQuorumResponse:
    from ottla.protocol.generated.describe_quorum_response import DescribeQuorumResponse, Listeners, Nodes

    if not _asks_for_metadata_log(request):
        # Kafka refuses each partition named, also the right one, as soon as another is named with it.
        return DescribeQuorumResponse(topics=_refused(request))
    services = context.services
    own = services.metadata.image.broker(services.metadata.node_id)
    endpoints = () if own is None else own.endpoints
    listeners = [Listeners(name=each.name, host=each.host, port=each.port) for each in endpoints]
    return DescribeQuorumResponse(
        topics=[_metadata_log(services.metadata_store.status())], nodes=[Nodes(services.metadata.node_id, listeners)]
    )


def _asks_for_metadata_log(request: DescribeQuorumRequest) -> bool:
    topics = request.topics
    return (
        len(topics) == 1
        and topics[0].topic_name == CLUSTER_METADATA
        and [each.partition_index for each in topics[0].partitions] == [0]
    )


def _refused(request: DescribeQuorumRequest) -> list[Topics]:
    from ottla.protocol.generated.describe_quorum_response import Partitions, Topics

    code, message = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition."
    return [
        Topics(
            topic_name=topic.topic_name,
            partitions=[
                Partitions(partition_index=each.partition_index, error_code=code, error_message=message)
                for each in topic.partitions
            ],
        )
        for topic in request.topics
    ]


def _metadata_log(status: QuorumStatus) -> Topics:
    from ottla.protocol.generated.describe_quorum_response import CurrentVoters, Partitions, Topics

    voters = [
        CurrentVoters(
            replica_id=voter.node_id,
            log_end_offset=voter.end_offset,
            last_fetch_timestamp=voter.last_fetch_ms,
            last_caught_up_timestamp=voter.last_caught_up_ms,
        )
        for voter in status.voters
    ]
    partition = Partitions(
        partition_index=0,
        leader_id=status.leader_id,
        leader_epoch=status.leader_epoch,
        high_watermark=status.high_watermark,
        current_voters=voters,
    )
    return Topics(topic_name=CLUSTER_METADATA, partitions=[partition])
