"""The compiled twin of `inbox` and `produce_lane`: requests of the short way are answered without their connection.

What is no whole request yet waits here, so the connection is called for the rest only: other requests, frames of a
wrong size, a full buffer, and a buffer from the common pool that is empty again.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memmove

from ottla.records._big_endian cimport load16, load32, store32, store64
from ottla.replication._quick_append cimport append_and_commit
from ottla.runtime._quick_stream cimport QuickInbox

from ottla.broker.produce_lane import FLEXIBLE_FROM, MOST_LANES, SHORTEST_REST, storage_error_answer
from ottla.broker.request_memory import FREE_BYTES
from ottla.model.errors import CorruptLog, Refused
from ottla.records.batch import ATTRIBUTES_POSITION, HEADER_SIZE, TRANSACTIONAL_BIT

cdef enum:
    SMALLEST_FRAME = 8
    ALL = -1
    LONGEST_VARINT = 5

cdef Py_ssize_t free_bytes = FREE_BYTES
cdef Py_ssize_t most_lanes = MOST_LANES
cdef Py_ssize_t shortest_rest = SHORTEST_REST
cdef Py_ssize_t header_size = HEADER_SIZE
cdef Py_ssize_t attributes_position = ATTRIBUTES_POSITION
cdef uint8_t transactional_bit = TRANSACTIONAL_BIT
cdef int flexible_from = FLEXIBLE_FROM


cdef class ProduceLane:
    cdef object _broker, _leaders, _now_ms, _leader, _place
    cdef bytearray _answer
    cdef Py_ssize_t _offset_at
    cdef int _version, _acks

    def __init__(self, context, int acks, leader, bytearray answer not None, Py_ssize_t offset_at):
        self._broker = context.broker
        self._leaders = context.broker.partitions.leaders
        self._now_ms = context.broker.clock.now_ms
        self._version = context.version
        self._acks = acks
        self._leader = leader
        self._place = leader.topic_partition
        self._answer = answer
        self._offset_at = offset_at

    cdef bytearray serve(self, object view, uint8_t* base, Py_ssize_t first, Py_ssize_t stop, Py_ssize_t position):
        cdef int64_t base_offset, append_time_ms = -1
        cdef int64_t size
        if stop < position + shortest_rest:
            return None
        if load16(base + first) != 0 or <int>load16(base + first + 2) != self._version:
            return None
        if self._version < flexible_from:
            size = <int32_t>load32(base + position)
            position += 4
        else:
            size = read_compact_size(base, &position)
            stop -= 3
            if base[stop] or base[stop + 1] or base[stop + 2]:
                return None
        if size < 0 or position + size != stop or not self.is_open():
            return None
        leader = self._leader
        try:
            now_ms = self._now_ms()
            base_offset = append_and_commit(leader, view, base + position, position, size, now_ms)
            if base_offset < 0:
                if size < header_size or base[position + attributes_position + 1] & transactional_bit:
                    return None
                base_offset, _, append_time_ms, _ = leader.append(view[position:stop], now_ms)
        except (Refused, CorruptLog):
            return None
        except OSError as error:
            self._broker.storage_failed(self._place, error)
            return storage_error_answer(self._answer, self._offset_at, <int32_t>load32(base + first + 4))
        cdef uint8_t* answer = <uint8_t*>PyByteArray_AS_STRING(self._answer)
        store32(answer + 4, load32(base + first + 4))
        store64(answer + self._offset_at, <uint64_t>base_offset)
        store64(answer + self._offset_at + 8, <uint64_t>append_time_ms)
        store64(answer + self._offset_at + 16, <uint64_t><int64_t>leader.log.log_start_offset)
        return self._answer

    cdef bint is_open(self) except -1:
        leader = self._leader
        log = leader.log
        return not (
            log.flushes_before_ack
            or log.counts_to_flush
            or self._leaders.get(self._place) is not leader
            or (self._acks == ALL and leader.in_sync_count < leader.replica_count)
        )


cdef class Inbox(QuickInbox):
    cdef public Py_ssize_t frame_limit
    cdef dict _lanes
    cdef Py_ssize_t _envelope_end
    # The lane of the last request: the next one is mostly for it.
    cdef bytes _latest_envelope
    cdef ProduceLane _latest_lane

    def __init__(self, Py_ssize_t size, Py_ssize_t frame_limit):
        self.frame_limit = frame_limit
        self._lanes = {}
        self.use(bytearray(size), 0)

    @property
    def is_held(self):
        return self.is_busy or self.is_congested or self.is_closed

    def open_lane(self, bytes envelope not None, ProduceLane lane not None):
        cdef Py_ssize_t end = PyBytes_GET_SIZE(envelope) + SMALLEST_FRAME
        if end != self._envelope_end or len(self._lanes) >= most_lanes:
            self._lanes.clear()
            self._envelope_end = end
        self._latest_lane = None
        self._lanes[envelope] = lane

    def serve(self, Py_ssize_t first, Py_ssize_t stop):
        return self.answer_of(first, stop)

    cdef bytearray answer_of(self, Py_ssize_t first, Py_ssize_t stop):
        cdef Py_ssize_t end = self._envelope_end
        cdef const uint8_t* envelope = self.base + first + SMALLEST_FRAME
        if not end or first + end > stop:
            return None
        if (
            self._latest_lane is None
            or memcmp(PyBytes_AS_STRING(self._latest_envelope), envelope, end - SMALLEST_FRAME) != 0
        ):
            key = (<const char*>envelope)[: end - SMALLEST_FRAME]
            lane = self._lanes.get(key)
            if lane is None:
                return None
            self._latest_envelope = key
            self._latest_lane = lane
        return self._latest_lane.serve(self.view, self.base, first, stop, first + end)

    cdef bint take(self, Py_ssize_t count) except -1:
        cdef Py_ssize_t left
        cdef int32_t size
        cdef bytearray answer
        self.end += count
        self.is_active = True
        if self.is_busy or self.is_congested or self.is_closed:
            return True
        while self.end - self.start >= 4 and not self.is_closed:
            size = <int32_t>load32(self.base + self.start)
            if size < SMALLEST_FRAME or size > self.frame_limit:
                return True
            left = self.end - self.start - 4
            if left < size:
                break
            answer = self.answer_of(self.start + 4, self.start + 4 + size)
            if answer is None:
                return True
            self.start += 4 + size
            self.add_answer(answer)
        if self.start == self.end:
            self.start = self.end = 0
            return self.capacity > free_bytes
        return self.end == self.capacity and not self.made_room()

    cdef bint made_room(self) noexcept:
        """Moves half a request to the front of a full buffer. A larger one has to be asked for in Python."""
        cdef Py_ssize_t left = self.end - self.start
        if left > self.capacity // 2:
            return False
        memmove(self.base, self.base + self.start, left)
        self.start = 0
        self.end = left
        return True

    cdef add_answer(self, bytearray answer):
        if self.answers is None:
            # Mostly the only one: sent as it is, before its lane uses it again.
            self.answers = answer if self.start == self.end else bytearray(answer)
        else:
            self.answers += answer


cdef int64_t read_compact_size(const uint8_t* base, Py_ssize_t* position) noexcept nogil:
    """Followed by at least `shortest_rest` bytes, so it cannot run out of them."""
    cdef uint64_t value = 0
    cdef int index
    cdef uint8_t byte
    for index in range(LONGEST_VARINT):
        byte = base[position[0]]
        value |= <uint64_t>(byte & 0x7F) << (7 * index)
        position[0] += 1
        if byte < 0x80:
            break
    return <int64_t>value - 1
