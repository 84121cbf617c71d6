# The functions of raw_bytes.py for compiled modules.
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from ottla.records._big_endian cimport load16, load32, load64

cdef enum:
    HEADER_BYTES = 61

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


cdef inline (
    int64_t, int32_t, int32_t, signed char, uint32_t, int16_t, int32_t, int64_t, int64_t, int64_t, int16_t, int32_t,
    int32_t
) header_numbers(data) except *:
    cdef Py_buffer view
    cdef const uint8_t* at
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        if view.len < HEADER_BYTES:
            raise IndexError(f"a header of {view.len} bytes")
        at = <const uint8_t*>view.buf
        return (
            <int64_t>load64(at), <int32_t>load32(at + 8), <int32_t>load32(at + 12), <signed char>at[16],
            load32(at + 17), <int16_t>load16(at + 21), <int32_t>load32(at + 23), <int64_t>load64(at + 27),
            <int64_t>load64(at + 35), <int64_t>load64(at + 43), <int16_t>load16(at + 51), <int32_t>load32(at + 53),
            <int32_t>load32(at + 57)
        )
    finally:
        PyBuffer_Release(&view)


cdef inline int untrack(value) except -1:
    PyObject_GC_UnTrack(value)
    return 0
