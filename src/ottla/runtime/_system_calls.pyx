"""System calls that cost more in Python than in the kernel: see `system_calls`, which chooses.

Small reads and writes keep the GIL: they take less time than releasing it.

A thread that comes back from an fsync waits for the lock of a busy event loop: fifty files cost fifty such waits. So
all files of a flush are synced in one call, in threads without Python. File systems commit what is synced at the same
time together, so many files cost little more than one.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.errno cimport errno
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

cdef extern from "sys/socket.h" nogil:
    # Linux has no SIGPIPE with it; elsewhere Python ignores the signal.
    """
    #ifndef MSG_NOSIGNAL
    #define MSG_NOSIGNAL 0
    #endif
    """
    enum: MSG_NOSIGNAL
    ssize_t recv(int descriptor, void* data, size_t size, int flags)
    ssize_t send_now "send"(int descriptor, const void* data, size_t size, int flags)

cdef extern from "unistd.h" nogil:
    ssize_t pwrite(int descriptor, const void* data, size_t size, int64_t position)

cdef extern from "time.h" nogil:
    enum: CLOCK_MONOTONIC
    enum: CLOCK_REALTIME
    struct timespec:
        long tv_sec
        long tv_nsec
    int clock_gettime(int clock, timespec* now)

cdef extern from *:
    """
    #include <errno.h>
    #include <fcntl.h>
    #include <pthread.h>
    #include <stdatomic.h>
    #include <unistd.h>

    /* Space behind the end of a file, which keeps its size. */
    static int allocate_space(int descriptor, int64_t position, int64_t size) {
    #if defined(FALLOC_FL_KEEP_SIZE)
        return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, position, size) == 0;
    #else
        return 0;
    #endif
    }

    /* By the strongest call the platform has: on macOS fsync reaches only the drive's own cache. */
    static int sync_one(int descriptor) {
    #if defined(F_FULLFSYNC)
        return fcntl(descriptor, F_FULLFSYNC) < 0 ? errno : 0;
    #else
        return fdatasync(descriptor) < 0 ? errno : 0;
    #endif
    }

    typedef struct {
        int *descriptors;  /* replaced by the outcome of each: 0 or an errno */
        int count;
        atomic_int next;
    } shared_work;

    static void *take_share(void *argument) {
        shared_work *work = argument;
        int index;
        while ((index = atomic_fetch_add(&work->next, 1)) < work->count)
            work->descriptors[index] = sync_one(work->descriptors[index]);
        return NULL;
    }

    /* A thread that cannot be made is no harm: the others, and at least the caller, take its share. */
    static void sync_in_threads(int *descriptors, int count, int thread_count) {
        shared_work work = {descriptors, count, 0};
        pthread_t threads[16];
        int made = 0;
        while (made < thread_count - 1 && made < 16 && !pthread_create(&threads[made], NULL, take_share, &work))
            made++;
        take_share(&work);
        while (made > 0)
            pthread_join(threads[--made], NULL);
    }
    """
    void sync_in_threads(int* descriptors, int count, int thread_count) nogil
    bint allocate_space(int descriptor, int64_t position, int64_t size) nogil

cdef enum:
    MAX_THREADS = 12
    # From this size on other threads may run during the call.
    LARGE = 64 * 1024


def now_ms():
    """Wall-clock milliseconds since the epoch."""
    cdef timespec now
    clock_gettime(CLOCK_REALTIME, &now)
    return <int64_t>now.tv_sec * 1000 + now.tv_nsec // 1_000_000


def monotonic_ms():
    """Milliseconds since some moment: for differences."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <int64_t>now.tv_sec * 1000 + now.tv_nsec // 1_000_000


def receive(int descriptor, room not None):
    """The number of bytes that came, 0 at the end of the stream, or a negative errno."""
    cdef Py_buffer buffer
    cdef ssize_t count
    PyObject_GetBuffer(room, &buffer, PyBUF_WRITABLE)
    if buffer.len < LARGE:
        count = recv(descriptor, buffer.buf, buffer.len, 0)
    else:
        with nogil:
            count = recv(descriptor, buffer.buf, buffer.len, 0)
    if count < 0:
        count = -errno
    PyBuffer_Release(&buffer)
    return count


def send(int descriptor, data not None):
    """The number of bytes that were taken, or a negative errno."""
    cdef Py_buffer buffer
    cdef ssize_t count
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    if buffer.len < LARGE:
        count = send_now(descriptor, buffer.buf, buffer.len, MSG_NOSIGNAL)
    else:
        with nogil:
            count = send_now(descriptor, buffer.buf, buffer.len, MSG_NOSIGNAL)
    if count < 0:
        count = -errno
    PyBuffer_Release(&buffer)
    return count


def write_at(int descriptor, data not None, int64_t position):
    """The number of bytes that were written, or a negative errno."""
    cdef Py_buffer buffer
    cdef ssize_t count
    PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE)
    if buffer.len < LARGE:
        count = pwrite(descriptor, buffer.buf, buffer.len, position)
    else:
        with nogil:
            count = pwrite(descriptor, buffer.buf, buffer.len, position)
    if count < 0:
        count = -errno
    PyBuffer_Release(&buffer)
    return count


def allocate(int descriptor, int64_t position, int64_t size):
    """Takes space for bytes that will be written there; the file keeps its size. False where that cannot be done."""
    return allocate_space(descriptor, position, size)


def sync_descriptors(list descriptors not None):
    """For each its errno, or 0. They stay open and unused by others until this returns."""
    cdef int count = len(descriptors)
    cdef int index
    cdef int* work = <int*>malloc(max(1, count) * sizeof(int))
    if work is NULL:
        raise MemoryError
    try:
        for index in range(count):
            work[index] = descriptors[index]
        with nogil:
            sync_in_threads(work, count, min(count, MAX_THREADS))
        return [work[index] for index in range(count)]
    finally:
        free(work)
