"""The pool of request memory: who may grow, who waits, and that nobody waits for ever."""

import random

import pytest

from ottla.broker.network.request_memory import FREE_BYTES, RequestMemory, State

KIB = 1024
MIB = 1024 * KIB


class ReadingConnection:
    """A connection that reads one request after another, as large as it is told."""

    def __init__(self, memory: RequestMemory, host: str = "10.0.0.1") -> None:
        self._memory = memory
        self.peer_host = host
        self.size = 4 * KIB
        self.is_waiting = False
        self.is_idle = True
        self.is_aborted = False
        self.state = State(None, 0, 0)

    def reads_up_to(self, size: int) -> bool:
        """Grows step by step as bytes arrive; False when it has to wait on the way."""
        self.is_idle = False
        while self.size < size:
            larger = self._memory.larger_size(self.size, size)
            if larger > FREE_BYTES and not self._memory.take(self, larger):
                self.is_waiting = True
                return False
            self.size = larger
        return True

    def is_answered(self) -> None:
        self.is_idle = True
        self._memory.response_sent(self)

    def leaves(self) -> None:
        self.is_waiting = False
        self._memory.give_back(self)

    def memory_granted(self, size: int) -> None:
        assert self.is_waiting
        self.is_waiting = False
        self.size = size

    def release_spare_memory(self) -> None:
        if self.is_idle and self.size > 4 * KIB:
            self.size = 4 * KIB
            self._memory.give_back(self)

    def request_state(self) -> State:
        return self.state

    def abort(self) -> None:
        self.is_aborted = True


def test_small_requests_never_wait_even_when_nothing_is_left() -> None:
    memory = RequestMemory(4 * MIB)
    large, other = ReadingConnection(memory), ReadingConnection(memory)
    assert large.reads_up_to(8 * MIB)
    assert not other.reads_up_to(8 * MIB)

    assert ReadingConnection(memory).reads_up_to(FREE_BYTES)


def test_what_is_only_announced_takes_nothing() -> None:
    memory = RequestMemory(64 * MIB)

    size = memory.larger_size(4 * KIB, 100 * MIB)

    assert size == 8 * KIB
    assert memory.used_bytes == 0


def test_a_large_request_ends_with_a_buffer_of_its_own_size() -> None:
    memory = RequestMemory(1024 * MIB)
    client = ReadingConnection(memory)

    assert client.reads_up_to(5 * MIB + 17)

    assert client.size == memory.used_bytes == 5 * MIB + 17


def test_with_little_room_nobody_gets_more_than_it_needs() -> None:
    memory = RequestMemory(3 * MIB)
    client = ReadingConnection(memory)

    assert client.reads_up_to(100 * KIB)

    assert client.size == 100 * KIB


def test_room_for_several_requests_comes_only_from_plenty() -> None:
    memory = RequestMemory(8 * MIB)
    clients = [ReadingConnection(memory) for _ in range(3)]
    assert memory.roomier_size(4 * KIB) == 8 * KIB
    sizes = []
    for client in clients:
        size = memory.roomier_size(FREE_BYTES)
        assert size == FREE_BYTES or memory.take(client, size)
        sizes.append(size)

    assert sizes == [MIB, MIB, FREE_BYTES]
    assert memory.wait_count == 0
    assert memory.roomier_size(2 * MIB) == 2 * MIB, "a buffer that is larger stays"


def test_one_request_larger_than_the_pool_goes_on_alone() -> None:
    memory = RequestMemory(MIB)
    first, second = ReadingConnection(memory), ReadingConnection(memory)

    assert first.reads_up_to(100 * MIB)
    assert not second.reads_up_to(100 * MIB)
    first.is_answered()

    assert not second.is_waiting
    assert second.reads_up_to(100 * MIB)
    second.is_answered()
    assert memory.used_bytes == 0


def test_buffers_kept_for_a_next_request_are_taken_back_before_anybody_waits() -> None:
    memory = RequestMemory(24 * MIB)
    early = [ReadingConnection(memory) for _ in range(2)]
    for client in early:
        assert client.reads_up_to(8 * MIB)
        client.is_answered()
    assert memory.used_bytes == 16 * MIB, "nobody needed it: it was kept"

    assert ReadingConnection(memory).reads_up_to(12 * MIB)

    assert memory.wait_count == 0
    assert [client.size for client in early] == [4 * KIB] * 2


def test_waiting_clients_are_served_in_the_order_in_which_they_came() -> None:
    memory = RequestMemory(8 * MIB)
    first = ReadingConnection(memory)
    assert first.reads_up_to(6 * MIB)
    ahead = ReadingConnection(memory)
    assert ahead.reads_up_to(2 * MIB)
    waiting = [ReadingConnection(memory) for _ in range(3)]
    for client in waiting:
        assert not client.reads_up_to(2 * MIB)

    ahead.is_answered()
    assert [client.is_waiting for client in waiting] == [False, True, True]
    first.is_answered()

    assert [client.is_waiting for client in waiting] == [False, False, False]


def test_a_client_that_leaves_while_it_waits_is_forgotten() -> None:
    memory = RequestMemory(MIB)
    holders = [ReadingConnection(memory) for _ in range(3)]
    assert holders[0].reads_up_to(4 * MIB)
    assert not holders[1].reads_up_to(4 * MIB)
    assert not holders[2].reads_up_to(4 * MIB)

    holders[1].leaves()
    holders[0].leaves()

    assert not holders[2].is_waiting
    assert memory.waiting_count == 0


@pytest.mark.parametrize("seed", range(20))
def test_everybody_gets_through_and_the_pool_is_exceeded_by_one_request_at_most(seed: int) -> None:
    chance = random.Random(seed)
    limit, largest = 32 * MIB, 20 * MIB
    memory = RequestMemory(limit)
    clients = [ReadingConnection(memory) for _ in range(30)]
    wanted = {client: chance.randrange(8 * KIB, largest) for client in clients}
    turns = 0
    while wanted:
        turns += 1
        assert turns < 100_000, "somebody waits for ever"
        client = chance.choice([client for client in wanted if not client.is_waiting])
        step = min(wanted[client], client.size * 2)
        if client.reads_up_to(step) and step == wanted[client]:
            del wanted[client]
            client.is_answered() if chance.random() < 0.8 else client.leaves()
        assert memory.used_bytes <= limit + largest

    assert memory.waiting_count == 0


def test_whoever_does_not_get_on_while_others_wait_must_go() -> None:
    memory = RequestMemory(MIB)
    slow, waiting = ReadingConnection(memory), ReadingConnection(memory)
    assert slow.reads_up_to(2 * MIB)
    slow.state = State(None, 0, 1000)
    assert memory.stalled_holders(0) == []
    assert memory.stalled_holders(60_000) == [], "nobody waits: it may take its time"
    assert not waiting.reads_up_to(2 * MIB)

    assert memory.stalled_holders(70_000) == []
    slow.state = State(None, 0, 1001)
    assert memory.stalled_holders(75_000) == []
    assert memory.stalled_holders(75_001) == [slow]


def test_work_on_a_request_may_take_longer_than_sending_it() -> None:
    memory = RequestMemory(MIB)
    slow, waiting = ReadingConnection(memory), ReadingConnection(memory)
    assert slow.reads_up_to(2 * MIB)
    assert not waiting.reads_up_to(2 * MIB)
    slow.state = State("work", 0, 0)

    assert memory.stalled_holders(0) == []
    assert memory.stalled_holders(30_000) == []
    assert memory.stalled_holders(30_001) == [slow]


def test_one_address_alone_cannot_make_others_wait() -> None:
    memory = RequestMemory(8 * MIB)
    crowd = [ReadingConnection(memory, "10.6.6.6") for _ in range(10)]
    for client in crowd:
        client.reads_up_to(4 * MIB)
    assert [client.is_waiting for client in crowd].count(True) == 8

    assert ReadingConnection(memory, "10.0.0.1").reads_up_to(2 * MIB)


def test_an_address_that_holds_much_waits_behind_one_that_holds_little() -> None:
    memory = RequestMemory(8 * MIB)
    crowds = [[ReadingConnection(memory, f"10.6.6.{number}") for _ in range(4)] for number in range(5)]
    for client in (client for crowd in crowds for client in crowd):
        client.reads_up_to(4 * MIB)
    honest = ReadingConnection(memory, "10.0.0.1")
    assert not honest.reads_up_to(2 * MIB)
    waited = [client for crowd in crowds for client in crowd if client.is_waiting]
    finished = next(client for crowd in crowds for client in crowd if client.size == 4 * MIB)

    finished.is_answered()

    assert not honest.is_waiting
    assert any(client.is_waiting for client in waited), "those that came before it still wait"


@pytest.mark.parametrize(
    "state",
    [State(None, 0, 1000 + 64 * 31_000), State(None, 5, 1000), State("other work", 0, 1000), State(None, 0, 10)],
    ids=["enough bytes", "another request", "other work", "a new request"],
)
def test_whoever_gets_on_may_stay(state: State) -> None:
    memory = RequestMemory(MIB)
    steady, waiting = ReadingConnection(memory), ReadingConnection(memory)
    assert steady.reads_up_to(2 * MIB)
    assert not waiting.reads_up_to(2 * MIB)
    steady.state = State(None, 0, 1000)
    memory.stalled_holders(0)

    steady.state = state

    assert memory.stalled_holders(31_000) == []
