"""Random clients, good and bad ones, ask a broker for random things: order, memory and ends of connections are kept.

Connections, request memory and pipeline are the real ones; what a handler does is in its request.
"""

import asyncio
import random
import ssl
from functools import partial
from typing import NamedTuple

import pytest

from ottla.broker.execution.tasks import Tasks
from ottla.broker.network.connection import Connection, ServerParts
from ottla.broker.network.connections import Connections
from ottla.broker.network.limits import Limits
from ottla.broker.network.refusals import RefusalLog
from ottla.broker.network.request_memory import RequestMemory
from ottla.doors.network import Listener, Network
from ottla.runtime.tls import TlsNetwork
from ottla.runtime.tls_context import TlsSettings, client_context
from ottla.sim.world import SimWorld
from tests.support.certificates import Certificates
from tests.support.scripted_client import TIME_LIMIT_S, ScriptedClient
from tests.support.scripted_requests import Kind, ScriptedService
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

SEEDS = range(20)
BROKER, PORT = "broker", 9092
CONTENT = random.Random(0).randbytes(1_000_000)
#: Enough for the slowest reader, and for all requests in progress but a coroutine without an end.
DRAIN_S = 5
#: From a pool that one request exceeds to one that is never empty.
POOLS_BYTES = (100_000, 400_000, 1_000_000, 100_000_000)
#: New connections per second: the second makes most clients wait for their first response.
RATES = (1 << 31, 2)


class Contexts(NamedTuple):
    """Of TLS; None without."""

    server: ssl.SSLContext | None = None
    client: ssl.SSLContext | None = None


@pytest.fixture(scope="module", params=["plaintext", "TLS"])
def contexts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Contexts:
    if request.param == "plaintext":
        return Contexts()
    certificates = Certificates(tmp_path_factory.mktemp("certificates"))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificates.certificate(BROKER, alternative_names=f"DNS:{BROKER}"))
    return Contexts(server, client_context(TlsSettings(ca_file=str(certificates.ca))))


def secured(network: Network, context: ssl.SSLContext | None) -> Network:
    return network if context is None else TlsNetwork(network, context)


def some_limits(request_memory_bytes: int, creation_rate: int) -> Limits:
    return Limits(
        frame_bytes=2_000_000,
        request_memory_bytes=request_memory_bytes,
        unsent_response_bytes=1 << 40,
        fetch_session_bytes=0,
        connections=1_000,
        connections_per_host=None,
        connections_by_host={},
        creation_rate=creation_rate,
        listeners={},
        idle_ms=TIME_LIMIT_S * 1000,
        first_frame_ms=TIME_LIMIT_S * 1000,
        send_stall_ms=TIME_LIMIT_S * 1000,
    )


class ModelBroker:
    def __init__(self, world: SimWorld, context: ssl.SSLContext | None) -> None:
        rng = world.rng.split("model broker")
        doors = world.client_doors(BROKER)
        file = doors.disk.open("/segment", create=True)
        file.write_at(0, CONTENT)
        self.service = ScriptedService(file)
        limits = some_limits(rng.one_of(POOLS_BYTES), rng.one_of(RATES))
        self.memory = RequestMemory(limits.request_memory_bytes)
        self.connections = Connections(limits, doors.clock, self.memory)
        #: None: after its last client.
        self._stops_after_s = rng.one_of((0.05, 0.5, 3.0)) if rng.chance(40) else None
        #: Who was left after the drain without such a coroutine.
        self.undrained: list[str] = []
        network = secured(doors.network, context)
        refusals = RefusalLog(doors.clock)
        parts = ServerParts(
            doors.clock, network, self.connections, self.memory, refusals, Tasks(), on_closed=lambda _: None
        )
        self._network = network
        self._make_connection = partial(Connection, parts, "CLIENTS", self.service.pipeline)

    async def run(self, clients: list[ScriptedClient]) -> list[str]:
        """What went wrong with the clients, all of which are gone then."""
        listener = await self._network.listen(BROKER, PORT, self._make_connection)
        await listener.start()
        sweeping = asyncio.ensure_future(self._sweep())
        stopping = asyncio.ensure_future(self._stop(listener))
        results = await asyncio.gather(*[client.run(BROKER, PORT) for client in clients], return_exceptions=True)
        await stopping
        # What the last client has sent to the broker may be on its way.
        await time_passes(60)
        sweeping.cancel()
        return [repr(error) for error in results if error is not None and not self._is_refusal(error)]

    def _is_refusal(self, error: BaseException) -> bool:
        return self.stops and isinstance(error, ConnectionRefusedError)

    async def _sweep(self) -> None:
        while True:
            await time_passes(1)
            self.connections.sweep()
            self.connections.bound_unsent_responses()

    async def _stop(self, listener: Listener) -> None:
        if self._stops_after_s is None:
            return
        await time_passes(self._stops_after_s)
        await listener.close()
        await self.connections.drain(DRAIN_S)
        busy = {host for (host, _), kind in self.service.in_progress.items() if kind is Kind.COROUTINE}
        self.undrained = [connection.peer_host for connection in self.connections if connection.peer_host not in busy]
        self.connections.abort_all()

    @property
    def stops(self) -> bool:
        """Before its clients do."""
        return self._stops_after_s is not None

    def what_is_left(self) -> dict[str, object]:
        left = {
            "connections when the broker stopped": self.undrained,
            "connections": len(self.connections),
            "request memory": self.memory.used_bytes,
            "waits for memory": self.memory.waiting_count,
            "goes ahead": self.memory._ahead,
            "in progress": self.service.in_progress,
        }
        return {name: value for name, value in left.items() if value}


def problems_of(client: ScriptedClient, broker: ModelBroker) -> list[str]:
    script = client.script
    served = broker.service.served[client.host]
    found = []
    if not script.expected.startswith(client.received):
        found.append(f"{client}: other responses than to its requests in their order")
    # The one that ends the connection may reach its handler.
    if served != list(range(len(served))) or len(served) > script.good_count + script.is_fatal:
        found.append(f"{client}: served {served}")
    has_everything = len(served) == script.good_count and client.received == script.expected
    if script.is_patient and not broker.stops and not has_everything:
        found.append(f"{client}: {len(served)} requests served, and not all responses sent")
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_connections_keep_order_and_give_everything_back(contexts: Contexts, seed: int) -> None:
    async def tell(world: SimWorld) -> None:
        broker = ModelBroker(world, contexts.server)
        clients = some_clients(world, contexts.client)
        problems = await broker.run(clients)
        for client in clients:
            problems += problems_of(client, broker)
        assert [*problems, *world.unhandled] == []
        assert broker.service.damaged == []
        assert broker.what_is_left() == {}

    told(tell, seeds=[seed])


def some_clients(world: SimWorld, context: ssl.SSLContext | None) -> list[ScriptedClient]:
    count = world.rng.split("clients").one_of((2, 6, 12))
    return [
        ScriptedClient(
            world.net, secured(world.client_doors(host).network, context), host, world.rng.split(host), CONTENT
        )
        for host in (f"client-{number}" for number in range(count))
    ]
