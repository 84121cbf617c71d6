from libc.stdint cimport uint8_t


# What a stream fills. Subclasses answer what they can.
cdef class QuickInbox:
    # Into `buffer`, which cannot move or shrink while `view` is there.
    cdef uint8_t* base
    cdef Py_ssize_t capacity
    cdef readonly object buffer
    cdef readonly object view
    cdef public Py_ssize_t start
    cdef public Py_ssize_t end
    cdef public bint is_active
    cdef public bint is_busy
    cdef public bint is_congested
    cdef public bint is_closed
    cdef bytearray answers

    cdef bint take(self, Py_ssize_t count) except -1


cdef class QuickStream:
    cdef public int descriptor
    cdef public object _owner
    cdef public object _queue
    cdef public bint _is_reading
    cdef QuickInbox _inbox

    cpdef on_readable(self)
    cpdef send(self, data)
    cdef receive_into_inbox(self, QuickInbox inbox)
