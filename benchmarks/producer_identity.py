"""Producer id, epoch and sequences: batches that are patched, not built again, so that sending them costs little."""

from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.raw_client import RawClient, check_code, produce_frame
from benchmarks.waiting import COORDINATOR_NOT_READY, retry
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.records.batch import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    advance_sequence,
    patch_producer,
    read_header,
)

_INIT_VERSION = 4


class Identity(NamedTuple):
    producer_id: int
    epoch: int


NO_IDENTITY = Identity(NO_PRODUCER_ID, NO_PRODUCER_EPOCH)


def init_producer(client: RawClient, transactional_id: str | None = None) -> Identity:
    """A new identity; with a transactional id, that id's next epoch."""

    def attempt() -> Identity:
        request = InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=60_000)
        response = client.call(request, _INIT_VERSION)
        check_code("init producer id", response.error_code)
        return Identity(response.producer_id, response.producer_epoch)

    return retry(attempt, COORDINATOR_NOT_READY)


def sequenced_frames(
    topic: str, partition: int, batch: bytes, identity: Identity, acks: int = 1
) -> Iterator[bytearray]:
    """Produce requests with the same records and the next sequence each time; without an identity the same work.

    The frame is valid until the next one is taken.
    """
    frame = bytearray(produce_frame(topic, partition, batch, acks))
    position, size = len(frame) - len(batch), len(batch)
    count = read_header(batch).record_count
    sequence = 0
    while True:
        base_sequence = NO_SEQUENCE if identity == NO_IDENTITY else sequence
        patch_producer(frame, position, size, identity.producer_id, identity.epoch, base_sequence, False)
        yield frame
        sequence = advance_sequence(sequence, count)
