"""Connections inside one machine are not paced; those to other machines get what the system has chosen."""

import socket
import sys
from collections.abc import Iterator

import pytest

from ottla.runtime import congestion
from ottla.runtime.congestion import prepare_connecting, prepare_listening, settle_accepted

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has TCP_CONGESTION")


class NotedSocket(socket.socket):
    """Notes what is chosen for it: a system need not have the algorithm."""

    chosen: str | None = None

    def setsockopt(self, level: int, name: int, value: bytes) -> None:  # type: ignore[override]
        assert (level, name) == (socket.IPPROTO_TCP, socket.TCP_CONGESTION)
        self.chosen = value.decode()


@pytest.fixture
def noted() -> Iterator[NotedSocket]:
    with NotedSocket() as sock:
        yield sock


@pytest.fixture(params=["bbr", "bbr2"])
def pacing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    choice: str = request.param
    monkeypatch.setattr(congestion, "_system_choice", lambda: choice.encode())
    return choice


@pytest.fixture
def no_pacing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(congestion, "_system_choice", lambda: b"cubic")


def algorithm_of(sock: socket.socket) -> bytes:
    return sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).rstrip(b"\0")


def test_a_connection_starts_with_what_its_listening_socket_has(pacing: str) -> None:
    with socket.socket() as listening:
        prepare_listening(listening)
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        with socket.create_connection(listening.getsockname()):
            accepted, address = listening.accept()
    with accepted:
        settle_accepted(accepted, address[0])

        assert algorithm_of(accepted) == b"reno"


def test_a_peer_on_another_machine_gets_what_the_system_has_chosen(pacing: str, noted: NotedSocket) -> None:
    settle_accepted(noted, "192.0.2.1")

    assert noted.chosen == pacing


@pytest.mark.parametrize(("host", "chosen"), [("127.0.0.1", "reno"), ("::1", "reno"), ("192.0.2.1", None)])
def test_only_what_connects_inside_the_machine_is_changed(
    host: str, chosen: str | None, pacing: str, noted: NotedSocket
) -> None:
    prepare_connecting(noted, host)

    assert noted.chosen == chosen


def test_any_other_choice_of_the_system_is_left_alone(no_pacing: None, noted: NotedSocket) -> None:
    prepare_listening(noted)
    prepare_connecting(noted, "127.0.0.1")
    settle_accepted(noted, "192.0.2.1")

    assert noted.chosen is None
