from libc.stdint cimport int64_t, uint8_t

# `at` is where the batch begins, `data[position]` the same place for Python.
cdef int64_t append_in_place(
    object log, object data, uint8_t* at, Py_ssize_t position, Py_ssize_t size, int64_t leader_epoch, int64_t now_ms
) except -2
