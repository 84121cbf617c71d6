"""A produce response that waits until its batches may be acknowledged: committed, or with acks=1 flushed."""

import asyncio
from itertools import islice

from ottla.broker.requests.deferred import Deferred
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.produce_response import PartitionResponses, ProduceResponse
from ottla.replication.partition_leader import PartitionLeader

#: Leader, last offset and response of each batch that may not be acknowledged yet.
Waits = list[tuple[PartitionLeader, int, PartitionResponses]]


class CommittedWait:
    """Lives from the append until the last of its batches is acknowledged or failed, or the time is up."""

    __slots__ = ("_acks", "_done_count", "_response", "_timer", "_waits", "deferred")

    def __init__(self, response: ProduceResponse, waits: Waits, acks: int, timeout_ms: int) -> None:
        self._response = response
        self._acks = acks
        self._waits = waits
        #: So many of them, from the first on, are acknowledged or failed.
        self._done_count = 0
        self.deferred = Deferred(on_abandoned=self._stop)
        self._timer = asyncio.get_running_loop().call_later(max(0, timeout_ms) / 1000, self._time_is_up)
        for leader, _, _ in waits:
            leader.watch(self._look)
        # Others of its batches took long: these may be ready by now, and nobody would say so again.
        self._look()

    def _look(self) -> None:
        for leader, last_offset, partition_response in islice(self._waits, self._done_count, None):
            if leader.log.is_failed:
                # The batch is in the file but was never safe: the client must not take it for written.
                partition_response.error_code = ErrorCode.KAFKA_STORAGE_ERROR
                partition_response.base_offset = -1
            elif not leader.may_acknowledge(last_offset, self._acks):
                if not leader.has_resigned:
                    return
                partition_response.error_code = ErrorCode.NOT_LEADER_OR_FOLLOWER
                partition_response.base_offset = -1
            self._done_count += 1
        self._stop()
        self.deferred.resolve(self._response)

    def _time_is_up(self) -> None:
        for leader, last_offset, partition_response in self._waits[self._done_count :]:
            if not leader.may_acknowledge(last_offset, self._acks):
                partition_response.error_code = ErrorCode.REQUEST_TIMED_OUT
                partition_response.base_offset = -1
        self._stop()
        self.deferred.resolve(self._response)

    def _stop(self) -> None:
        self._timer.cancel()
        for leader, _, _ in self._waits:
            leader.unwatch(self._look)
