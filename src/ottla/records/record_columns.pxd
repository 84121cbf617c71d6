cimport cython

from ottla.records cimport raw_bytes
from ottla.records.record_blocks cimport RecordBlock

cdef long long _TIMESTAMP_MS_MAX, _TIMESTAMP_MS_MIN


@cython.final
cdef class BinaryColumn:
    cdef int[::1] ends
    cdef unsigned char[::1] data, validity
    cdef readonly Py_ssize_t rows, size, null_count

    cpdef int start(self, int[::1] ends, unsigned char[::1] data, unsigned char[::1] validity) except -1

    @cython.locals(row=Py_ssize_t)
    cpdef int add_keys(self, RecordBlock block, Py_ssize_t first, Py_ssize_t last) except -1

    @cython.locals(row=Py_ssize_t)
    cpdef int add_values(self, RecordBlock block, Py_ssize_t first, Py_ssize_t last) except -1

    @cython.locals(row=Py_ssize_t)
    cdef int add(self, RecordBlock block, Py_ssize_t at, Py_ssize_t size) except -1


@cython.locals(row=Py_ssize_t, total=Py_ssize_t)
cpdef Py_ssize_t key_bytes(RecordBlock block, Py_ssize_t first, Py_ssize_t last) except -1

@cython.locals(row=Py_ssize_t, total=Py_ssize_t)
cpdef Py_ssize_t value_bytes(RecordBlock block, Py_ssize_t first, Py_ssize_t last) except -1

@cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
cpdef Py_ssize_t row_at(RecordBlock block, long long offset_delta) except -1

cpdef long long delta_at(RecordBlock block, Py_ssize_t row) except -1

@cython.locals(row=Py_ssize_t)
cpdef int fill_offsets(
    RecordBlock block, Py_ssize_t first, Py_ssize_t last, long long base_offset, long long[::1] out, Py_ssize_t at
) except -1

@cython.locals(row=Py_ssize_t)
cpdef int fill_timestamps(
    RecordBlock block, Py_ssize_t first, Py_ssize_t last, long long base_timestamp, long long[::1] out, Py_ssize_t at
) except -1

@cython.locals(stamp="long long")
cpdef int fill_stamp(
    Py_ssize_t first, Py_ssize_t last, long long append_time_ms, long long[::1] out, Py_ssize_t at
) except -1

cdef long long microseconds(long long timestamp_ms)


@cython.final
cdef class HeaderSizes:
    cdef readonly Py_ssize_t count, name_bytes, value_bytes

    @cython.locals(row=Py_ssize_t, at=Py_ssize_t, size=Py_ssize_t)
    cpdef int add(self, RecordBlock block, Py_ssize_t first, Py_ssize_t last) except -1


@cython.final
cdef class HeaderColumn:
    cdef int[::1] ends
    cdef unsigned char[::1] validity
    cdef BinaryColumn names, values
    cdef readonly Py_ssize_t rows, null_count

    cpdef int start(
        self, int[::1] ends, unsigned char[::1] validity, BinaryColumn names, BinaryColumn values
    ) except -1

    @cython.locals(row=Py_ssize_t)
    cpdef int add_rows(self, RecordBlock block, Py_ssize_t first, Py_ssize_t last) except -1

    @cython.locals(size=Py_ssize_t)
    cdef int _add_headers(self, RecordBlock block, Py_ssize_t at, Py_ssize_t count) except -1
