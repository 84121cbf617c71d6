cimport cython

from ottla.model cimport murmur2
from ottla.records.record_writing cimport BinarySource


@cython.locals(row=Py_ssize_t, size=Py_ssize_t, hashed="long long")
cpdef int fill_partitions(BinarySource keys, Py_ssize_t rows, int partition_count, int[::1] out) except -1
