"""TLS on the simulated network: both ends, large data, and certificates that are not for us."""

import asyncio
import contextlib
import gc
import ssl
import weakref
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from ottla.runtime.event_loop import new_event_loop
from ottla.runtime.network import SocketNetwork
from ottla.runtime.tls import TlsNetwork
from ottla.runtime.tls_context import TlsSettings, client_context
from ottla.sim.loop import SimLoop
from ottla.sim.network import SimNet, SimNetwork
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from ottla.sim.trace import Trace
from tests.support.certificates import Certificates
from tests.support.waiting import until


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


class EchoingOwner(asyncio.BufferedProtocol):
    """Keeps what it receives, and sends it back where it `echoes`: at the server.

    `last_words` are sent when the peer has ended its side, or later where it `lingers`. While it `pauses` it reads no
    more after each piece.
    """

    last_words = b""
    lingers = False
    pauses = False

    def __init__(self, network: Any, *, echoes: bool = False) -> None:
        self._network = network
        self._echoes = echoes
        self._buffer = bytearray(10_000)
        self.received = bytearray()
        self.link: Any = None
        self.is_lost = False
        self.has_ended = False
        self.size_at_end = 0
        self.changed = asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        self.link = self._network.link(transport)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.received += self._buffer[:nbytes]
        self.changed.set()
        if self.pauses:
            self.link.pause_reading()
        if self._echoes:
            self.link.send(bytes(self._buffer[:nbytes]))

    def eof_received(self) -> bool | None:
        self.has_ended = True
        self.size_at_end = len(self.received)
        self.changed.set()
        if self.last_words and not self.lingers:
            asyncio.get_running_loop().call_soon(self.say_last_words)
        return bool(self.last_words)

    def say_last_words(self) -> None:
        self.link.send(self.last_words)
        self.link.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        self.changed.set()

    def resume_writing(self) -> None:
        self.link.on_writable()

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self.changed.clear()
            await self.changed.wait()


Story = Callable[[TlsNetwork, list[EchoingOwner]], Coroutine[Any, Any, None]]


def play(certificate: Path, settings: TlsSettings, story: Story) -> None:
    for seed in range(3):
        loop = SimLoop(SimRng(seed))
        net = SimNet(loop, SimRng(seed), Trace(loop))

        async def scenario(net: SimNet = net, loop: SimLoop = loop) -> None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server = TlsNetwork(SimNetwork(net, "broker", SimProcess("broker", loop)), context)
            owners: list[EchoingOwner] = []

            def accept() -> EchoingOwner:
                owners.append(EchoingOwner(server, echoes=True))
                return owners[-1]

            await (await server.listen("", 9092, accept)).start()
            client = TlsNetwork(SimNetwork(net, "client", SimProcess("client", loop)), client_context(settings))
            async with asyncio.timeout(600):
                await story(client, owners)

        loop.run_until_complete(scenario())
        assert loop.unhandled == []
        loop.close()


def test_large_data_goes_both_ways(certificates: Certificates) -> None:
    data = bytes(range(256)) * 2000

    async def story(network: TlsNetwork, servers: list[EchoingOwner]) -> None:
        owner = EchoingOwner(network)
        await network.connect("broker", 9092, owner)
        owner.link.send_parts([data[:100], memoryview(data)[100:]])
        await owner.until(lambda: len(owner.received) == len(data))
        assert owner.received == data
        owner.link.close()
        await owner.until(lambda: owner.is_lost)
        await servers[0].until(lambda: servers[0].is_lost)

    certificate = certificates.certificate("broker", alternative_names="DNS:broker")
    play(certificate, TlsSettings(ca_file=str(certificates.ca)), story)


def test_who_gets_no_more_may_still_send(certificates: Certificates) -> None:
    async def story(network: TlsNetwork, servers: list[EchoingOwner]) -> None:
        owner = EchoingOwner(network)
        await network.connect("broker", 9092, owner)
        servers[0].last_words = b"good bye"

        # The end of the session in one direction; the connection below stays.
        with contextlib.suppress(ssl.SSLWantReadError):
            owner.link._tls.unwrap()
        owner.link._flush()

        await owner.until(lambda: owner.is_lost)
        assert owner.received == b"good bye"
        assert servers[0].has_ended

    certificate = certificates.certificate("broker", alternative_names="DNS:broker")
    play(certificate, TlsSettings(ca_file=str(certificates.ca)), story)


def test_what_comes_behind_the_end_takes_no_memory(certificates: Certificates) -> None:
    """Its owner may still have long to work on what came before the end."""

    async def story(network: TlsNetwork, servers: list[EchoingOwner]) -> None:
        owner = EchoingOwner(network)
        await network.connect("broker", 9092, owner)
        (server,) = servers
        server.last_words, server.lingers = b"good bye", True
        with contextlib.suppress(ssl.SSLWantReadError):
            owner.link._tls.unwrap()
        owner.link._flush()

        # More than the windows on the way can hold.
        owner.link._link.send(bytes(4 << 20))
        await until(lambda: not owner.link.unsent_size, what="a server that takes it")
        assert server.has_ended
        assert server.link._incoming.pending < 1 << 20
        server.say_last_words()

        await owner.until(lambda: owner.is_lost)
        assert owner.received == b"good bye"

    certificate = certificates.certificate("broker", alternative_names="DNS:broker")
    play(certificate, TlsSettings(ca_file=str(certificates.ca)), story)


def test_what_was_sent_before_the_end_comes_before_it(certificates: Certificates) -> None:
    """The owner has paused in the middle of what is decrypted together."""

    async def story(network: TlsNetwork, servers: list[EchoingOwner]) -> None:
        owner = EchoingOwner(network)
        await network.connect("broker", 9092, owner)
        owner.link.send(b"?")
        await owner.until(lambda: bool(owner.received))
        (server,) = servers
        # What it would send to a closed connection would end that.
        server.pauses, server._echoes = True, False

        owner.link.send(b"x" * 15_000)
        # As when its process ends: without the end of the session.
        owner.link._link.close()
        await until(lambda: len(server.received) > 1 and server.link._link.incoming.has_arrived, what="the end")
        assert len(server.received) < 15_001
        server.pauses = False
        server.link.resume_reading()

        await server.until(lambda: server.has_ended)
        assert server.size_at_end == 15_001

    certificate = certificates.certificate("broker", alternative_names="DNS:broker")
    play(certificate, TlsSettings(ca_file=str(certificates.ca)), story)


def test_a_certificate_for_another_host_is_refused(certificates: Certificates) -> None:
    async def story(network: TlsNetwork, servers: list[EchoingOwner]) -> None:
        with pytest.raises(ssl.SSLCertVerificationError, match=r"(?i)hostname mismatch"):
            await network.connect("broker", 9092, EchoingOwner(network))

    certificate = certificates.certificate("elsewhere", alternative_names="DNS:elsewhere")
    play(certificate, TlsSettings(ca_file=str(certificates.ca)), story)


def test_the_name_is_not_checked_where_that_is_asked_for(certificates: Certificates) -> None:
    async def story(network: TlsNetwork, servers: list[EchoingOwner]) -> None:
        await network.connect("broker", 9092, EchoingOwner(network))

    certificate = certificates.certificate("elsewhere", alternative_names="DNS:elsewhere")
    play(certificate, TlsSettings(ca_file=str(certificates.ca), checks_host_name=False), story)


def test_a_peer_that_speaks_no_tls_is_refused(certificates: Certificates) -> None:
    class Rude(EchoingOwner):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.link.send(b"HTTP/1.0 400 Bad Request\r\n\r\n")

    loop = SimLoop(SimRng(1))
    net = SimNet(loop, SimRng(1), Trace(loop))

    async def scenario() -> None:
        plain = SimNetwork(net, "broker", SimProcess("broker", loop))
        await (await plain.listen("", 9092, lambda: Rude(plain))).start()
        settings = TlsSettings(ca_file=str(certificates.ca))
        network = TlsNetwork(SimNetwork(net, "client", SimProcess("client", loop)), client_context(settings))
        with pytest.raises(ssl.SSLError):
            await network.connect("broker", 9092, EchoingOwner(network))

    loop.run_until_complete(scenario())
    loop.close()


def test_a_handshake_that_is_given_up_leaves_nothing(certificates: Certificates) -> None:
    """As when its time is up. The peer never says a word."""
    loop = SimLoop(SimRng(1))
    net = SimNet(loop, SimRng(1), Trace(loop))

    async def scenario() -> None:
        plain = SimNetwork(net, "broker", SimProcess("broker", loop))
        silent = EchoingOwner(plain)
        await (await plain.listen("", 9092, lambda: silent)).start()
        settings = TlsSettings(ca_file=str(certificates.ca))
        network = TlsNetwork(SimNetwork(net, "client", SimProcess("client", loop)), client_context(settings))
        owner = EchoingOwner(network)
        connecting = loop.create_task(network.connect("broker", 9092, owner))
        await silent.until(lambda: bool(silent.received))
        connecting.cancel()
        await silent.until(lambda: silent.is_lost)
        assert not owner.is_lost, "it was never made"

    loop.run_until_complete(scenario())
    assert loop.unhandled == []
    loop.close()


class ForgettingOwner(EchoingOwner):
    """Does not keep the link that it has lost, as connections do not."""

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.link = None


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_closed_connection_is_freed_without_the_collector(certificates: Certificates, is_trusted: bool) -> None:
    async def story() -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates.certificate("local", alternative_names="IP:127.0.0.1"))
        server = TlsNetwork(SocketNetwork(), context)
        accepted: list[weakref.ref[EchoingOwner]] = []

        def accept() -> EchoingOwner:
            owner = ForgettingOwner(server, echoes=True)
            accepted.append(weakref.ref(owner))
            return owner

        listener = await server.listen("127.0.0.1", 0, accept)
        await listener.start()
        settings = TlsSettings(ca_file=str(certificates.ca)) if is_trusted else TlsSettings()
        client = TlsNetwork(SocketNetwork(), client_context(settings))
        owner = EchoingOwner(client)
        if is_trusted:
            await client.connect("127.0.0.1", listener.port, owner)
            owner.link.send(b"hello")
            await owner.until(lambda: owner.received == b"hello")
            owner.link.close()
        else:
            with pytest.raises(ssl.SSLError):
                await client.connect("127.0.0.1", listener.port, owner)
        await until(lambda: accepted[0]() is None, what="a freed connection")
        await listener.close()

    gc.collect()
    gc.disable()
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(story())
    finally:
        gc.enable()
