"""The compiled twin of `key_walk`: says what it says of good records, and nothing of others, which are left to it."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint64_t


cdef struct Cursor:
    const uint8_t* at
    const uint8_t* end


def walk_good_records(body not None, Py_ssize_t count, int64_t last_offset_delta):
    """The largest timestamp delta and the numbers of the records without a key; None where anything is unusual."""
    cdef Py_buffer buffer
    cdef Cursor cursor
    cdef Py_ssize_t index
    cdef int64_t latest = INT64_MIN, last_delta = -1
    cdef int64_t timestamp, delta
    cdef bint has_key
    cdef list keyless = []
    PyObject_GetBuffer(body, &buffer, PyBUF_SIMPLE)
    try:
        cursor.at = <const uint8_t*>buffer.buf
        cursor.end = cursor.at + buffer.len
        for index in range(count):
            if not walk_record(&cursor, &timestamp, &delta, &has_key):
                return None
            if not last_delta < delta <= last_offset_delta:
                return None
            last_delta = delta
            if timestamp > latest:
                latest = timestamp
            if not has_key:
                keyless.append(index)
        return (latest, keyless) if cursor.at == cursor.end else None
    finally:
        PyBuffer_Release(&buffer)


cdef bint walk_record(Cursor* cursor, int64_t* timestamp, int64_t* delta, bint* has_key) noexcept nogil:
    """False where the record is not plainly good; then the cursor is nowhere."""
    cdef int64_t size, header_count
    cdef Cursor record
    if not read_number(cursor, 5, &size) or size <= 0 or size > cursor.end - cursor.at:
        return False
    record.at = cursor.at + 1  # the attributes mean nothing yet
    record.end = cursor.at + size
    cursor.at = record.end
    if record.at > record.end or not read_number(&record, 9, timestamp) or not read_number(&record, 5, delta):
        return False
    if not skip_field(&record, has_key) or not skip_field(&record, NULL):
        return False
    if not read_number(&record, 5, &header_count) or header_count < 0:
        return False
    while header_count:
        if not skip_header(&record):
            return False
        header_count -= 1
    return record.at == record.end


cdef bint skip_field(Cursor* cursor, bint* is_there) noexcept nogil:
    """A length and so many bytes, or -1 for none."""
    cdef int64_t size
    if not read_number(cursor, 5, &size) or size < -1 or size > cursor.end - cursor.at:
        return False
    if is_there is not NULL:
        is_there[0] = size >= 0
    if size > 0:
        cursor.at += size
    return True


cdef bint skip_header(Cursor* cursor) noexcept nogil:
    cdef bint has_name
    return skip_field(cursor, &has_name) and has_name and skip_field(cursor, NULL)


cdef bint read_number(Cursor* cursor, int bytes_max, int64_t* number) noexcept nogil:
    """A zigzag number of at most so many bytes; of five bytes only those that fit into 32 bits."""
    cdef uint64_t value = 0
    cdef int index
    cdef uint8_t byte
    for index in range(bytes_max):
        if cursor.at >= cursor.end:
            return False
        byte = cursor.at[0]
        cursor.at += 1
        value |= <uint64_t>(byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if bytes_max == 5 and value > <uint64_t>0xFFFFFFFF:
                return False
            number[0] = <int64_t>(value >> 1) ^ -<int64_t>(value & 1)
            return True
    return False
