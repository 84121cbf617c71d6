from libc.stdint cimport int64_t, uint8_t

cdef int64_t append_and_commit(
    object leader, object data, uint8_t* at, Py_ssize_t position, Py_ssize_t size, int64_t now_ms
) except -2
