"""What a fetch reads: every wanted partition, within the limits of the request (KIP-74)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ottla.broker.fetch.sessions import STEP_MASK, WantedPartition
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.partitions.partitions import Partitions as HostedPartitions
from ottla.broker.storage.faults import StorageFaults
from ottla.log.partition.reading import LogRead
from ottla.log.partition_log import PartitionLog
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused
from ottla.model.steps import Steps
from ottla.protocol.generated.fetch_response import AbortedTransactions, DivergingEpoch, Partitions
from ottla.replication.partition_leader import PartitionLeader

#: For partitions that are not there Kafka sends an empty list of aborted transactions, null for other refusals.
_UNKNOWN = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID)
#: A partition's part of a response ends after the marker of so many aborted transactions, and the response soon after:
#: where producers abort all the time, 50 MiB of records would come with a list of hundreds of thousands.
ABORTED_MAX = 2_000


@dataclass(frozen=True, slots=True)
class FetchSource:
    """What fetches read from."""

    partitions: HostedPartitions
    metadata: MetadataCache
    faults: StorageFaults
    #: Each partition with records is a file that stays open until the response is sent.
    files_max: int


class PartitionRead(NamedTuple):
    wanted: WantedPartition
    response: Partitions
    size: int


class Reading:
    """One fetch request's view of the log; read again when a waiting fetch has news."""

    __slots__ = ("_committed_only", "_max_bytes", "_source", "_topic_ids", "_uses_topic_ids", "_wanted")

    def __init__(
        self,
        source: FetchSource,
        wanted: list[WantedPartition],
        *,
        max_bytes: int,
        committed_only: bool,
        uses_topic_ids: bool,
    ) -> None:
        self._source = source
        self._wanted = wanted
        self._max_bytes = max_bytes
        self._committed_only = committed_only
        self._uses_topic_ids = uses_topic_ids
        #: Of topics that the request names, once it waits.
        self._topic_ids: dict[str, bytes] | None = None

    def read(self) -> Steps[list[PartitionRead]]:
        left = self._max_bytes
        aborted_count = file_count = 0
        is_empty = True
        reads = []
        for index, wanted in enumerate(self._wanted):
            if index & STEP_MASK == STEP_MASK:
                yield
            read = self._read_one(wanted, max(0, left), is_empty)
            if read.size:
                is_empty = False
                left -= read.size
                aborted_count += len(read.response.aborted_transactions or ())
                file_count += 1
                if aborted_count >= ABORTED_MAX or file_count >= self._source.files_max:
                    left = 0
            reads.append(read)
        return reads

    def pin(self) -> None:
        """From now on a topic that is created again under the name of another one is not taken for that."""
        image = self._source.metadata.image
        if not self._uses_topic_ids:
            found = ((name, image.topic(name)) for name in {wanted.topic for wanted in self._wanted})
            self._topic_ids = {name: topic.topic_id for name, topic in found if topic is not None}

    def leaders(self) -> list[PartitionLeader]:
        found = self._source.partitions.leaders
        return [
            leader for wanted in self._wanted if (leader := found.get((wanted.topic, wanted.partition))) is not None
        ]

    def is_enough(self, reads: list[PartitionRead], min_bytes: int) -> bool:
        size = aborted_count = file_count = 0
        for read in reads:
            size += read.size
            file_count += read.size > 0
            aborted_count += len(read.response.aborted_transactions or ())
            if read.response.error_code or read.response.diverging_epoch.end_offset >= 0:
                return True
        return size >= min_bytes or aborted_count >= ABORTED_MAX or file_count >= self._source.files_max

    def _read_one(self, wanted: WantedPartition, left: int, is_first: bool) -> PartitionRead:
        try:
            if self._uses_topic_ids and not wanted.topic:
                raise Refused(ErrorCode.UNKNOWN_TOPIC_ID)
            leader = self._source.partitions.find(wanted.topic, wanted.partition)
            if self._uses_topic_ids or self._topic_ids is not None:
                self._check_topic(leader.log.topic_id, wanted)
            leader.check_epoch(wanted.current_leader_epoch)
            return self._read_from(leader, wanted, left, is_first)
        except Refused as refusal:
            code = refusal.code
            if code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION and self._uses_topic_ids:
                if self._source.metadata.image.topic_by_id(wanted.topic_id) is None:
                    code = ErrorCode.UNKNOWN_TOPIC_ID
            return PartitionRead(wanted, self._refused(wanted, code), 0)
        except (OSError, CorruptLog) as error:
            code = self._source.faults.log_failed((wanted.topic, wanted.partition), error)
            return PartitionRead(wanted, self._refused(wanted, code), 0)

    def _check_topic(self, topic_id: bytes | None, wanted: WantedPartition) -> None:
        """Names are used again: the log knows whose it is."""
        if topic_id is None or topic_id == wanted.topic_id:
            return
        if self._uses_topic_ids:
            raise Refused(ErrorCode.UNKNOWN_TOPIC_ID)
        if self._topic_ids is not None and topic_id != self._topic_ids.get(wanted.topic):
            raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    def _read_from(self, leader: PartitionLeader, wanted: WantedPartition, left: int, is_first: bool) -> PartitionRead:
        log = leader.log
        response = Partitions(
            partition_index=wanted.partition,
            high_watermark=log.high_watermark,
            last_stable_offset=log.last_stable_offset,
            log_start_offset=log.log_start_offset,
            records=b"",
            aborted_transactions=[] if self._committed_only else None,
        )
        if wanted.last_fetched_epoch >= 0:
            diverging = _diverging(leader, wanted)
            if diverging is not None:
                response.diverging_epoch = diverging
                return PartitionRead(wanted, response, 0)
        found = leader.read(
            wanted.fetch_offset,
            min(left, wanted.max_bytes),
            committed_only=self._committed_only,
            at_least_one_batch=is_first,
        )
        if found is None:
            return PartitionRead(wanted, response, 0)
        if self._committed_only:
            found, response.aborted_transactions = _with_aborted(log, wanted.fetch_offset, found)
        response.records = found
        return PartitionRead(wanted, response, found.size)

    def _refused(self, wanted: WantedPartition, code: ErrorCode) -> Partitions:
        return Partitions(
            partition_index=wanted.partition,
            error_code=code,
            high_watermark=-1,
            records=b"",
            aborted_transactions=[] if code in _UNKNOWN else None,
        )


def _with_aborted(log: PartitionLog, offset: int, found: LogRead) -> tuple[LogRead, list[AbortedTransactions]]:
    """What was read, or the beginning of it, and the transactions in it that a read_committed reader must skip."""
    end_offset = min(log.end_offset_of(found), log.last_stable_offset)
    aborted = log.aborted_entries(offset, end_offset, ABORTED_MAX + 1)
    if len(aborted) > ABORTED_MAX:
        end_offset = min(end_offset, aborted[ABORTED_MAX - 1].last_offset + 1)
        found = log.read(offset, found.size, end_offset=end_offset, at_least_one_batch=True) or found
        aborted = log.aborted_entries(offset, end_offset)
    aborted.sort(key=lambda entry: entry.first_offset)
    return found, [AbortedTransactions(entry.producer_id, entry.first_offset) for entry in aborted]


def _diverging(leader: PartitionLeader, wanted: WantedPartition) -> DivergingEpoch | None:
    """KIP-595: the reader's log ends in an epoch that ended earlier here: it must cut back first."""
    epoch, end_offset = leader.log.end_offset_for_epoch(wanted.last_fetched_epoch)
    if epoch < 0 or end_offset < 0:
        raise Refused(ErrorCode.OFFSET_OUT_OF_RANGE, "the reader's epoch is older than the log")
    if epoch < wanted.last_fetched_epoch or end_offset < wanted.fetch_offset:
        return DivergingEpoch(epoch=epoch, end_offset=end_offset)
    return None
