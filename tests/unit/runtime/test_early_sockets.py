"""A port can be taken before the program behind it is loaded; what nobody takes over is given back."""

import asyncio
import socket
from typing import Any

from ottla.runtime.early_sockets import EarlySockets
from ottla.runtime.network import SocketNetwork
from tests.support.ports import free_port


class _Greeter(asyncio.BufferedProtocol):
    """Says one word to everybody who comes."""

    def connection_made(self, transport: Any) -> None:
        SocketNetwork().link(transport).send(b"hello")

    def get_buffer(self, sizehint: int) -> bytearray:
        return bytearray(16)


def test_a_client_that_came_early_is_served_once_the_node_accepts() -> None:
    async def scenario(port: int, early: EarlySockets, client: socket.socket) -> bytes:
        listener = await SocketNetwork(early=early).listen("127.0.0.1", port, _Greeter)
        await listener.start()
        client.setblocking(False)
        said = await asyncio.wait_for(asyncio.get_running_loop().sock_recv(client, 16), 10)
        await listener.close()
        return said

    port = free_port()
    with EarlySockets([("127.0.0.1", port)]) as early, socket.create_connection(("127.0.0.1", port)) as client:
        assert asyncio.run(scenario(port, early, client)) == b"hello"
        assert not early.holds("127.0.0.1", port)


def test_what_nobody_takes_is_given_back() -> None:
    port = free_port()
    with EarlySockets([("127.0.0.1", port)]) as early:
        assert early.holds("127.0.0.1", port)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))


def test_a_port_of_somebody_else_is_left_to_the_ordinary_check() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert not EarlySockets([("127.0.0.1", port)]).holds("127.0.0.1", port)
