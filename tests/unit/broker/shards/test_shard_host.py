"""The host of a shard: append, apply, hold, answer, reload, lose."""

import asyncio
from functools import partial

import pytest

from ottla.coordination.shard import Decision, Now, StartTimer
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from tests.support.shard_stage import ShardStage


@pytest.fixture
def stage() -> ShardStage:
    return ShardStage()


def test_an_answer_is_held_until_its_records_are_committed(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        answer = stage.host.run(lambda now: stage.shard.add(5))

        assert stage.shard.total == 5
        assert not answer.done()
        stage.log.commit()
        assert await answer == 5

    asyncio.run(story())


def test_an_answer_without_records_waits_for_the_state_it_tells_of(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.host.run(lambda now: stage.shard.add(5))
        total = stage.host.run(lambda now: Decision(stage.shard.total))

        assert not total.done()
        stage.log.commit()
        assert await total == 5

    asyncio.run(story())


def test_a_parked_request_is_answered_by_a_later_decision(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        waiting = stage.host.run_with_ticket(lambda now, ticket: stage.shard.wait_for(7, ticket))
        stage.host.run(lambda now: stage.shard.add(3))
        stage.log.commit()
        assert not waiting.done()

        stage.host.run(lambda now: stage.shard.add(4))
        stage.log.commit()
        assert await waiting == 7

    asyncio.run(story())


def test_a_failed_append_changes_nothing_and_fails_its_answer(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.is_full = True
        answer = stage.host.run(lambda now: stage.shard.add(5))

        with pytest.raises(Refused) as refusal:
            await answer
        assert refusal.value.code is ErrorCode.COORDINATOR_NOT_AVAILABLE
        assert stage.shard.total == 0

    asyncio.run(story())


def test_a_disk_that_takes_no_records_is_reported(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        reported: asyncio.Future[OSError] = asyncio.get_running_loop().create_future()
        stage.host.on_disk_failed = reported.set_result
        stage.log.is_full = True
        refused = stage.host.run(lambda now: stage.shard.add(5))

        assert str(await asyncio.wait_for(reported, 30)) == "no room"
        assert refused.exception() is not None

    asyncio.run(story())


def test_a_parked_request_whose_records_were_not_appended_is_refused(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.is_full = True
        waiting = stage.host.run_with_ticket(lambda now, ticket: Decision[int](parked=True, records=[1]))

        with pytest.raises(Refused) as refusal:
            await waiting
        assert refusal.value.code is ErrorCode.COORDINATOR_NOT_AVAILABLE

    asyncio.run(story())


def test_reloading_gives_the_same_state(stage: ShardStage) -> None:
    def add(number: int, now: Now) -> Decision[int]:
        return stage.shard.add(number)

    async def story() -> int:
        stage.host.load_now()
        for number in (1, 2, 3):
            stage.host.run(partial(add, number))
        stage.log.commit()
        again = ShardStage(stage.log)
        await again.host.load()
        return again.shard.total

    assert asyncio.run(story()) == 6


def test_requests_before_and_after_are_sent_elsewhere(stage: ShardStage) -> None:
    async def story() -> None:
        with pytest.raises(Refused) as loading:
            stage.host.run(lambda now: stage.shard.add(1))
        stage.host.load_now()
        stage.host.unload()
        with pytest.raises(Refused) as gone:
            stage.host.run(lambda now: stage.shard.add(1))

        assert loading.value.code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        assert gone.value.code is ErrorCode.NOT_COORDINATOR

    asyncio.run(story())


def test_losing_the_partition_fails_everything_that_waits(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        held = stage.host.run(lambda now: stage.shard.add(1))
        parked = stage.host.run_with_ticket(lambda now, ticket: stage.shard.wait_for(9, ticket))
        stage.host.unload()

        for future in (held, parked):
            with pytest.raises(Refused) as refusal:
                await future
            assert refusal.value.code is ErrorCode.NOT_COORDINATOR
        assert stage.shard.is_unloaded

    asyncio.run(story())


async def has_rung(stage: ShardStage, delay_ms: int) -> None:
    """A timer of that delay has rung, and with it every timer that was due before."""
    rang = asyncio.Event()

    def ring(now: Now) -> Decision[None]:
        rang.set()
        return Decision()

    stage.host.run(lambda now: Decision(timers=[StartTimer("the test's", delay_ms, ring)]))
    await asyncio.wait_for(rang.wait(), 30)


def test_a_timer_runs_its_operation(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        rang = asyncio.Event()

        def ring(now: Now) -> Decision[None]:
            rang.set()
            return Decision(records=[10])

        stage.host.run(lambda now: Decision(timers=[StartTimer("later", 1, ring)]))
        await asyncio.wait_for(rang.wait(), 30)
        assert stage.shard.total == 10

    asyncio.run(story())


def test_a_timer_whose_records_were_refused_rings_again(stage: ShardStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ottla.broker.shards.shard_host._TIMER_RETRY_MS", 5)

    async def story() -> None:
        stage.host.load_now()
        stage.host.run(lambda now: Decision(timers=[StartTimer("later", 1, lambda now: Decision(records=[10]))]))
        stage.log.is_full = True
        await asyncio.wait_for(stage.log.has_refused.wait(), 30)
        assert stage.shard.total == 0

        stage.log.is_full = False
        await has_rung(stage, 20)
        assert stage.shard.total == 10

    asyncio.run(story())


def test_a_timer_that_was_put_off_does_not_ring_again_for_its_refused_records(
    stage: ShardStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session has ended on a full disk; before it is tried again the member is heard."""
    monkeypatch.setattr("ottla.broker.shards.shard_host._TIMER_RETRY_MS", 5)

    def end(now: Now) -> Decision[None]:
        return Decision(records=[10])

    async def story() -> None:
        stage.host.load_now()
        stage.host.run(lambda now: Decision(timers=[StartTimer("session", 1, end)]))
        stage.log.is_full = True
        await asyncio.wait_for(stage.log.has_refused.wait(), 30)

        stage.host.run(lambda now: Decision(timers=[StartTimer("session", 60_000, end)]))
        stage.log.is_full = False
        await has_rung(stage, 20)
        assert stage.shard.total == 0

    asyncio.run(story())
