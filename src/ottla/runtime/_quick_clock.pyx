# cython: language_level=3
"""The compiled twin of the one question about the time that every request asks."""

from libc.stdint cimport int64_t

cdef extern from "time.h" nogil:
    enum: CLOCK_REALTIME
    struct timespec:
        long tv_sec
        long tv_nsec
    int clock_gettime(int clock, timespec* now)


def now_ms():
    cdef timespec now
    clock_gettime(CLOCK_REALTIME, &now)
    return <int64_t>now.tv_sec * 1000 + now.tv_nsec // 1_000_000
