# cython: language_level=3
"""The compiled twin of `PartitionLeader.append_quickly`."""

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint8_t

from ottla.log._quick_append cimport append_in_place


def append_quickly(leader, data not None, Py_ssize_t position, Py_ssize_t size, int64_t now_ms):
    cdef Py_buffer buffer
    PyObject_GetBuffer(data, &buffer, PyBUF_WRITABLE)
    try:
        if position < 0 or size < 0 or buffer.len < position + size:
            return -1
        return append_and_commit(leader, data, <uint8_t*>buffer.buf + position, position, size, now_ms)
    finally:
        PyBuffer_Release(&buffer)


cdef int64_t append_and_commit(
    object leader, object data, uint8_t* at, Py_ssize_t position, Py_ssize_t size, int64_t now_ms
) except -2:
    log = leader.log
    cdef int64_t base_offset = append_in_place(log, data, at, position, size, leader.leader_epoch, now_ms)
    if base_offset >= 0:
        if log.producers.undecided:
            log.advance_high_watermark(log.end_offset)
        else:
            log.high_watermark = log.end_offset
        if leader.watchers:
            leader.tell_watchers()
    return base_offset
