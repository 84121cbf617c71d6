"""Blocks of producer ids: brokers take 1,000 at a time, no id is ever given out twice."""

from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from ottla.protocol.generated.allocate_producer_ids_response import AllocateProducerIdsResponse
from ottla.protocol.generated.producer_ids_record import ProducerIdsRecord

BLOCK_SIZE = 1000
_MAX_PRODUCER_ID = (1 << 63) - 1


def allocate_producer_ids(
    view: ClusterView, request: AllocateProducerIdsRequest
) -> Decision[AllocateProducerIdsResponse]:
    broker = view.image.broker(request.broker_id)
    if broker is None:
        return Decision(AllocateProducerIdsResponse(error_code=ErrorCode.BROKER_ID_NOT_REGISTERED))
    if broker.epoch != request.broker_epoch:
        return Decision(AllocateProducerIdsResponse(error_code=ErrorCode.STALE_BROKER_EPOCH))
    first = view.image.next_producer_id
    if first > _MAX_PRODUCER_ID - BLOCK_SIZE:
        return Decision(AllocateProducerIdsResponse(error_code=ErrorCode.UNKNOWN_SERVER_ERROR))
    record = ProducerIdsRecord(
        broker_id=request.broker_id, broker_epoch=request.broker_epoch, next_producer_id=first + BLOCK_SIZE
    )
    return Decision(AllocateProducerIdsResponse(producer_id_start=first, producer_id_len=BLOCK_SIZE), [record])
