"""Kafka's framing of a SASL login on a channel: SaslHandshake, then SaslAuthenticate until the exchange is complete."""

from collections.abc import Awaitable, Callable
from typing import Any

from ottla.doors.executor import Executor
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.sasl_authenticate_request import SaslAuthenticateRequest
from ottla.protocol.generated.sasl_handshake_request import SaslHandshakeRequest
from ottla.protocol.message import Message
from ottla.security.sasl import LoginFailed, SaslExchange

#: SaslHandshake v1 announces SaslAuthenticate requests; v0 would be followed by bytes without a Kafka header.
_HANDSHAKE_VERSION = 1
Ask = Callable[[Message, int | None], Awaitable[Any]]


class SaslLogin:
    """Shared by all channels of one client; each login uses a new exchange."""

    def __init__(self, new_exchange: Callable[[], SaslExchange], executor: Executor) -> None:
        self._new_exchange = new_exchange
        self._executor = executor

    async def log_in(self, ask: Ask) -> int:
        """The lifetime of the session in milliseconds; 0 means that it does not end. Raises LoginFailed."""
        exchange = self._new_exchange()
        handshake = await ask(SaslHandshakeRequest(mechanism=exchange.mechanism), _HANDSHAKE_VERSION)
        if handshake.error_code:
            raise LoginFailed(_handshake_problem(exchange.mechanism, handshake))
        message: bytes | None = exchange.first_message()
        lifetime_ms = 0
        while message is not None:
            response = await ask(SaslAuthenticateRequest(auth_bytes=message), None)
            if response.error_code:
                reason = response.error_message or ErrorCode(response.error_code).name
                raise LoginFailed(f"the broker refused the {exchange.mechanism} login: {reason}")
            lifetime_ms = response.session_lifetime_ms
            # The password is hashed thousands of times: not on the event loop.
            message = await self._executor.run(exchange.next_message, response.auth_bytes)
        return lifetime_ms


def _handshake_problem(mechanism: str, response: Any) -> str:
    if response.error_code == ErrorCode.UNSUPPORTED_SASL_MECHANISM:
        return f"the broker does not offer {mechanism}; it offers {', '.join(response.mechanisms) or 'no mechanism'}"
    return f"the broker refused SaslHandshake: {ErrorCode(response.error_code).name}"
