"""The outgoing connection, against a scripted peer on the simulated network."""

import asyncio
import struct
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.exchange import decode_request, encode_response
from ottla.protocol.generated.api_versions_response import ApiKeys, ApiVersionsResponse
from ottla.protocol.generated.list_offsets_request import ListOffsetsRequest
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.generated.metadata_response import Brokers, MetadataResponse
from ottla.protocol.header import RequestHeader, read_request_header
from ottla.protocol.message import Message
from ottla.runtime.channel import Channel, RequestTimedOut, UnsupportedVersion
from ottla.sim.loop import SimLoop
from ottla.sim.network import SimNet, SimNetwork
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from ottla.sim.trace import Trace

Answer = Callable[[RequestHeader, Message | None], bytes | None]
VERSIONS = [ApiKeys(18, 0, 4), ApiKeys(3, 0, 12)]


def api_versions(header: RequestHeader) -> bytes:
    response = ApiVersionsResponse(api_keys=VERSIONS)
    return bytes(encode_response(header.correlation_id, 18, header.api_version, response))


class ScriptedPeer(asyncio.BufferedProtocol):
    """Reads frames and answers each with what the script says."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._buffer = bytearray(4096)
        self._got = bytearray()
        self.headers: list[RequestHeader] = []
        self._heard = asyncio.Event()
        self.transport: Any

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._got += self._buffer[:nbytes]
        while len(self._got) >= 4:
            (size,) = struct.unpack_from(">i", self._got)
            if len(self._got) < 4 + size:
                return
            frame = bytes(self._got[4 : 4 + size])
            del self._got[: 4 + size]
            self._on_frame(frame)

    async def has_heard(self) -> None:
        """Until there is another request."""
        self._heard.clear()
        await self._heard.wait()

    def _on_frame(self, frame: bytes) -> None:
        header, position = read_request_header(frame)
        self.headers.append(header)
        self._heard.set()
        body = decode_request(header.api_key, header.api_version, frame, position)
        answer = self._answer(header, body)
        if answer is None and header.api_key == 18:
            answer = api_versions(header)
        if answer:
            self.transport.send(answer)


def play(answer: Answer, story: Callable[[Channel, ScriptedPeer], Coroutine[Any, Any, None]], **options: Any) -> None:
    for seed in range(4):
        loop = SimLoop(SimRng(seed))
        net = SimNet(loop, SimRng(seed), Trace(loop))
        peer = ScriptedPeer(answer)

        async def scenario(net: SimNet = net, loop: SimLoop = loop, peer: ScriptedPeer = peer) -> None:
            listener = await SimNetwork(net, "broker", SimProcess("broker", loop)).listen("", 9092, lambda: peer)
            await listener.start()
            network = SimNetwork(net, "client", SimProcess("client", loop))
            channel = await Channel.connect(network, "broker", 9092, client_id="me", **options)
            await story(channel, peer)
            channel.close()
            await channel.closed()

        loop.run_until_complete(scenario())
        assert loop.unhandled == []
        loop.close()


async def metadata_of(answer: "asyncio.Future[Message]") -> MetadataResponse:
    response = await answer
    assert isinstance(response, MetadataResponse)
    return response


def metadata_answer(header: RequestHeader, body: Message | None) -> bytes | None:
    if header.api_key != 3:
        return None
    response = MetadataResponse(cluster_id=f"answer {header.correlation_id}")
    return bytes(encode_response(header.correlation_id, 3, header.api_version, response))


def test_the_newest_version_that_both_know_is_used() -> None:
    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        response = await channel.ask(MetadataRequest())

        assert response.cluster_id == "answer 1"
        assert peer.headers[-1] == RequestHeader(3, 12, 1, "me")

    play(metadata_answer, story)


def test_pipelined_requests_are_answered_in_order() -> None:
    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        answers = [channel.send(MetadataRequest()) for _ in range(10)]

        assert channel.in_flight_count == 10
        assert [(await metadata_of(answer)).cluster_id for answer in answers] == [f"answer {i}" for i in range(1, 11)]

    play(metadata_answer, story)


def test_an_old_broker_that_refuses_our_version_is_asked_in_its_own() -> None:
    def answer(header: RequestHeader, body: Message | None) -> bytes | None:
        if header.api_key != 18:
            return metadata_answer(header, body)
        code = 35 if header.api_version > 2 else 0
        version = 0 if code else header.api_version
        response = ApiVersionsResponse(error_code=code, api_keys=[ApiKeys(18, 0, 2), ApiKeys(3, 0, 1)])
        return bytes(encode_response(header.correlation_id, 18, version, response))

    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        assert [header.api_version for header in peer.headers] == [4, 2]
        assert channel.version_for(MetadataRequest) == 1

    play(answer, story)


def test_an_api_that_the_broker_does_not_serve_is_not_asked_for() -> None:
    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        with pytest.raises(UnsupportedVersion, match="does not serve ListOffsets"):
            await channel.ask(ListOffsetsRequest())

    play(metadata_answer, story)


def test_a_request_without_an_answer_times_out_and_closes_the_channel() -> None:
    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(RequestTimedOut):
            await channel.ask(MetadataRequest(), timeout_ms=700)
        assert loop.time() - began == pytest.approx(0.7)
        assert not channel.is_open
        with pytest.raises(ConnectionError):
            await channel.ask(MetadataRequest())

    play(lambda header, body: None, story)


@pytest.mark.parametrize("size", [-1, 3, 2000])
def test_an_impossible_frame_size_closes_the_channel(size: int) -> None:
    def answer(header: RequestHeader, body: Message | None) -> bytes | None:
        return struct.pack(">i", size) + bytes(10) if header.api_key == 3 else None

    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        with pytest.raises(RemoteProtocolError, match="frame of"):
            await channel.ask(MetadataRequest())
        assert not channel.is_open

    play(answer, story, max_frame_bytes=1999)


def test_a_wrong_correlation_id_closes_the_channel() -> None:
    def answer(header: RequestHeader, body: Message | None) -> bytes | None:
        return metadata_answer(header._replace(correlation_id=77), body)

    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        with pytest.raises(RemoteProtocolError, match="response 77 where 1 was due"):
            await channel.ask(MetadataRequest())

    play(answer, story)


def test_a_lost_connection_ends_all_that_wait() -> None:
    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        answers = [channel.send(MetadataRequest()) for _ in range(3)]
        while sum(header.api_key == MetadataRequest.API_KEY for header in peer.headers) < 3:
            await peer.has_heard()
        peer.transport.abort()
        for answer in answers:
            with pytest.raises(ConnectionError):
                await answer

    play(lambda header, body: None, story)


def test_a_large_answer_arrives_whole() -> None:
    brokers = [Brokers(node_id=i, host="x" * 1000) for i in range(300)]

    def answer(header: RequestHeader, body: Message | None) -> bytes | None:
        if header.api_key != 3:
            return None
        response = MetadataResponse(brokers=brokers)
        return bytes(encode_response(header.correlation_id, 3, header.api_version, response))

    async def story(channel: Channel, peer: ScriptedPeer) -> None:
        answers = [channel.send(MetadataRequest()) for _ in range(3)]
        for waiting in answers:
            assert (await metadata_of(waiting)).brokers == brokers

    play(answer, story)


def test_no_broker_is_an_os_error() -> None:
    loop = SimLoop(SimRng(1))
    net = SimNet(loop, SimRng(1), Trace(loop))
    network = SimNetwork(net, "client", SimProcess("client", loop))

    with pytest.raises(ConnectionRefusedError):
        loop.run_until_complete(Channel.connect(network, "broker", 9092))
    loop.close()
