"""WriteTxnMarkers (key 27), versions 1–2.

Ends transactions in partitions this node leads. Sent by coordinators on other nodes, and by administrators who abort
a transaction that hangs (`transactions abort`).
v1 flexible · v2 transaction version: a marker of TV2 cannot end a later transaction of its producer
"""

from __future__ import annotations

from ottla.broker.coordinators.markers import Marker, WrittenMarker, until_safe
from ottla.broker.execution.time_slices import Pace
from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.write_txn_markers_request import Markers as AskedMarkers
from ottla.protocol.generated.write_txn_markers_request import WriteTxnMarkersRequest
from ottla.protocol.generated.write_txn_markers_response import Markers, Partitions, Topics, WriteTxnMarkersResponse
from ottla.transactions.transaction import TransactionVersion


@handles(ApiKey.WRITE_TXN_MARKERS, 1, 2)
async def write_txn_markers(request: WriteTxnMarkersRequest, context: Context) -> WriteTxnMarkersResponse:
    waiting: list[tuple[Partitions, WrittenMarker]] = []
    pace = context.services.time_slices.pace()
    markers = [await _write(asked, context, waiting, pace) for asked in request.markers]
    timeout_s = context.services.config.options.request_timeout_ms / 1000
    for partition_response, written in waiting:
        if not await until_safe(written, timeout_s):
            partition_response.error_code = ErrorCode.REQUEST_TIMED_OUT
    return WriteTxnMarkersResponse(markers=markers)


async def _write(
    asked: AskedMarkers, context: Context, waiting: list[tuple[Partitions, WrittenMarker]], pace: Pace
) -> Markers:
    marker = Marker(
        asked.producer_id,
        asked.producer_epoch,
        asked.transaction_result,
        asked.coordinator_epoch,
        asked.transaction_version,
        must_be_durable=asked.transaction_version < TransactionVersion.TV2,
    )
    topics = []
    for topic in asked.topics:
        partitions = []
        for index in topic.partition_indexes:
            partition_response = Partitions(partition_index=index)
            partitions.append(partition_response)
            try:
                written = context.services.markers.write(TopicPartition(topic.name, index), marker)
                waiting.append((partition_response, written))
            except Refused as refusal:
                partition_response.error_code = refusal.code
            await pace.step()
        topics.append(Topics(name=topic.name, partitions=partitions))
    return Markers(producer_id=asked.producer_id, topics=topics)
