"""A channel that logs in: before its first request, and again before its session ends."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.generated.sasl_authenticate_response import SaslAuthenticateResponse
from ottla.protocol.generated.sasl_handshake_response import SaslHandshakeResponse
from ottla.runtime.channel import Channel
from ottla.runtime.sasl_login import SaslLogin
from ottla.security.sasl import LoginFailed, PlainExchange
from ottla.sim.world import SimWorld
from tests.support.scripted_broker import HOST, PORT, SILENCE, ScriptedBroker
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

SESSION_MS = 10_000
HANDSHAKE, AUTHENTICATE = ApiKey.SASL_HANDSHAKE, ApiKey.SASL_AUTHENTICATE


class LoginStage:
    def __init__(self, world: SimWorld, broker: ScriptedBroker) -> None:
        self.world = world
        self.broker = broker
        self._doors = world.client_doors("client")
        broker.scripts[HANDSHAKE] = lambda header, request: SaslHandshakeResponse(mechanisms=["PLAIN"])
        broker.scripts[AUTHENTICATE] = lambda header, request: SaslAuthenticateResponse(session_lifetime_ms=SESSION_MS)

    async def connect(self) -> Channel:
        login = SaslLogin(lambda: PlainExchange("me", "secret"), self._doors.executor)
        return await Channel.connect(self._doors.network, HOST, PORT, login=login, request_timeout_ms=3000)

    def keys(self) -> list[int]:
        return [header.api_key for _, header, _ in self.broker.requests]


def play(story: Callable[[LoginStage], Awaitable[None]]) -> None:
    async def tell(world: SimWorld) -> None:
        await story(LoginStage(world, await ScriptedBroker(world).start()))

    told(tell, seeds=range(3))


def test_a_channel_logs_in_before_its_first_request() -> None:
    async def story(stage: LoginStage) -> None:
        channel = await stage.connect()
        await channel.ask(MetadataRequest(topics=[]))

        assert stage.keys() == [ApiKey.API_VERSIONS, HANDSHAKE, AUTHENTICATE, ApiKey.METADATA]
        assert stage.broker.requests[2][2].auth_bytes == b"\0me\0secret"
        channel.close()

    play(story)


def test_a_refused_login_says_why() -> None:
    async def story(stage: LoginStage) -> None:
        stage.broker.scripts[AUTHENTICATE] = lambda header, request: SaslAuthenticateResponse(58, "no such user")
        with pytest.raises(LoginFailed, match="refused the PLAIN login: no such user"):
            await stage.connect()
        stage.broker.scripts[HANDSHAKE] = lambda header, request: SaslHandshakeResponse(33, ["GSSAPI", "OAUTHBEARER"])
        with pytest.raises(LoginFailed, match="does not offer PLAIN; it offers GSSAPI, OAUTHBEARER"):
            await stage.connect()

    play(story)


def test_the_session_is_renewed_again_and_again_before_it_ends() -> None:
    async def story(stage: LoginStage) -> None:
        channel = await stage.connect()
        await time_passes(3.5 * SESSION_MS / 1000)

        assert stage.keys().count(HANDSHAKE) == 5
        times = stage.broker.times(AUTHENTICATE)
        assert times[1] - times[0] < SESSION_MS / 1000, "in virtual time"
        assert channel.is_open
        channel.close()

    play(story)


def test_requests_wait_while_the_session_is_renewed() -> None:
    async def story(stage: LoginStage) -> None:
        responses: list[Any] = []
        channel = await stage.connect()

        def slowly(header: Any, request: Any) -> Any:
            # Sent while the broker is busy with the login: it would take nothing else now.
            responses.extend(channel.send(MetadataRequest(topics=[])) for _ in range(3))
            return SaslHandshakeResponse(mechanisms=["PLAIN"])

        stage.broker.scripts[HANDSHAKE] = slowly
        await time_passes(SESSION_MS / 1000)

        assert stage.keys()[3:] == [HANDSHAKE, AUTHENTICATE, *[ApiKey.METADATA] * 3]
        assert [response.result().cluster_id for response in responses] == ["scripted"] * 3
        channel.close()

    play(story)


@pytest.mark.parametrize("failure", [SaslAuthenticateResponse(58, "expired"), SILENCE])
def test_a_session_that_cannot_be_renewed_ends_the_channel(failure: Any) -> None:
    async def story(stage: LoginStage) -> None:
        channel = await stage.connect()
        stage.broker.scripts[AUTHENTICATE] = lambda header, request: failure
        await time_passes(SESSION_MS / 1000 + 5)

        assert not channel.is_open

    play(story)


def test_closing_while_the_session_is_renewed_leaves_nothing_behind() -> None:
    async def story(stage: LoginStage) -> None:
        channel = await stage.connect()
        stage.broker.scripts[HANDSHAKE] = lambda header, request: SILENCE
        await time_passes(0.9 * SESSION_MS / 1000)
        held = channel.send(MetadataRequest(topics=[]))

        channel.close()
        await channel.closed()

        with pytest.raises(ConnectionError):
            await held

    play(story)
