"""The broker of the testing kit, for tests that speak to it byte by byte and need no process of their own."""

import socket
from types import TracebackType
from typing import Protocol

from ottla.testing import Broker
from tests.support.broker_process import ANSWER_TIMEOUT_S


class AnyBroker(Protocol):
    """Where clients connect to: a `KitBroker` or a `BrokerProcess`."""

    @property
    def address(self) -> str: ...

    def connect(self) -> socket.socket: ...


class KitBroker:
    """Starts in milliseconds, with data in memory. Underscores in the names of settings stand for dots."""

    def __init__(self, **settings: str) -> None:
        self._broker = Broker(config={name.replace("_", "."): value for name, value in settings.items()})
        self.address = self._broker.bootstrap

    def connect(self) -> socket.socket:
        host, port = self.address.split(":")
        return socket.create_connection((host, int(port)), ANSWER_TIMEOUT_S)

    def __enter__(self) -> "KitBroker":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._broker.close()
