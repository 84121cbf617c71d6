"""A blocking Kafka client for tests that need exact versions: one connection, one request at a time, no retries."""

import socket
import struct
from types import TracebackType
from typing import Any, Self

from ottla.model.error_codes import ErrorCode
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.message import Message
from tests.support.kit_broker import AnyBroker
from tests.support.waiting import eventually


class Wire:
    """`ask` gives the response of the broker to one request in one version."""

    def __init__(self, broker: AnyBroker, client_id: str = "test") -> None:
        self._socket = broker.connect()
        self._client_id = client_id
        self._correlation_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def ask(self, request: Message, version: int) -> Any:
        self.send(request, version)
        return self.receive(type(request), version)

    def send_bytes(self, data: bytes | bytearray) -> None:
        """Whatever they are; the responses are read with `next_response`."""
        self._socket.sendall(data)

    def finish_sending(self) -> None:
        """The broker is told that nothing more will come; it may still respond."""
        self._socket.shutdown(socket.SHUT_WR)

    def send(self, request: Message, version: int, *, and_bytes: bytes = b"") -> None:
        """`and_bytes` go out behind it, in the same piece."""
        self._correlation_id += 1
        self._socket.sendall(encode_request(self._correlation_id, self._client_id, version, request) + and_bytes)

    def receive(self, request: type[Message], version: int) -> Any:
        """The response to the request that was sent last."""
        correlation_id, response = self._next(request.API_KEY, version)
        assert correlation_id == self._correlation_id
        return response

    def next_response(self, request: type[Message], version: int) -> Any:
        """The response to the first of several requests that has none yet."""
        return self._next(request.API_KEY, version)[1]

    def _next(self, api_key: int, version: int) -> tuple[int, Any]:
        frame = self._read(struct.unpack(">i", self._read(4))[0])
        return decode_response(api_key, version, frame)

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise ConnectionError("the broker has closed the connection")
            data += part
        return bytes(data)


def await_coordinator(wire: Wire) -> None:
    """Of groups. Its topic is made when it is first asked for."""
    asked = FindCoordinatorRequest(key="g", key_type=0)
    eventually(lambda: wire.ask(asked, 2).error_code == ErrorCode.NONE, what="a coordinator")
