cimport cython

cdef long long _INT64_MIN, _INT64_MAX


@cython.final
cdef class RecordBlock:
    cdef const unsigned char[::1] body
    cdef readonly Py_ssize_t rows, first_row, start, end
    cdef readonly long long last_delta, earliest, latest
    cdef readonly bint has_headers
    cdef long long[::1] timestamp_deltas
    cdef int[::1] record_at, offset_deltas, key_at, key_sizes, value_at, value_sizes, headers_at, header_counts

    @cython.locals(numbers=int[::1])
    cpdef int read(
        self, const unsigned char[::1] body, Py_ssize_t at, Py_ssize_t rows, Py_ssize_t first_row,
        long long last_delta, long long last_offset_delta
    ) except -1

    @cython.locals(
        body="const unsigned char[::1]", record_at=int[::1], timestamps="long long[::1]", deltas=int[::1],
        end=Py_ssize_t, record_end=Py_ssize_t, row=Py_ssize_t, size="long long", more="long long", delta="long long",
        number="unsigned long long", timestamp="long long", earliest="long long", latest="long long",
    )
    cdef int _walk(self, Py_ssize_t at, long long last_delta, long long last_offset_delta) except -1

    @cython.locals(size="long long", more="long long")
    cdef Py_ssize_t _walk_fields(self, Py_ssize_t row, Py_ssize_t at, Py_ssize_t record_end) except -1

    @cython.locals(number="unsigned long long", count="long long", key_size=Py_ssize_t, value_size=Py_ssize_t)
    cdef Py_ssize_t _walk_headers(self, Py_ssize_t row, Py_ssize_t at, Py_ssize_t record_end) except -1

    @cython.locals(number="unsigned long long", size="long long")
    cdef (Py_ssize_t, Py_ssize_t) field_at(self, Py_ssize_t at, Py_ssize_t end) except *

    @cython.locals(number="unsigned long long", shift=int, byte="unsigned long long")
    cdef (unsigned long long, Py_ssize_t) number_at(self, Py_ssize_t at, int bits) except *


cdef long long from_zigzag(unsigned long long number) noexcept
cdef int check_null_size(long long size) except -1
