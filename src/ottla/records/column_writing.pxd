cimport cython

from ottla.records cimport raw_bytes, record_writing
from ottla.records.record_writing cimport RecordWriter


@cython.final
cdef class BinarySource:
    cdef const int[::1] ends
    cdef const unsigned char[::1] data, validity
    cdef Py_ssize_t first
    cdef bint is_absent, has_nulls

    cpdef int start(self, const int[::1] ends, const unsigned char[::1] data, Py_ssize_t first) except -1
    cpdef int set_validity(self, const unsigned char[::1] validity) except -1
    cdef Py_ssize_t size_at(self, Py_ssize_t row) except? -2
    @cython.locals(size=Py_ssize_t)
    cdef Py_ssize_t put(self, RecordWriter writer, Py_ssize_t at, Py_ssize_t row) except -1


@cython.final
cdef class HeaderSource:
    cdef const int[::1] ends
    cdef BinarySource names, values
    cdef bint is_absent

    cpdef int start(self, const int[::1] ends, BinarySource names, BinarySource values) except -1
    @cython.locals(size=Py_ssize_t, index=Py_ssize_t, name_size=Py_ssize_t)
    cdef Py_ssize_t size_at(self, Py_ssize_t row) except -1
    @cython.locals(index=Py_ssize_t)
    cdef Py_ssize_t put(self, RecordWriter writer, Py_ssize_t at, Py_ssize_t row) except -1


@cython.final
cdef class ColumnSet:
    cdef readonly Py_ssize_t rows, body_size
    cdef readonly long long base_timestamp, max_timestamp
    cdef const long long[::1] timestamps
    cdef int[::1] sizes
    cdef BinarySource keys, values
    cdef HeaderSource headers

    cpdef int start(
        self, Py_ssize_t rows, const long long[::1] timestamps, BinarySource keys, BinarySource values,
        HeaderSource headers
    ) except -1

    @cython.locals(
        base_timestamp="long long", total=Py_ssize_t, row=Py_ssize_t, size=Py_ssize_t, row_size=Py_ssize_t
    )
    cpdef Py_ssize_t fit(self, Py_ssize_t first, Py_ssize_t bytes_max) except -1

    @cython.locals(delta="long long", size=Py_ssize_t)
    cdef Py_ssize_t _measure(self, Py_ssize_t row, Py_ssize_t offset_delta, long long base_timestamp) except -1

    @cython.locals(writer=RecordWriter, base_timestamp="long long", at=Py_ssize_t, row=Py_ssize_t)
    cpdef bytearray encode(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t room)
