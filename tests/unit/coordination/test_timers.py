"""Keyed timers: replaced, stopped, due in order."""

from ottla.coordination.shard import Decision, Now, Operation, StartTimer, StopTimer
from ottla.coordination.timers import KeyedTimers


def named(name: str) -> Operation:
    def operation(now: Now) -> Decision[str]:
        return Decision(response=name)

    return operation


def due_names(timers: KeyedTimers, at_ms: int) -> list[str | None]:
    found: list[str | None] = []
    while (operation := timers.take_due(at_ms)) is not None:
        found.append(operation(Now(0, at_ms)).response)
    return found


def test_timers_ring_in_order_of_their_deadlines() -> None:
    timers = KeyedTimers()
    timers.carry_out(StartTimer("b", 20, named("b")), 0)
    timers.carry_out(StartTimer("a", 10, named("a")), 0)

    assert due_names(timers, 9) == []
    assert due_names(timers, 20) == ["a", "b"]
    assert len(timers) == 0


def test_equal_deadlines_ring_in_the_order_they_were_set() -> None:
    timers = KeyedTimers()
    for name in "zyx":
        timers.carry_out(StartTimer(name, 5, named(name)), 0)

    assert due_names(timers, 5) == ["z", "y", "x"]


def test_a_timer_with_the_same_key_is_replaced() -> None:
    timers = KeyedTimers()
    timers.carry_out(StartTimer("session", 10, named("old")), 0)
    timers.carry_out(StartTimer("session", 30, named("new")), 0)

    assert due_names(timers, 10) == []
    assert timers.next_deadline_ms() == 30
    assert due_names(timers, 30) == ["new"]


def test_a_stopped_timer_does_not_ring() -> None:
    timers = KeyedTimers()
    timers.carry_out(StartTimer("session", 10, named("session")), 0)
    timers.carry_out(StopTimer("session"), 5)
    timers.carry_out(StopTimer("never set"), 5)

    assert due_names(timers, 100) == []
    assert timers.next_deadline_ms() is None


def test_restarting_a_timer_many_times_takes_no_memory() -> None:
    timers = KeyedTimers()
    for beat_ms in range(10_000):
        timers.carry_out(StartTimer("session", 45_000, named("session")), beat_ms)

    assert len(timers._heap) < 100


def test_stopping_and_starting_a_timer_many_times_takes_no_memory() -> None:
    timers = KeyedTimers()
    for beat_ms in range(10_000):
        timers.carry_out(StartTimer("session", 45_000, named("session")), beat_ms)
        timers.carry_out(StopTimer("session"), beat_ms)
    timers.carry_out(StartTimer("session", 45_000, named("last")), 10_000)

    assert len(timers._heap) < 100
    assert due_names(timers, 54_999) == []
    assert due_names(timers, 55_000) == ["last"]


def test_a_timer_may_be_brought_forward() -> None:
    timers = KeyedTimers()
    timers.carry_out(StartTimer("a", 30, named("late")), 0)
    timers.carry_out(StartTimer("b", 20, named("b")), 0)
    timers.carry_out(StartTimer("a", 10, named("early")), 0)

    assert timers.next_deadline_ms() == 10
    assert due_names(timers, 100) == ["early", "b"]


def test_a_timer_that_was_postponed_stands_in_the_order_of_its_last_start() -> None:
    timers = KeyedTimers()
    timers.carry_out(StartTimer("a", 10, named("a")), 0)
    timers.carry_out(StartTimer("b", 30, named("b")), 0)
    timers.carry_out(StartTimer("a", 30, named("a again")), 0)
    timers.carry_out(StartTimer("c", 30, named("c")), 0)

    assert not timers.may_be_due_before(10)
    assert timers.may_be_due_before(11)
    assert due_names(timers, 29) == []
    assert due_names(timers, 30) == ["b", "a again", "c"]
