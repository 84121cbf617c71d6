"""A consumer of a simulated workload: reads one partition from its beginning and notes what it sees."""

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.sim.client import CorruptFetch, Fetched, LogClient
from ottla.sim.history import History, Read
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms


class SimConsumer:
    def __init__(self, name: str, client: LogClient, partition: TopicPartition, history: History, rng: SimRng) -> None:
        self.name = name
        self.position = 0
        self._client = client
        self._partition = partition
        self._history = history
        self._rng = rng
        self._high_watermark = 0
        self._is_stopping = False

    def stop(self) -> None:
        self._is_stopping = True

    async def run(self) -> None:
        while not self._is_stopping:
            fetched = await self.poll()
            if fetched is None or fetched.code != ErrorCode.NONE:
                await sleep_ms(100 + self._rng.below(100))
            elif self._rng.chance(10):
                await sleep_ms(self._rng.below(500))

    async def poll(self) -> Fetched | None:
        """One fetch; None when there was no response."""
        topic, index = self._partition
        try:
            await self._client.connected()
            if await self._client.learn_topic_id(topic) != ErrorCode.NONE:
                return None
            fetched = await self._client.fetch(
                topic, index, self.position, max_wait_ms=self._rng.one_of((0, 100, 500)), max_bytes=self._max_bytes()
            )
        except CorruptFetch as error:
            self._history.found("bad-crc-below-end", f"{self._partition} from {self.position} on: {error}")
            self._is_stopping = True
            return None
        except CLIENT_ERRORS:
            self._client.close()
            return None
        self._take(fetched)
        return fetched

    def _max_bytes(self) -> int:
        return self._rng.one_of((1, 500, 5_000, 1 << 20))

    def _take(self, fetched: Fetched) -> None:
        if fetched.code == ErrorCode.OFFSET_OUT_OF_RANGE:
            text = f"{self.name} is at {self.position} of {self._partition}, which the broker does not have"
            self._history.found("offsets-went-back", text)
            self._is_stopping = True
        if fetched.code != ErrorCode.NONE:
            return
        self._check_watermarks(fetched)
        for record in fetched.records:
            self._history.reads.append(Read(self.name, self._partition, record.offset, record.value))
        self.position = fetched.next_offset

    def _check_watermarks(self, fetched: Fetched) -> None:
        if not fetched.log_start_offset <= fetched.last_stable_offset <= fetched.high_watermark:
            self._history.found("watermarks-out-of-order", f"{self._partition}: {fetched[2:5]}")
        if fetched.high_watermark < self._high_watermark:
            text = f"{self._partition}: {self._high_watermark} -> {fetched.high_watermark} for {self.name}"
            self._history.found("high-watermark-went-back", text)
        self._high_watermark = fetched.high_watermark
