"""The compiled twin of `quick_stream` and of the waiting in `event_loop`: epoll, recv and send without objects between.

Linux only, as the loop that uses it. Small reads and writes keep Python's lock: they take less time than giving it away.
"""

from collections import deque

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.errno cimport EAGAIN, ECONNRESET, EINTR, errno
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport strerror

from ottla.runtime.poller import end_failed, serve_events

cdef extern from "sys/socket.h" nogil:
    enum: MSG_NOSIGNAL
    ssize_t recv(int descriptor, void* data, size_t size, int flags)
    ssize_t send_now "send"(int descriptor, const void* data, size_t size, int flags)

cdef extern from "sys/epoll.h" nogil:
    enum: EPOLLERR
    enum: EPOLLHUP
    enum: EPOLLIN
    enum: EPOLLOUT
    ctypedef union epoll_data_t:
        int fd
    struct epoll_event:
        uint32_t events
        epoll_data_t data
    int epoll_wait(int descriptor, epoll_event* events, int count_max, int timeout_ms)

cdef extern from "time.h" nogil:
    enum: CLOCK_MONOTONIC
    struct timespec:
        long tv_sec
        long tv_nsec
    int clock_gettime(int clock, timespec* now)

cdef enum:
    # After so many sockets, timers and other work get their turn.
    EVENTS_A_ROUND = 256
    # From this size on other threads may run meanwhile.
    LARGE = 64 * 1024
    LONGEST_WAIT_S = 24 * 3600


def serve_streams(selector, epoll, timeout, dict streams not None):
    """As in `event_loop`."""
    cdef int descriptor = epoll.fileno()
    cdef int64_t now_ns, until_ns = -1
    cdef int count, wait_ms = -1
    cdef list others = []
    if timeout is not None:
        now_ns = monotonic_ns()
        # Not more than a day: what is to happen later is asked for again.
        until_ns = now_ns + <int64_t>(min(max(<double>timeout, 0), LONGEST_WAIT_S) * 1e9)
    while True:
        if until_ns >= 0:
            # Rounded up: a timer that woke up early would only go to sleep again.
            wait_ms = <int>((until_ns - now_ns + 999_999) // 1_000_000)
        count = wait_and_serve(descriptor, wait_ms, streams, others)
        if count <= 0 or others or selector.has_work_for_loop:
            return others
        if until_ns >= 0:
            now_ns = monotonic_ns()
            if now_ns >= until_ns:
                return others


cdef int wait_and_serve(int descriptor, int wait_ms, dict streams, list others) except -2:
    """Gives the number of events, or -1 when a signal came instead."""
    cdef epoll_event events[EVENTS_A_ROUND]
    cdef int count, index, error
    cdef uint32_t mask
    with nogil:
        count = epoll_wait(descriptor, events, EVENTS_A_ROUND, wait_ms)
    if count < 0:
        error = errno
        if error != EINTR:
            raise system_error(error)
        PyErr_CheckSignals()
        return -1
    for index in range(count):
        mask = events[index].events
        # An earlier stream of this round may have closed it: then it is in neither table.
        stream = streams.get(events[index].data.fd)
        if stream is None:
            others.append((events[index].data.fd, mask))
        elif mask & <uint32_t>EPOLLOUT or not isinstance(stream, QuickStream):
            serve_events(stream, mask & <uint32_t>(EPOLLIN | EPOLLHUP | EPOLLERR), mask & <uint32_t>EPOLLOUT)
        else:
            try:
                (<QuickStream>stream).on_readable()
            except Exception as bug:
                end_failed(stream, bug)
    return count


cdef int64_t monotonic_ns() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t>now.tv_sec * 1_000_000_000 + now.tv_nsec


cdef class QuickStream:
    def __init__(self, sock, owner):
        self.descriptor = sock.fileno()
        self._owner = owner
        self._queue = deque()
        self._is_reading = True
        inbox = getattr(owner, "inbox", None)
        self._inbox = inbox if isinstance(inbox, QuickInbox) else None

    cpdef on_readable(self):
        cdef Py_buffer room
        cdef ssize_t count
        cdef int error
        if not self._is_reading:
            # Called all the same: the peer is gone for good.
            self._lose(system_error(ECONNRESET))
            return
        if self._inbox is not None:
            self.receive_into_inbox(self._inbox)
            return
        PyObject_GetBuffer(self._owner.get_buffer(-1), &room, PyBUF_WRITABLE)
        count = receive(self.descriptor, <uint8_t*>room.buf, room.len)
        error = errno
        PyBuffer_Release(&room)
        if count > 0:
            self._owner.buffer_updated(count)
        else:
            nothing_came(self, count, error)

    cdef receive_into_inbox(self, QuickInbox inbox):
        cdef ssize_t count = receive(self.descriptor, inbox.base + inbox.end, inbox.capacity - inbox.end)
        cdef int error = errno
        cdef bint needs_owner
        if count <= 0:
            nothing_came(self, count, error)
            return
        needs_owner = inbox.take(count)
        answers = inbox.answers
        if answers is not None:
            inbox.answers = None
            self.send(answers)
        if needs_owner:
            self._owner.buffer_updated(0)

    cpdef send(self, data):
        cdef Py_buffer bytes_
        cdef ssize_t sent
        cdef int error
        if self._queue:
            self._keep(data, 0)
            return
        PyObject_GetBuffer(data, &bytes_, PyBUF_SIMPLE)
        sent = transmit(self.descriptor, <const uint8_t*>bytes_.buf, bytes_.len)
        error = errno
        size = bytes_.len
        PyBuffer_Release(&bytes_)
        if sent == size:
            return
        if sent < 0:
            if error != EAGAIN and error != EINTR:
                self._lose(system_error(error))
                return
            sent = 0
        self._keep(data, sent)


cdef nothing_came(QuickStream stream, ssize_t count, int error):
    if count == 0:
        stream._end_of_input()
    elif error != EAGAIN and error != EINTR:
        stream._lose(system_error(error))


cdef object system_error(int error):
    return OSError(error, strerror(error).decode(errors="replace"))


cdef ssize_t receive(int descriptor, uint8_t* room, Py_ssize_t size) noexcept:
    cdef ssize_t count
    if size < LARGE:
        return recv(descriptor, room, size, 0)
    with nogil:
        count = recv(descriptor, room, size, 0)
    return count


cdef ssize_t transmit(int descriptor, const uint8_t* data, Py_ssize_t size) noexcept:
    cdef ssize_t count
    if size < LARGE:
        return send_now(descriptor, data, size, MSG_NOSIGNAL)
    with nogil:
        count = send_now(descriptor, data, size, MSG_NOSIGNAL)
    return count


cdef class QuickInbox:
    """A receive buffer. Its owner uses another one by calling `use`, never while a request is being worked on."""

    def use(self, buffer, Py_ssize_t filled):
        cdef Py_buffer place
        view = memoryview(buffer)
        PyObject_GetBuffer(view, &place, PyBUF_WRITABLE)
        self.base = <uint8_t*>place.buf
        self.capacity = place.len
        PyBuffer_Release(&place)
        self.buffer = buffer
        self.view = view
        self.start = 0
        self.end = filled

    cdef bint take(self, Py_ssize_t count) except -1:
        """Counts bytes in. True when the owner must look at them; answers that are ready are in `answers`."""
        self.end += count
        self.is_active = True
        return True
