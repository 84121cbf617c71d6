"""A blocking Kafka client for tests that need exact versions: one connection, one request at a time, no retries."""

import struct
from types import TracebackType
from typing import Any

from ottla.model.error_codes import ErrorCode
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.message import Message
from tests.support.broker_process import BrokerProcess
from tests.support.waiting import eventually


class Wire:
    """`ask` gives the answer of the broker to one request in one version."""

    def __init__(self, broker: BrokerProcess, client_id: str = "test") -> None:
        self._socket = broker.connect()
        self._client_id = client_id
        self._correlation_id = 0

    def __enter__(self) -> "Wire":
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

    def send(self, request: Message, version: int) -> None:
        self._correlation_id += 1
        self._socket.sendall(encode_request(self._correlation_id, self._client_id, version, request))

    def receive(self, request: type[Message], version: int) -> Any:
        """The answer to the request that was sent last."""
        frame = self._read(struct.unpack(">i", self._read(4))[0])
        correlation_id, response = decode_response(request.API_KEY, version, frame)
        assert correlation_id == self._correlation_id
        return response

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
