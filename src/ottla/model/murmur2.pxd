cimport cython

cdef unsigned int _MULTIPLIER, _SEED, _MASK

cpdef long long murmur2(const unsigned char[::1] data) except? -1
cpdef long long key_partition(const unsigned char[::1] key, long long partition_count) except -1

@cython.locals(value="unsigned int", word="unsigned int", at=Py_ssize_t, end=Py_ssize_t, rest=Py_ssize_t)
cdef long long hash_range(const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t size) except -1
