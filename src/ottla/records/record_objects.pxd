cimport cython

from ottla.records cimport raw_bytes
from ottla.records.record_blocks cimport RecordBlock


@cython.locals(row=Py_ssize_t)
cpdef list block_records(RecordBlock block, long long base_offset, long long base_timestamp, append_time_ms)

@cython.locals(row=Py_ssize_t, timestamp_type=object)
cpdef list block_rows(
    RecordBlock block, kind, topic, partition, long long base_offset, long long base_timestamp, append_time_ms,
    leader_epoch
)

cpdef int check_ranges(RecordBlock block, base_offset, base_timestamp) except -1
cdef bytes key_of(RecordBlock block, Py_ssize_t row)
cdef bytes value_of(RecordBlock block, Py_ssize_t row)

@cython.locals(at=Py_ssize_t, size=Py_ssize_t, headers=list)
cdef tuple block_headers(RecordBlock block, Py_ssize_t row)

cpdef list block_keys(RecordBlock block)
cpdef list block_offset_deltas(RecordBlock block)
cpdef list rows_without_key(RecordBlock block)
cpdef list rows_without_value(RecordBlock block)
cpdef list record_starts(RecordBlock block)
cpdef list block_timestamp_deltas(RecordBlock block)
