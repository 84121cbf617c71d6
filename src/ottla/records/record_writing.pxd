cimport cython

from ottla.records cimport raw_bytes

cdef long long _INT64_MAX
cdef long long _SIZE_BYTES_MAX, _OVERHEAD_MAX


@cython.final
cdef class RecordWriter:
    cdef unsigned char[::1] out

    cdef Py_ssize_t put_number(self, Py_ssize_t at, unsigned long long number) except -1
    cdef Py_ssize_t put_head(
        self, Py_ssize_t at, Py_ssize_t size, long long timestamp_delta, long long offset_delta
    ) except -1
    @cython.locals(size=Py_ssize_t)
    cdef Py_ssize_t put_object(self, Py_ssize_t at, value) except -1
    @cython.locals(index=Py_ssize_t)
    cdef Py_ssize_t put_headers(self, Py_ssize_t at, headers, list names) except -1


@cython.locals(positive="unsigned long long")
cdef unsigned long long to_zigzag(long long number) noexcept
@cython.locals(size=Py_ssize_t)
cdef Py_ssize_t number_size(unsigned long long number) noexcept
cdef Py_ssize_t field_size(Py_ssize_t size) noexcept
cdef Py_ssize_t object_size(value) except -1
cdef Py_ssize_t head_size(long long timestamp_delta, long long offset_delta) noexcept
cdef long long timestamp_delta_of(long long timestamp, long long base_timestamp) except? -1

@cython.locals(
    sizes=list, names=dict, total=Py_ssize_t, index=Py_ssize_t, size=Py_ssize_t, offset_delta="long long",
    timestamp="long long", delta="long long", data=bytearray, at=Py_ssize_t, writer=RecordWriter,
)
cpdef bytearray encode_records(
    list timestamps, list keys, list values, headers, offset_deltas, long long base_timestamp, Py_ssize_t room
)

cdef list header_names(headers)
@cython.locals(size=Py_ssize_t, index=Py_ssize_t)
cdef Py_ssize_t headers_size(headers, list names) except -1


@cython.final
cdef class BinarySource:
    cdef const int[::1] ends
    cdef const unsigned char[::1] data, validity
    cdef Py_ssize_t first
    cdef bint is_absent, has_nulls

    cpdef int start(self, const int[::1] ends, const unsigned char[::1] data, Py_ssize_t first) except -1
    cpdef int set_validity(self, const unsigned char[::1] validity) except -1
    cdef Py_ssize_t size_at(self, Py_ssize_t row) except? -2
    cdef Py_ssize_t bytes_in(self, Py_ssize_t first, Py_ssize_t last) except -1
    cdef Py_ssize_t put(self, RecordWriter writer, Py_ssize_t at, Py_ssize_t row, Py_ssize_t size) except -1


@cython.final
cdef class HeaderSource:
    cdef const int[::1] ends
    cdef BinarySource names, values
    cdef bint is_absent

    cpdef int start(self, const int[::1] ends, BinarySource names, BinarySource values) except -1
    @cython.locals(size=Py_ssize_t, index=Py_ssize_t, name_size=Py_ssize_t)
    cdef Py_ssize_t size_at(self, Py_ssize_t row) except -1
    @cython.locals(begin=Py_ssize_t, end=Py_ssize_t)
    cdef Py_ssize_t bytes_max(self, Py_ssize_t first, Py_ssize_t last) except -1
    @cython.locals(index=Py_ssize_t)
    cdef Py_ssize_t put(self, RecordWriter writer, Py_ssize_t at, Py_ssize_t row) except -1


@cython.final
cdef class ColumnSet:
    cdef readonly Py_ssize_t rows, last, body_size
    cdef readonly long long base_timestamp, max_timestamp
    cdef const long long[::1] timestamps
    cdef BinarySource keys, values
    cdef HeaderSource headers

    cpdef int start(
        self, Py_ssize_t rows, const long long[::1] timestamps, BinarySource keys, BinarySource values,
        HeaderSource headers
    ) except -1

    @cython.locals(
        data=bytearray, writer=RecordWriter, base_timestamp="long long", max_timestamp="long long",
        timestamp="long long", delta="long long", at=Py_ssize_t, end=Py_ssize_t, row=Py_ssize_t, size=Py_ssize_t,
        record_end=Py_ssize_t, size_max=Py_ssize_t, key_size=Py_ssize_t, value_size=Py_ssize_t,
    )
    cpdef bytearray encode(self, Py_ssize_t first, Py_ssize_t bytes_max, Py_ssize_t room)

    cdef Py_ssize_t _bytes_max(self, Py_ssize_t first) except -1
