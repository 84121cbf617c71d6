cimport cython

from ottla.records cimport raw_bytes

cdef int ATTRIBUTES_POSITION, CLIENT_BITS, CODEC_MASK, CONTROL_BIT, HEADER_SIZE, LAST_CODEC, LENGTH_OVERHEAD, MAGIC
cdef int TRANSACTIONAL_BIT


@cython.locals(
    size=Py_ssize_t, base_offset="long long", length="long long", magic=int, crc="long long", attributes=int,
    delta="long long", max_timestamp="long long", producer_id="long long", epoch=int, sequence="long long",
    count="long long",
)
cpdef tuple judge(data, long long size_max)

cdef object _content_problem(
    int attributes, long long delta, long long count, long long producer_id, int epoch, long long sequence
)
