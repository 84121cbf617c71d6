"""Fetches that wait: one timer and one callback for all of them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ottla.broker.fetch.purgatory import FetchPurgatory


class OwnLoop(asyncio.SelectorEventLoop):
    """Its time, and that of the clock, is what the test says; counts the timers that were set."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0
        self.timers = 0

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:  # type: ignore[override]
        self.timers += 1
        return super().call_at(when, callback, *args, context=context)

    def monotonic_ms(self) -> int:
        return int(self.now * 1000)

    def now_ms(self) -> int:
        return self.monotonic_ms()

    async def pass_ms(self, duration_ms: float) -> None:
        self.now += duration_ms / 1000
        for _ in range(3):
            await asyncio.sleep(0)


class Fetch:
    def __init__(self, notes: list[str], name: str, fails: bool = False) -> None:
        self._notes = notes
        self._name = name
        self._fails = fails

    def look(self) -> None:
        self._notes.append(f"{self._name} looks")
        if self._fails:
            raise RuntimeError("a bug")

    def time_is_up(self) -> None:
        self._notes.append(self._name)
        if self._fails:
            raise RuntimeError("a bug")


def run(story: Callable[[OwnLoop, FetchPurgatory, list[str]], Awaitable[None]]) -> None:
    loop = OwnLoop()
    loop.set_exception_handler(lambda loop, context: None)
    try:
        loop.run_until_complete(story(loop, FetchPurgatory(loop), []))
    finally:
        loop.close()


@pytest.mark.parametrize("max_wait_ms", [0, 1, 5, 63, 64, 100, 500, 30_000])
def test_a_wait_is_never_shorter_and_hardly_longer_than_asked_for(max_wait_ms: int) -> None:
    async def story(loop: OwnLoop, purgatory: FetchPurgatory, notes: list[str]) -> None:
        for start in range(0, 70, 7):
            loop.now = 1000.0 + start / 1000
            due_ms = purgatory.enter(Fetch(notes, "a"), max_wait_ms)
            assert 0 < due_ms - loop.now * 1000 - max_wait_ms <= 2 + max_wait_ms / 64

    run(story)


def test_each_wait_ends_in_its_time() -> None:
    async def story(loop: OwnLoop, purgatory: FetchPurgatory, notes: list[str]) -> None:
        for name, max_wait_ms in (("long", 1000), ("short", 10), ("middle", 500)):
            purgatory.enter(Fetch(notes, name), max_wait_ms)

        await loop.pass_ms(9)
        assert notes == []
        await loop.pass_ms(4)
        assert notes == ["short"]
        await loop.pass_ms(500)
        assert notes == ["short", "middle"]
        await loop.pass_ms(600)
        assert notes == ["short", "middle", "long"]
        assert len(purgatory) == 0

    run(story)


class PipelinedFetch(Fetch):
    """Its response lets the next fetch of its connection in."""

    def __init__(self, notes: list[str], name: str, then: Callable[[], object]) -> None:
        super().__init__(notes, name)
        self._then = then

    def time_is_up(self) -> None:
        super().time_is_up()
        self._then()


@pytest.mark.parametrize("next_wait_ms", [5, 50, 1000])
def test_a_fetch_that_begins_when_another_ends_takes_no_wait_away(next_wait_ms: int) -> None:
    async def story(loop: OwnLoop, purgatory: FetchPurgatory, notes: list[str]) -> None:
        def respond() -> None:
            purgatory.leave(first, due_ms)
            purgatory.enter(Fetch(notes, "second"), next_wait_ms)

        first = PipelinedFetch(notes, "first", respond)
        due_ms = purgatory.enter(first, 5)
        purgatory.enter(Fetch(notes, "of another connection"), 100)

        await loop.pass_ms(10)
        for _ in range(30):
            await loop.pass_ms(50)

        assert sorted(notes) == ["first", "of another connection", "second"]
        assert len(purgatory) == 0

    run(story)


def test_the_waits_of_idle_consumers_end_together() -> None:
    async def story(loop: OwnLoop, purgatory: FetchPurgatory, notes: list[str]) -> None:
        for index in range(400):
            purgatory.enter(Fetch(notes, str(index)), 500)
            loop.now += 0.00001
        assert loop.timers == 1

        await loop.pass_ms(520)

        assert len(notes) == 400
        assert loop.timers <= 2

    run(story)


def test_who_has_left_is_not_waited_for() -> None:
    async def story(loop: OwnLoop, purgatory: FetchPurgatory, notes: list[str]) -> None:
        for index in range(1000):
            fetch = Fetch(notes, str(index))
            due_ms = purgatory.enter(fetch, 500)
            loop.now += 0.002
            purgatory.leave(fetch, due_ms)
            purgatory.leave(fetch, due_ms)
            await asyncio.sleep(0)

        assert len(purgatory) == 0
        assert len(purgatory._times) < 100
        await loop.pass_ms(1000)
        assert notes == []
        assert loop.timers < 10, "one timer for many waits"

    run(story)


def test_news_are_looked_at_later_and_together() -> None:
    async def story(loop: OwnLoop, purgatory: FetchPurgatory, notes: list[str]) -> None:
        purgatory.note_news(Fetch(notes, "a"))
        purgatory.note_news(Fetch(notes, "b"))
        assert notes == []

        await asyncio.sleep(0)

        assert notes == ["a looks", "b looks"]

    run(story)


def test_a_bug_in_one_fetch_leaves_the_others_waiting_for_no_longer() -> None:
    async def story(loop: OwnLoop, purgatory: FetchPurgatory, notes: list[str]) -> None:
        purgatory.note_news(Fetch(notes, "broken", fails=True))
        purgatory.note_news(Fetch(notes, "b"))
        for name in ("broken", "c"):
            purgatory.enter(Fetch(notes, name, fails=name == "broken"), 100)

        await loop.pass_ms(0)
        assert notes == ["broken looks", "b looks"]
        await loop.pass_ms(110)

        assert notes[2:] == ["broken", "c"]

    run(story)
