cimport cython

from ottla.records cimport raw_bytes

cdef long long _INT64_MAX


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
cdef Py_ssize_t number_size(unsigned long long number) noexcept
cdef Py_ssize_t field_size(Py_ssize_t size) noexcept
cdef Py_ssize_t object_size(value) except -1
cdef Py_ssize_t head_size(long long timestamp_delta, long long offset_delta) noexcept
cdef long long timestamp_delta_of(long long timestamp, long long base_timestamp) except? -1

@cython.locals(
    sizes=list, names=list, total=Py_ssize_t, index=Py_ssize_t, size=Py_ssize_t, offset="long long",
    timestamp="long long", delta="long long", data=bytearray, at=Py_ssize_t, writer=RecordWriter,
)
cpdef bytearray encode_records(records, long long base_offset, long long base_timestamp, bint keep_offsets, Py_ssize_t room)

cdef list header_names(headers)
@cython.locals(size=Py_ssize_t, index=Py_ssize_t)
cdef Py_ssize_t headers_size(headers, list names) except -1
