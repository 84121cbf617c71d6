"""What a fetch reads: every wanted partition, within the limits of the request (KIP-74)."""

from __future__ import annotations

from dataclasses import dataclass

from ottla.broker.fetch.wanted import WantedPartition
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.partitions.partitions import Partitions as HostedPartitions
from ottla.broker.storage.faults import StorageFaults
from ottla.log.partition.reading import LogRead
from ottla.log.partition_log import PartitionLog
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused
from ottla.protocol.generated import fetch_request
from ottla.protocol.generated.fetch_response import AbortedTransactions, DivergingEpoch, Partitions
from ottla.replication.partition_leader import PartitionLeader

#: For partitions that are not there Kafka sends an empty list of aborted transactions, null for other refusals.
_UNKNOWN = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.UNKNOWN_TOPIC_ID)
#: A partition's part of a response ends after the marker of so many aborted transactions, and the response soon after:
#: where producers abort all the time, 50 MiB of records would come with a list of hundreds of thousands.
ABORTED_MAX = 2_000
#: Partitions that are read without looking at the time.
PARTITIONS_A_STEP = 8


@dataclass(frozen=True, slots=True)
class FetchSource:
    """What fetches read from."""

    partitions: HostedPartitions
    metadata: MetadataCache
    faults: StorageFaults
    #: Each partition with records is a file that stays open until the response is sent.
    files_max: int


class Reading:
    """One fetch request's view of the log; read again when a waiting fetch has news."""

    __slots__ = (
        "_aborted_count",
        "_committed_only",
        "_file_count",
        "_left",
        "_source",
        "_topic_ids",
        "_unknown_at_first",
        "_unknown_count",
        "_uses_topic_ids",
        "max_bytes",
        "must_respond",
        "reads",
        "size",
        "wanted",
    )

    def __init__(
        self,
        source: FetchSource,
        wanted: list[WantedPartition],
        max_bytes: int,
        committed_only: bool,
        uses_topic_ids: bool,
    ) -> None:
        self._source = source
        self.wanted = wanted
        self.max_bytes = max_bytes
        self._committed_only = committed_only
        self._uses_topic_ids = uses_topic_ids
        #: Of topics that the request names, once it waits.
        self._topic_ids: dict[str, bytes] | None = None
        #: How many partitions were not there in the first attempt.
        self._unknown_at_first: int | None = None

    def read_some(self, first: int) -> None:
        """A few partitions, from this one of those wanted. The first of them begins a new attempt."""
        if not first:
            self._left = self.max_bytes
            self._aborted_count = self._file_count = self._unknown_count = 0
            #: What was found in this attempt, with the bytes of its records.
            self.reads: list[tuple[WantedPartition, Partitions]] = []
            self.size = 0
            #: However little was found: there is an error, or another limit is reached.
            self.must_respond = False
        for wanted in self.wanted[first : first + PARTITIONS_A_STEP]:
            try:
                response = self._read(wanted)
            except Refused as refusal:
                response = self._refused(wanted, refusal.code)
            except (OSError, CorruptLog) as error:
                place = (self._name_of(wanted), wanted.asked.partition)
                response = self._refused(wanted, self._source.faults.log_failed(place, error))
            self.reads.append((wanted, response))
        if len(self.reads) == len(self.wanted):
            self._weigh_unknown()

    def _weigh_unknown(self) -> None:
        """As in Kafka, the others wait for data all the same, unless a partition has gone in the meantime."""
        count = self._unknown_count
        if self._unknown_at_first is None:
            self._unknown_at_first = count
        if count and (count > self._unknown_at_first or count == len(self.wanted)):
            self.must_respond = True

    def pin(self) -> None:
        """From now on a topic that is created again under the name of another one is not taken for that."""
        image = self._source.metadata.image
        if not self._uses_topic_ids:
            found = ((name, image.topic(name)) for name in {wanted.topic for wanted in self.wanted})
            self._topic_ids = {name: topic.topic_id for name, topic in found if topic is not None}

    def leaders(self) -> list[PartitionLeader]:
        leaders = self._source.partitions.leaders
        found = []
        for wanted in self.wanted:
            leader = leaders.get((self._name_of(wanted), wanted.asked.partition))
            if leader is not None:
                found.append(leader)
        return found

    def _read(self, wanted: WantedPartition) -> Partitions:
        """Raises Refused, OSError and CorruptLog."""
        asked = wanted.asked
        if self._uses_topic_ids or self._topic_ids is not None:
            leader = self._leader_of_topic(wanted)
        else:
            leader = self._source.partitions.find(wanted.topic, asked.partition)
        if asked.current_leader_epoch >= 0:
            leader.check_epoch(asked.current_leader_epoch)
        log = leader.log
        response = Partitions(
            asked.partition,
            0,
            log.high_watermark,
            log.last_stable_offset,
            log.log_start_offset,
            [] if self._committed_only else None,
            records=b"",
        )
        if asked.last_fetched_epoch >= 0:
            diverging = _diverging(leader, asked)
            if diverging is not None:
                response.diverging_epoch = diverging
                self.must_respond = True
                return response
        left = self._left
        found = leader.read(
            asked.fetch_offset,
            left if left < asked.partition_max_bytes else asked.partition_max_bytes,
            committed_only=self._committed_only,
            at_least_one_batch=not self.size,
        )
        end_offset = response.last_stable_offset if self._committed_only else response.high_watermark
        if found is None:
            if self.size and asked.fetch_offset < end_offset:
                # There is more, and no room for it in the response, or in what it may have of this partition: to wait
                # would not help.
                self.must_respond = True
        else:
            segments = log.segments
            if (
                found.segment is not segments.active
                and segments[segments.index_of(end_offset - 1)] is not found.segment
            ):
                # There is more in a later segment, which this response cannot have (as in Kafka).
                self.must_respond = True
            if self._committed_only:
                found, response.aborted_transactions = _with_aborted(log, asked.fetch_offset, found)
                self._aborted_count += len(response.aborted_transactions)
            response.records = found
            self._count(found.size)
        return response

    def _count(self, size: int) -> None:
        self.size += size
        self._file_count += 1
        if self._aborted_count >= ABORTED_MAX or self._file_count >= self._source.files_max:
            self._left = 0
            self.must_respond = True
        else:
            self._left = max(0, self._left - size)

    def _leader_of_topic(self, wanted: WantedPartition) -> PartitionLeader:
        """Names are used again: the log knows whose it is."""
        name = self._name_of(wanted)
        if self._uses_topic_ids:
            if not name:
                raise Refused(ErrorCode.UNKNOWN_TOPIC_ID)
            topic_id: bytes | None = wanted.topic_id
        else:
            topic_id = self._topic_ids.get(name) if self._topic_ids is not None else None
        leader = self._source.partitions.find(name, wanted.asked.partition)
        if leader.log.topic_id is not None and leader.log.topic_id != topic_id:
            raise Refused(ErrorCode.UNKNOWN_TOPIC_ID if self._uses_topic_ids else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return leader

    def _name_of(self, wanted: WantedPartition) -> str:
        """Of the topic; "" when an id came that names none (any more)."""
        if self._uses_topic_ids:
            return self._source.metadata.image.topics.names_by_id.get(wanted.topic_id, "")
        return wanted.topic

    def _refused(self, wanted: WantedPartition, code: ErrorCode) -> Partitions:
        if code in _UNKNOWN:
            self._unknown_count += 1
        else:
            self.must_respond = True
        return Partitions(
            partition_index=wanted.asked.partition,
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


def _diverging(leader: PartitionLeader, asked: fetch_request.Partitions) -> DivergingEpoch | None:
    """KIP-595: the reader's log ends in an epoch that ended earlier here: it must cut back first."""
    epoch, end_offset = leader.log.end_offset_for_epoch(asked.last_fetched_epoch)
    if epoch < 0 or end_offset < 0:
        raise Refused(ErrorCode.OFFSET_OUT_OF_RANGE, "the reader's epoch is older than the log")
    if epoch < asked.last_fetched_epoch or end_offset < asked.fetch_offset:
        return DivergingEpoch(epoch=epoch, end_offset=end_offset)
    return None
