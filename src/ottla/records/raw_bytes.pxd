# The functions of raw_bytes.py for compiled modules.
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memcpy

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(object value)


cdef inline int copy_bytes(
    unsigned char[::1] target, Py_ssize_t at, const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t size
) except -1:
    if at < 0 or start < 0 or size < 0 or size > target.shape[0] - at or size > source.shape[0] - start:
        raise IndexError(f"{size} bytes from {start} of {source.shape[0]} to {at} of {target.shape[0]}")
    if size:
        memcpy(&target[at], &source[start], size)
    return 0


cdef inline bytes cut_bytes(const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t size):
    if start < 0 or size < 0 or size > source.shape[0] - start:
        raise IndexError(f"{size} bytes from {start} of {source.shape[0]}")
    if not size:
        return b""
    return PyBytes_FromStringAndSize(<const char*>&source[start], size)


cdef inline int put_bytes(unsigned char[::1] target, Py_ssize_t at, value) except -1:
    cdef Py_buffer view
    PyObject_GetBuffer(value, &view, PyBUF_SIMPLE)
    try:
        if at < 0 or view.len > target.shape[0] - at:
            raise IndexError(f"{view.len} bytes to {at} of {target.shape[0]}")
        if view.len:
            memcpy(&target[at], view.buf, view.len)
    finally:
        PyBuffer_Release(&view)
    return 0


cdef inline int untrack(value) except -1:
    PyObject_GC_UnTrack(value)
    return 0
