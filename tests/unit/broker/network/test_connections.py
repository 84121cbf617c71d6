"""Who may connect, who has to wait, who must go."""

from typing import Any, cast

import pytest

from ottla.broker.network.connection import Connection
from ottla.broker.network.connections import Connections
from ottla.broker.network.limits import Limits, host_limits, limits_of
from ottla.broker.network.request_memory import RequestMemory, State
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import plan_listeners
from ottla.doors.machine import Machine
from ottla.model.addresses import is_loopback_address
from ottla.model.errors import InvalidConfig
from tests.support.clocks import HandClock

MIB = 1 << 20
TWO_LISTENERS = {
    "listeners": "CLIENT://127.0.0.1:9092,NODES://127.0.0.1:9093,CONTROLLER://127.0.0.1:9094",
    "listener.security.protocol.map": "CLIENT:PLAINTEXT,NODES:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "NODES",
    "controller.listener.names": "CONTROLLER",
}


class SeenConnection:
    """What `Connections` sees of a connection."""

    def __init__(self, host: str = "10.0.0.1", listener: str = "PLAINTEXT", now_ms: int = 0) -> None:
        self.peer_host = host
        self.listener_name = listener
        self.is_working = False
        self.has_sent_request = True
        self.is_active = False
        self.opened_ms = self.last_active_ms = self.last_progress_ms = now_ms
        self.unsent = 0
        #: Of that, in memory.
        self.held = 0
        self.peer_port = 50_000
        self.buffered = 0
        self.end: str | None = None
        self.spare_was_released = False

    def take_activity(self) -> bool:
        was_active = self.is_active
        self.is_active = False
        return was_active

    def held_size(self) -> int:
        return self.held

    def unsent_size(self) -> int:
        return self.unsent

    def request_state(self) -> State:
        return State(None, 0, self.buffered)

    def close(self, reason: str) -> None:
        self.end = reason

    def abort(self) -> None:
        self.end = "aborted"

    def release_spare_memory(self) -> None:
        self.spare_was_released = True

    def memory_granted(self, size: int) -> None:
        pass


class Door:
    """The connections of a node with these settings."""

    def __init__(self, **settings: str) -> None:
        self._settings = {name.replace("_", "."): text for name, text in settings.items()}
        self.clock = HandClock(0)
        self.memory = RequestMemory(MIB)
        self.connections = Connections(self._limits(), self.clock, self.memory)

    def _limits(self, machine: Machine = Machine()) -> Limits:  # noqa: B008  a tuple cannot change
        options = BrokerOptions(self._settings)
        return limits_of(options, machine, plan_listeners(options))

    def now_has(self, **settings: str) -> None:
        self._settings.update({name.replace("_", "."): text for name, text in settings.items()})
        self.connections.set_limits(self._limits())

    def opens(self, peer: SeenConnection) -> str | int:
        """The refusal, or how long it waits."""
        refusal, delay_ms = self.connections.admit(cast(Connection, peer))
        return refusal if refusal is not None else delay_ms

    def forgets(self, peer: SeenConnection) -> None:
        self.connections.forget(cast(Connection, peer))

    def time_passes(self, span_ms: int) -> None:
        self.clock.wall_ms += span_ms
        self.connections.sweep()


def limits_with(settings: dict[str, str], machine: Machine | None = None) -> Limits:
    options = BrokerOptions(settings)
    return limits_of(options, machine or Machine(), plan_listeners(options))


# -- the numbers


def test_unset_limits_follow_the_machine() -> None:
    limits = limits_with({}, Machine(memory_bytes=1000 * MIB, open_files=3000))

    assert limits.connections == 1500
    assert limits.request_memory_bytes == 250 * MIB
    assert limits.unsent_response_bytes == 100 * MIB


def test_limits_that_are_set_count_as_they_are() -> None:
    settings = {"max.connections": "70000", "queued.max.request.bytes": "5", "ottla.request.memory.max.percent": "50"}
    limits = limits_with(settings, Machine(memory_bytes=1000 * MIB, open_files=100_000))

    assert limits.connections == 70_000
    assert limits.request_memory_bytes == 5


def test_connections_leave_some_of_the_open_files_to_the_log() -> None:
    limits = limits_with({"max.connections": "70000"}, Machine(memory_bytes=1000 * MIB, open_files=512))

    assert limits.connections == 512 - 64 - 128


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_loopback_is_free_of_the_default_per_address_but_not_of_one_that_is_set(host: str) -> None:
    assert is_loopback_address(host)
    assert limits_with({}).for_host(host) is None
    assert limits_with({}).for_host("10.0.0.1") == 1000
    assert limits_with({"max.connections.per.ip": "3"}).for_host(host) == 3


def test_single_addresses_have_limits_of_their_own() -> None:
    assert host_limits("") == {}
    assert host_limits("10.0.0.1:5, [fe80::1]:6,::1:7") == {"10.0.0.1": 5, "fe80::1": 6, "::1": 7}


def test_a_wrong_limit_of_a_listener_is_named_at_the_start() -> None:
    with pytest.raises(InvalidConfig, match=r"listener\.name\.plaintext\.max\.connections"):
        BrokerOptions({"listener.name.plaintext.max.connections": "many"})


# -- who may connect


def test_the_whole_node_has_a_limit_and_a_place_that_is_free_again_is_given_away() -> None:
    door = Door(max_connections="2")
    peers = [SeenConnection(), SeenConnection(), SeenConnection()]
    assert [door.opens(peer) for peer in peers] == [0, 0, "there are 2 connections already (max.connections)"]

    door.forgets(peers[0])

    assert door.opens(peers[2]) == 0
    assert door.connections.refused_count == 1


def test_one_address_has_a_limit_and_others_do_not_suffer() -> None:
    door = Door(max_connections_per_ip="1", max_connections_per_ip_overrides="10.0.0.9:2")
    assert door.opens(SeenConnection("10.0.0.1")) == 0
    assert door.opens(SeenConnection("10.0.0.1")) == "10.0.0.1 has 1 connections already (max.connections.per.ip)"
    assert door.opens(SeenConnection("10.0.0.2")) == 0
    assert [type(door.opens(SeenConnection("10.0.0.9"))) for _ in range(3)] == [int, int, str]


def test_a_listener_has_a_limit_of_its_own() -> None:
    door = Door(**{**TWO_LISTENERS, "listener.name.client.max.connections": "1"})
    assert door.opens(SeenConnection(listener="CLIENT")) == 0

    refusal = "there are 1 connections already (listener.name.client.max.connections)"
    assert door.opens(SeenConnection(listener="CLIENT")) == refusal
    assert door.opens(SeenConnection(listener="NODES")) == 0


def test_nodes_find_a_place_even_when_clients_have_taken_all_of_them() -> None:
    door = Door(**TWO_LISTENERS, max_connections="2")
    silent, lively = SeenConnection(listener="CLIENT"), SeenConnection(listener="CLIENT")
    lively.last_active_ms = 5
    for client in (silent, lively):
        assert door.opens(client) == 0

    assert door.opens(SeenConnection(listener="NODES")) == 0

    assert silent.end == "more connections than max.connections"
    assert lively.end is None
    assert door.opens(SeenConnection(listener="CONTROLLER")) == 0


def test_a_lower_limit_counts_at_once() -> None:
    door = Door()
    peers = [SeenConnection(now_ms=number) for number in range(4)]
    for peer in peers:
        assert door.opens(peer) == 0

    door.now_has(max_connections="2", max_connections_per_ip="3")

    assert [peer.end is not None for peer in peers] == [True, True, False, False]
    assert "max.connections" in str(door.opens(SeenConnection()))


def test_too_many_new_connections_wait_and_with_a_long_queue_are_refused() -> None:
    door = Door(max_connection_creation_rate="2")

    answers: list[Any] = [door.opens(SeenConnection(f"10.0.0.{number}")) for number in range(30)]

    assert answers[:5] == [0, 0, 500, 1000, 1500]
    waits = [answer for answer in answers if isinstance(answer, int)]
    assert max(waits) == 10_000
    assert answers[len(waits) :] == ["too many new connections (max.connection.creation.rate)"] * (30 - len(waits))
    door.clock.wall_ms += 20_000
    assert door.opens(SeenConnection()) == 0


def test_a_listener_has_a_rate_of_its_own_and_nodes_do_not_wait_behind_clients() -> None:
    settings = {"max.connection.creation.rate": "1", "listener.name.nodes.max.connection.creation.rate": "2"}
    door = Door(**{**TWO_LISTENERS, **settings})
    assert [door.opens(SeenConnection(listener="CLIENT")) for _ in range(3)] == [0, 1000, 2000]

    assert [door.opens(SeenConnection(listener="NODES")) for _ in range(3)] == [0, 0, 500]


# -- who must go


def test_a_connection_without_a_request_is_closed() -> None:
    door = Door()
    mute, honest = SeenConnection(), SeenConnection()
    mute.has_sent_request = False
    for peer in (mute, honest):
        door.opens(peer)

    door.time_passes(9_999)
    assert mute.end is None
    door.time_passes(2)

    assert mute.end == "no request since it was opened (ottla.first.request.timeout.ms)"
    assert honest.end is None
    assert honest.spare_was_released


def test_a_large_first_request_may_take_longer_while_it_keeps_coming() -> None:
    door = Door()
    coming, stopped = SeenConnection(), SeenConnection()
    for peer in (coming, stopped):
        peer.has_sent_request = False
        peer.buffered = 40_000
        door.opens(peer)

    for _ in range(5):
        coming.is_active = True
        door.time_passes(5_000)

    assert coming.end is None
    assert stopped.end == "no request since it was opened (ottla.first.request.timeout.ms)"


def test_a_peer_whose_first_request_waits_for_memory_is_not_mute() -> None:
    door = Door()
    waiting = SeenConnection()
    waiting.has_sent_request = False
    door.opens(waiting)
    holder, held = cast(Connection, SeenConnection()), cast(Connection, waiting)
    assert door.memory.take(holder, 2 * MIB)
    assert not door.memory.take(held, 2 * MIB)

    door.time_passes(60_000)

    assert waiting.end is None


@pytest.mark.parametrize("has_sent_request", [False, True])
def test_a_peer_that_has_waited_for_memory_is_given_time_to_go_on(has_sent_request: bool) -> None:
    """It could not be active while it was not read."""
    door = Door(connections_max_idle_ms="30000")
    waiting = SeenConnection()
    waiting.has_sent_request = has_sent_request
    waiting.buffered = 40_000
    door.opens(waiting)
    holder, held = cast(Connection, SeenConnection()), cast(Connection, waiting)
    assert door.memory.take(holder, 2 * MIB)
    assert not door.memory.take(held, 2 * MIB)
    door.time_passes(60_000)

    door.memory.give_back(holder)
    door.time_passes(1_000)

    assert not door.memory.is_waiting(held)
    assert waiting.end is None
    door.time_passes(30_000)
    assert waiting.end is not None, "nor is it given more"


def test_a_peer_that_takes_nothing_is_cut_and_one_that_takes_a_byte_stays() -> None:
    door = Door(ottla_send_stall_timeout_ms="1000")
    deaf, slow = SeenConnection(), SeenConnection()
    for peer in (deaf, slow):
        peer.unsent = 5000
        door.opens(peer)

    for _ in range(5):
        slow.unsent -= 1
        door.time_passes(300)

    assert deaf.end == "aborted"
    assert slow.end is None


def test_an_idle_connection_is_closed_unless_it_waits_for_an_answer() -> None:
    door = Door(connections_max_idle_ms="60000")
    idle, working = SeenConnection(), SeenConnection()
    working.is_working = True
    for peer in (idle, working):
        door.opens(peer)

    door.time_passes(60_001)

    assert idle.end == "idle for 60 s (connections.max.idle.ms)"
    assert working.end is None


def test_a_connection_is_idle_from_its_response_on() -> None:
    """A member of a group has waited for long, a slow reader has read for long: both have just got their responses."""
    door = Door(connections_max_idle_ms="60000")
    working, reading = SeenConnection(), SeenConnection()
    working.is_working = True
    reading.unsent = 1000
    for peer in (working, reading):
        door.opens(peer)
    for _ in range(7):
        reading.unsent -= 100
        door.time_passes(10_000)

    working.is_working = False
    reading.unsent = 0
    door.time_passes(1)
    assert (working.end, reading.end) == (None, None)

    door.time_passes(60_000)
    assert working.end == reading.end == "idle for 60 s (connections.max.idle.ms)"


def test_time_limits_are_looked_at_often_enough() -> None:
    assert limits_with({}).sweep_ms == 2500
    assert limits_with({"ottla.send.stall.timeout.ms": "400"}).sweep_ms == 100
    assert limits_with({"connections.max.idle.ms": "1"}).sweep_ms == 50


# -- answers that nobody takes


def holding(door: Door, *sizes: int) -> list[SeenConnection]:
    peers = []
    for size in sizes:
        peer = SeenConnection()
        door.opens(peer)
        peer.unsent = peer.held = size
        peers.append(peer)
    return peers


def ends(peers: list[SeenConnection]) -> list[bool]:
    return [peer.end is not None for peer in peers]


def test_unsent_responses_within_the_limit_are_left_alone() -> None:
    door = Door(ottla_unsent_responses_max_bytes="1000")
    peers = holding(door, 500, 500)

    door.connections.bound_unsent_responses()

    assert ends(peers) == [False, False]


def test_beyond_the_limit_those_go_that_took_the_least(caplog: pytest.LogCaptureFixture) -> None:
    door = Door(ottla_unsent_responses_max_bytes="1500")
    peers = holding(door, 500, 500, 500)
    door.connections.bound_unsent_responses()
    peers[0].held = peers[0].unsent = 490
    peers[2].held = peers[2].unsent = 499
    peers += holding(door, 400, 20)

    door.connections.bound_unsent_responses()

    assert ends(peers) == [False, True, False, False, False], "1 took nothing; the last two have only just come"
    assert "use 0 MiB, the limit is 0" in caplog.text
    assert "reads its responses the slowest" in caplog.text


def test_of_equals_the_one_that_holds_most_goes() -> None:
    door = Door(ottla_unsent_responses_max_bytes="1000")
    peers = holding(door, 300, 500, 400)

    door.connections.bound_unsent_responses()

    assert ends(peers) == [False, True, False]


def test_parts_of_files_cost_nothing() -> None:
    door = Door(ottla_unsent_responses_max_bytes="1000")
    (consumer,) = holding(door, 50 * MIB)
    consumer.held = 60

    door.connections.bound_unsent_responses()

    assert consumer.end is None


def test_a_smaller_limit_counts_at_once() -> None:
    door = Door(ottla_unsent_responses_max_bytes="1000")
    peers = holding(door, 600)
    door.now_has(ottla_unsent_responses_max_bytes="500")

    door.connections.bound_unsent_responses()

    assert ends(peers) == [True]
