"""A client with a random script: what it sends and how, how it reads, how it ends, and what it must get."""

import asyncio
from enum import Enum, auto
from itertools import accumulate

from ottla.doors.network import Network
from ottla.sim.network import SimNet
from ottla.sim.rng import SimRng
from tests.support.link_owner import LinkOwner
from tests.support.scripted_requests import FATAL, ORDINARY, Kind, Request
from tests.support.virtual_time import time_passes
from tests.support.waiting import until

#: More than all requests of all clients take.
_PATIENCE_S = 900
#: Of silence, after which a broker is to end a connection: what hangs is found before.
TIME_LIMIT_S = 1_200


class Ending(Enum):
    WAITS = auto()
    HALF_CLOSES = auto()
    #: Sends no more, and leaves it to the broker to notice.
    FALLS_SILENT = auto()
    CLOSES = auto()
    RESETS = auto()


#: The broker notices them.
_NOTICED = (Ending.HALF_CLOSES, Ending.CLOSES, Ending.RESETS)


class Script:
    """Of one client, whose responses with parts of a file come from `content`."""

    def __init__(self, rng: SimRng, content: bytes) -> None:
        requests = _some_requests(rng)
        self.ending = rng.one_of((*Ending, Ending.WAITS, Ending.HALF_CLOSES, Ending.HALF_CLOSES))
        is_cut = self.ending is not Ending.WAITS and rng.chance(50)
        if self.ending in _NOTICED and not is_cut:
            # Nobody waits for as long: the end of the client must end it. What is not a poll ends with a reset only.
            kind = Kind.COROUTINE if self.ending is Ending.RESETS and rng.chance(50) else Kind.LONG_POLL
            requests[-1] = Request(len(requests) - 1, kind, 2 * _PATIENCE_S * 1000, 1)
        frames = [request.frame() for request in requests]
        self.data = b"".join(frames)
        if is_cut:
            self.data = self.data[: rng.below(len(self.data))]
        ends = accumulate(len(frame) for frame in frames)
        #: Whole requests.
        self.sent = [request for request, end in zip(requests, ends, strict=True) if end <= len(self.data)]
        #: How many of them are before one that ends the connection.
        self.good_count = next((request.number for request in self.sent if request.kind in FATAL), len(self.sent))
        self.expected = b"".join(request.response(content) for request in self.sent[: self.good_count])

    @property
    def is_fatal(self) -> bool:
        return self.good_count < len(self.sent)

    @property
    def is_patient(self) -> bool:
        """Nothing that the client does keeps it from a response."""
        return not self.is_fatal and self.ending not in (Ending.CLOSES, Ending.RESETS)


def _some_requests(rng: SimRng) -> list[Request]:
    count = rng.one_of((1, 5, 30, 60, 300))
    is_large = count < 100 and rng.chance(70)
    requests = [_a_request(rng, number, is_large=is_large) for number in range(count)]
    if rng.chance(15):
        number = rng.below(count)
        requests[number] = requests[number]._replace(kind=rng.one_of(FATAL), amount=rng.one_of((0, 10)))
    return requests


def _a_request(rng: SimRng, number: int, *, is_large: bool) -> Request:
    kind = rng.one_of((*ORDINARY, *[Kind.AT_ONCE] * 5))
    amount = 1_000 if rng.chance(5) else rng.one_of((0, 1, 10, 30))
    if kind in (Kind.LARGE_RESPONSE, Kind.PART_OF_A_FILE):
        amount = rng.one_of((0, 1, 20_000, 900_000 if is_large else 100))
    paddings = (1, 1_000, 20_000, 70_000, 150_000, 700_000) if is_large else (1, 5, 100, 3_000)
    return Request(number, kind, amount, rng.one_of(paddings))


class PausingOwner(LinkOwner):
    """Pauses are short: who holds memory that others wait for, and does not read its responses, is ended."""

    def __init__(self, network: Network, rng: SimRng) -> None:
        super().__init__(network, rng.one_of((1_000, 70_000)))
        self._rng = rng
        self._pause_percent = rng.one_of((0, 0, 2, 20))

    def buffer_updated(self, nbytes: int) -> None:
        super().buffer_updated(nbytes)
        if self._rng.chance(self._pause_percent):
            self.link.pause_reading()
            asyncio.get_running_loop().call_later(self._rng.one_of((0.0001, 0.001, 0.01)), self.link.resume_reading)


class ScriptedClient:
    def __init__(self, net: SimNet, network: Network, host: str, rng: SimRng, content: bytes) -> None:
        self.host = host
        self.script = Script(rng, content)
        self._net = net
        self._network = network
        self._rng = rng
        self._owner = PausingOwner(network, rng)
        self._is_lost = self._owner.lost.is_set

    @property
    def received(self) -> bytes:
        return bytes(self._owner.received)

    async def run(self, broker: str, port: int) -> None:
        """Returns when the connection is gone."""
        await self._network.connect(broker, port, self._owner)
        await self._send()
        await self._end()
        patience_s = _PATIENCE_S + (TIME_LIMIT_S if self.script.ending is Ending.FALLS_SILENT else 0)
        await until(self._is_lost, within_s=patience_s, step_s=0.1, what=f"the end of {self}")

    async def _send(self) -> None:
        data, link = memoryview(self.script.data), self._owner.link
        piece_size = max(self._rng.one_of((1, 50, 5_000, 100_000)), len(data) // 200)
        position = 0
        while position < len(data) and not self._is_lost():
            size = self._rng.between(1, 2 * piece_size)
            link.send(data[position : position + size])
            position += size
            await until(self._may_send, within_s=_PATIENCE_S, what=f"a broker that reads {self}")
            if self._rng.chance(10):
                await time_passes(self._rng.one_of((0.0001, 0.001, 0.1)))

    def _may_send(self) -> bool:
        return self._is_lost() or not self._owner.link.unsent_size

    async def _end(self) -> None:
        ending = self.script.ending
        if ending is Ending.RESETS:
            # In the middle of the first requests, or of the last.
            await time_passes(self._rng.one_of((0, 0.001, 30)))
            self._owner.link.abort()
        elif ending is Ending.CLOSES:
            self._owner.link.close()
        elif ending is Ending.HALF_CLOSES:
            self._end_sending()
        elif ending is Ending.WAITS and not self.script.is_fatal:
            await until(self._has_enough, within_s=_PATIENCE_S, what=f"the responses to {self}")
            # A response that is sent twice would come now.
            await time_passes(1)
            self._owner.link.close()

    def _end_sending(self) -> None:
        """A FIN below whatever encrypts the connection."""
        for connection in self._net.connections.values():
            if connection.hosts[0] == self.host:
                connection.ends[0].outgoing.end()

    def _has_enough(self) -> bool:
        return self._is_lost() or len(self._owner.received) >= len(self.script.expected)

    def __str__(self) -> str:
        name, count = self.script.ending.name, len(self.script.sent)
        return f"{self.host} ({name}, {count} requests, {len(self.received)} of {len(self.script.expected)} bytes)"
