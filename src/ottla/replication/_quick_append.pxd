"""The compiled twin of `PartitionLeader.append_quickly`, for those who are compiled themselves: a part of their module."""

from libc.stdint cimport int64_t, uint8_t

from ottla.log._quick_append cimport append_in_place


cdef inline int64_t append_and_commit(
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
