"""The compiled twin of `quick_append`: the same questions in the same order, on bytes instead of objects.

A file that has a descriptor is written with the system's call directly; when that does not take everything, the segment
writes again, to the same place, and says why.
"""

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from ottla.records._big_endian cimport load16, load32, load64, store32, store64

from ottla.log.segment import RECENT_BATCHES
from ottla.records.crc import crc32c

cdef extern from "Python.h":
    object PyInstanceMethod_New(object function)

cdef extern from "unistd.h" nogil:
    ssize_t pwrite(int descriptor, const void* data, size_t size, int64_t position)

cdef int64_t NOT_TAKEN = -1
# A write of this size is worth letting other threads run meanwhile.
cdef Py_ssize_t LARGE = 16 * 1024
cdef int64_t RELATIVE_OFFSET_MAX = 0x7FFFFFFF
cdef Py_ssize_t MOST_RECENT = RECENT_BATCHES


cdef struct Header:
    int32_t length
    int32_t last_offset_delta
    int64_t first_time
    int64_t last_time
    uint32_t crc


def append_quickly(log, data not None, Py_ssize_t position, Py_ssize_t size, int64_t leader_epoch, int64_t now_ms):
    cdef Py_buffer buffer
    if size < 61 or position < 0:
        return NOT_TAKEN
    PyObject_GetBuffer(data, &buffer, PyBUF_WRITABLE)
    try:
        if buffer.len < position + size:
            return NOT_TAKEN
        return append_in_place(log, data, <uint8_t*>buffer.buf + position, position, size, leader_epoch, now_ms)
    finally:
        PyBuffer_Release(&buffer)


# A function in C is no method by itself: found in a class, it would not be given the instance.
append_quickly = PyInstanceMethod_New(append_quickly)


cdef int64_t append_in_place(
    object log, object data, uint8_t* at, Py_ssize_t position, Py_ssize_t size, int64_t leader_epoch, int64_t now_ms
) except -2:
    cdef Header header
    cdef int64_t base_offset, last_offset
    rules = log._rules
    if size < 61 or not rules.takes_plain_batches or log._failure is not None:
        return NOT_TAKEN
    if not read_plain_header(at, size, &header):
        return NOT_TAKEN
    if (
        size > <int64_t>rules.max_batch_bytes
        or header.last_time - now_ms > <int64_t>rules.timestamp_after_max_ms
        or now_ms - header.first_time > <int64_t>rules.timestamp_before_max_ms
        or leader_epoch != <int64_t>log.epochs.latest
        or <uint32_t>crc32c(data[position + 21 : position + size]) != header.crc
    ):
        return NOT_TAKEN
    base_offset = log.end_offset
    last_offset = base_offset + header.last_offset_delta
    segment = log.segments.active
    if is_roll_due(log._roll_rules, segment, size, last_offset, header.last_time, now_ms):
        return NOT_TAKEN
    store64(at, <uint64_t>base_offset)
    store32(at + 12, <uint32_t>leader_epoch)
    try:
        append_to_segment(segment, data, at, position, size, base_offset, last_offset, header.last_time)
    except OSError as error:
        log._write_failed(error)
        raise
    log.end_offset = last_offset + 1
    return base_offset


cdef bint read_plain_header(const uint8_t* at, Py_ssize_t size, Header* header) noexcept nogil:
    """False for a batch that asks for more than to be appended, and for a broken one."""
    cdef int16_t attributes = <int16_t>load16(at + 21)
    cdef int32_t count = <int32_t>load32(at + 57)
    header.length = <int32_t>load32(at + 8)
    header.last_offset_delta = <int32_t>load32(at + 23)
    header.first_time = <int64_t>load64(at + 27)
    header.last_time = <int64_t>load64(at + 35)
    header.crc = load32(at + 17)
    return (
        at[16] == 2
        and <int64_t>header.length + 12 == size
        and load64(at) == 0
        and <int64_t>load64(at + 43) == -1
        and 0 <= attributes <= 4
        # Without a time, or with one whose distance from now does not fit: left to those who count without limits.
        and header.first_time >= 0
        and header.last_time >= 0
        and <int64_t>count == <int64_t>header.last_offset_delta + 1
        and count >= 1
    )


cdef bint is_roll_due(
    object rules, object segment, Py_ssize_t size, int64_t last_offset, int64_t last_time, int64_t now_ms
) except -1:
    cdef int64_t active_size = segment.size
    if not active_size:
        # The first batch of a segment starts the segment's clock: that is not done here.
        return True
    if rules.may_fill_index:
        return rules.is_due(segment, size, last_offset, last_time, now_ms)
    return (
        active_size + size > <int64_t>rules.segment_bytes
        or (last_time if last_time < now_ms else now_ms) > <int64_t>rules.roll_at_ms
        or last_offset - <int64_t>segment.base_offset > RELATIVE_OFFSET_MAX
    )


cdef int append_to_segment(
    object segment,
    object data,
    uint8_t* at,
    Py_ssize_t position,
    Py_ssize_t size,
    int64_t base_offset,
    int64_t last_offset,
    int64_t last_time,
) except -1:
    cdef int64_t place = segment.size
    descriptor = segment.descriptor
    if descriptor is None or write_whole(descriptor, at, size, place) != size:
        segment.append(data[position : position + size], size, base_offset, last_offset, last_time)
        return 0
    segment.is_used = True
    segment.size = place + size
    cdef int64_t since_entry = segment.bytes_since_entry
    if since_entry > <int64_t>segment.index_interval_bytes:
        segment.note_batch(place, size, base_offset, last_offset, last_time)
    else:
        if last_time > <int64_t>segment.max_timestamp:
            segment.max_timestamp = last_time
            segment.max_timestamp_offset = last_offset
        segment.bytes_since_entry = since_entry + size
    cdef dict recent = segment.recent_batches
    recent[base_offset] = place
    if len(recent) > MOST_RECENT:
        segment.start_generation()
    return 0


cdef ssize_t write_whole(int descriptor, const uint8_t* at, Py_ssize_t size, int64_t place) noexcept:
    cdef ssize_t written
    if size < LARGE:
        return pwrite(descriptor, at, size, place)
    with nogil:
        written = pwrite(descriptor, at, size, place)
    return written
