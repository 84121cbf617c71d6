"""A producer of a simulated workload: sends numbered values to one partition and notes what became of them.

An idempotent one sends up to five batches at once and sends again, in order, whatever was not acked. Any other one
sends once and does not ask again: its value may be there or not.
"""

import asyncio
from typing import NamedTuple

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import ProtocolError
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from ottla.runtime.channel import UnsupportedVersion
from ottla.sim.client import ACKS_ALL, LogClient, ProduceOutcome
from ottla.sim.clock import WALL_START_MS
from ottla.sim.history import Acked, History, Sent
from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms

#: What can go wrong between a client and a broker without anyone being at fault.
CLIENT_ERRORS = (OSError, ProtocolError, UnsupportedVersion)
MAX_IN_FLIGHT = 5
_RETRY_MS = 100

#: After these the batch was not, or perhaps not, written: an idempotent producer retries.
_TRY_AGAIN = frozenset(
    {
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
    }
)


class Batch(NamedTuple):
    base_sequence: int
    values: tuple[bytes, ...]
    data: bytes


class SimProducer:
    def __init__(
        self,
        name: str,
        client: LogClient,
        partition: TopicPartition,
        history: History,
        rng: SimRng,
        *,
        idempotent: bool,
    ) -> None:
        self.name = name
        self._client = client
        self._partition = partition
        self._history = history
        self._rng = rng
        self._is_idempotent = idempotent
        self._acks = ACKS_ALL if idempotent else rng.one_of((0, 1, ACKS_ALL))
        self._codec = rng.one_of((0, 0, 0, 1, 3))
        self._producer_id = -1
        self._next_number = 0
        self._unacked: list[Batch] = []
        self._is_stopping = False

    def stop(self) -> None:
        """No new values; what is under way is brought to its end."""
        self._is_stopping = True

    async def run(self) -> None:
        while not (self._is_stopping and not self._unacked):
            try:
                await self._client.connected()
                if self._is_idempotent and self._producer_id < 0:
                    await self._get_producer_id()
                    continue
                code = await self._client.learn_topic_id(self._partition.topic)
                if code == ErrorCode.NONE:
                    await self._send_round()
                    continue
            except CLIENT_ERRORS:
                self._client.close()
            await sleep_ms(_RETRY_MS + self._rng.below(_RETRY_MS))
            if not self._is_idempotent:
                self._unacked.clear()

    async def _get_producer_id(self) -> None:
        code, producer_id, _ = await self._client.init_producer_id()
        if code == ErrorCode.NONE:
            self._producer_id = producer_id
        else:
            await sleep_ms(_RETRY_MS)

    async def _send_round(self) -> None:
        """Sends what was not acked, and new batches behind it, all at once; then waits for all responses."""
        if not self._unacked:
            await sleep_ms(self._rng.below(60))
        if not self._is_stopping:
            while len(self._unacked) < self._rng.between(1, MAX_IN_FLIGHT):
                self._unacked.append(self._new_batch())
        futures = []
        for batch in self._unacked:
            topic, index = self._partition
            futures.append(self._client.send_batch(topic, index, batch.data, acks=self._acks))
        outcomes = [await _settled(future) for future in futures]
        self._take(outcomes)
        if any(isinstance(outcome, Exception) for outcome in outcomes):
            self._client.close()
        if self._unacked:
            await sleep_ms(_RETRY_MS)

    def _take(self, outcomes: list[ProduceOutcome | Exception | None]) -> None:
        left: list[Batch] = []
        for batch, outcome in zip(self._unacked, outcomes, strict=True):
            if isinstance(outcome, ProduceOutcome) and outcome.code == ErrorCode.NONE:
                self._history.acked.append(
                    Acked(self.name, self._partition, outcome.base_offset, batch.values, self._is_idempotent)
                )
            elif self._is_idempotent:
                if self._is_final(batch, outcome, is_first=not left):
                    self._is_stopping = True
                    left.clear()
                    break
                left.append(batch)
        self._unacked = left

    def _is_final(self, batch: Batch, outcome: ProduceOutcome | Exception | None, *, is_first: bool) -> bool:
        """Whether the producer cannot continue; a finding if a well-behaved one should."""
        if not isinstance(outcome, ProduceOutcome) or outcome.code in _TRY_AGAIN:
            return False
        # Behind a batch that failed, the next ones are out of order until it is sent again.
        if outcome.code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER and not is_first:
            return False
        text = f"{self.name}: sequence {batch.base_sequence} on {self._partition} got {outcome.code.name}"
        self._history.found("producer-refused", text)
        return True

    def _new_batch(self) -> Batch:
        base_sequence = self._next_number
        values = tuple(self._new_value() for _ in range(self._rng.between(1, 4)))
        records = [Record(i, WALL_START_MS + self._next_number, None, value) for i, value in enumerate(values)]
        if self._is_idempotent:
            data = build_batch(
                records,
                codec=self._codec,
                producer_id=self._producer_id,
                producer_epoch=0,
                base_sequence=base_sequence,
            )
        else:
            data = build_batch(records, codec=self._codec)
        return Batch(base_sequence, values, bytes(data))

    def _new_value(self) -> bytes:
        number = self._next_number
        self._next_number += 1
        padding = b"." * self._rng.one_of((0, 10, 100, 700))
        value = f"{self.name} {self._partition} {number} ".encode() + padding
        self._history.sent[value] = Sent(self.name, self._partition, number, self._is_idempotent)
        return value


async def _settled(future: "asyncio.Future[ProduceOutcome] | None") -> ProduceOutcome | Exception | None:
    if future is None:
        return None
    try:
        return await future
    except CLIENT_ERRORS as error:
        return error
