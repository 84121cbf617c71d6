"""A partition log as a consumer sees it."""

from ottla.log.partition_log import PartitionLog
from ottla.records.batch import read_header
from ottla.records.control import read_marker
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_batches, read_records
from ottla.records.record import Record


def uncommitted_view(log: PartitionLog) -> list[Record]:
    """What a read_uncommitted consumer gets, from the start of the log to the high watermark."""
    return _view(log, log.high_watermark, aborted=[])


def committed_view(log: PartitionLog) -> list[Record]:
    """What a read_committed consumer gets: it skips aborted data by the list that it is sent along with the bytes."""
    end_offset = log.last_stable_offset
    return _view(log, end_offset, aborted=log.aborted_transactions(log.log_start_offset, end_offset))


def _view(log: PartitionLog, end_offset: int, aborted: list[tuple[int, int]]) -> list[Record]:
    coming = sorted(aborted, key=lambda entry: entry[1], reverse=True)
    skipped: dict[int, bool] = {}
    seen: list[Record] = []
    offset = log.log_start_offset
    while offset < end_offset:
        data = log.read_bytes(offset, 1 << 20, end_offset=end_offset)
        if not data:
            break
        asked = offset
        for position, header in iterate_batches(data, allow_partial=True):
            offset = header.next_offset
            while coming and coming[-1][1] <= header.last_offset:
                skipped[coming.pop()[0]] = True
            if header.is_control:
                marker = read_marker(read_records(data, position, header)[0]) if header.record_count else None
                if marker is not None and not marker.is_commit:
                    skipped.pop(header.producer_id, None)
            elif not (header.is_transactional and header.producer_id in skipped):
                seen += read_records(data, position, header)
        if offset <= asked:
            raise CorruptRecord(f"a read at {asked} leads back to {offset}")
    return [record for record in seen if record.offset >= log.log_start_offset]


def headers_of(log: PartitionLog) -> list[tuple[int, int, int]]:
    """(base offset, last offset, record count) of every batch."""
    found = []
    for segment in log.segments:
        data = segment.file().read_at(0, segment.size)
        found += [(h.base_offset, h.last_offset, h.record_count) for _, h in iterate_batches(data)]
        assert not data or read_header(data).base_offset >= segment.base_offset
    return found
