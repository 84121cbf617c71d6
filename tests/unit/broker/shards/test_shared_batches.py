"""Decisions that share a batch: offset commits."""

import asyncio

import pytest

from ottla.coordination.shard import Decision, Now, StartTimer
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from tests.support.shard_stage import ShardStage


@pytest.fixture
def stage() -> ShardStage:
    return ShardStage()


async def end_of_turn() -> None:
    """What was decided in one turn of the event loop goes to the log at its end."""
    await asyncio.sleep(0)


class Outcomes(list[object]):
    """A receiver: what it was given, in order."""

    def resolve(self, response: object) -> None:
        self.append(response)

    def refuse(self, refusal: Refused) -> None:
        self.append(refusal)

    def add_to(self, stage: ShardStage, number: int) -> None:
        """`number` is its own response: the sum is not looked at."""
        stage.host.submit_batched(lambda now: Decision(number, [number]), self)

    @property
    def codes(self) -> list[object]:
        return [one.code if isinstance(one, Refused) else one for one in self]


def test_decisions_of_one_turn_go_to_the_log_as_one_batch(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        for number in (1, 2, 3):
            outcomes.add_to(stage, number)
        await end_of_turn()

        assert stage.log.batch_sizes == [3]
        assert stage.shard.total == 6
        assert outcomes == []
        stage.log.commit()
        assert outcomes == [1, 2, 3]

    asyncio.run(story())


def test_while_a_commit_is_under_way_decisions_wait_for_each_other(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        await end_of_turn()
        for number in (2, 3):
            outcomes.add_to(stage, number)
            await end_of_turn()
        assert stage.log.batch_sizes == [1]

        stage.log.commit()
        assert outcomes == [1]
        assert stage.log.batch_sizes == [1, 2]
        stage.log.commit()
        assert outcomes == [1, 2, 3]

    asyncio.run(story())


def test_any_other_operation_finds_the_waiting_decisions_in_the_log(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        outcomes.add_to(stage, 2)
        total = stage.host.run(lambda now: stage.shard.add(4))
        outcomes.add_to(stage, 8)
        stage.log.commit()
        stage.log.commit()

        assert await total == 7
        assert [record.value for record in stage.log.stored] == [b"1", b"2", b"4", b"8"]
        assert outcomes == [1, 2, 8]

    asyncio.run(story())


def test_a_timer_finds_the_waiting_decisions_in_the_log(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        rang = asyncio.Event()

        def ring(now: Now) -> Decision[None]:
            rang.set()
            return Decision(records=[stage.shard.total * 10])

        stage.host.run(lambda now: Decision(records=[1], timers=[StartTimer("later", 1, ring)]))
        outcomes.add_to(stage, 2)
        await asyncio.wait_for(rang.wait(), 30)
        await end_of_turn()

        assert [record.value for record in stage.log.stored] == [b"1", b"2", b"30"]

    asyncio.run(story())


def test_a_decision_that_the_log_refuses_does_not_take_its_neighbours_with_it(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.refuses = b"2"
        outcomes = Outcomes()
        for number in (1, 2, 3):
            outcomes.add_to(stage, number)
        await end_of_turn()
        stage.log.commit()

        assert sorted(map(str, outcomes.codes)) == sorted(map(str, [ErrorCode.INVALID_COMMIT_OFFSET_SIZE, 1, 3]))
        assert [record.value for record in stage.log.stored] == [b"1", b"3"]
        assert stage.shard.total == 4

    asyncio.run(story())


def test_a_full_disk_fails_the_whole_batch_and_changes_nothing(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.is_full = True
        outcomes = Outcomes()
        for number in (1, 2):
            outcomes.add_to(stage, number)
        await end_of_turn()

        assert outcomes.codes == [ErrorCode.COORDINATOR_NOT_AVAILABLE] * 2
        assert stage.shard.total == 0

    asyncio.run(story())


def test_losing_the_partition_fails_decisions_that_are_not_in_the_log_yet(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        stage.host.unload()
        await end_of_turn()

        assert outcomes.codes == [ErrorCode.NOT_COORDINATOR]
        assert stage.log.stored == []

    asyncio.run(story())


def test_a_batch_has_a_bounded_number_of_records(stage: ShardStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ottla.broker.shards.shard_host._BATCH_RECORDS", 4)

    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        for number in range(10):
            outcomes.add_to(stage, number)
        await end_of_turn()
        stage.log.commit()

        assert stage.log.batch_sizes == [4, 4, 2]
        assert outcomes == list(range(10))

    asyncio.run(story())


def test_a_commit_that_nobody_told_of_holds_up_no_more_than_one_decision(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        await end_of_turn()
        outcomes.add_to(stage, 2)
        stage.log.committed_end_offset = 1
        outcomes.add_to(stage, 3)
        await end_of_turn()

        assert stage.log.batch_sizes == [1, 2]

    asyncio.run(story())


def test_a_decision_that_cannot_be_written_fails_where_it_is_made(stage: ShardStage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        with pytest.raises(UnicodeEncodeError):
            stage.host.submit_batched(lambda now: Decision("bad", ["\ud800"]), outcomes)
        outcomes.add_to(stage, 2)
        await end_of_turn()
        stage.log.commit()

        assert outcomes == [1, 2]

    asyncio.run(story())


def test_decisions_that_were_refused_together_stay_before_what_their_answers_bring(stage: ShardStage) -> None:
    """Each answer makes its client ask for something else, at once."""

    async def story() -> None:
        stage.host.load_now()
        stage.log.refuses = b"1"

        class AsksAgain(Outcomes):
            def refuse(self, refusal: Refused) -> None:
                stage.host.submit(lambda now: Decision(0, [9]), None)

        for number in (1, 2, 3):
            stage.host.submit_batched(lambda now, number=number: Decision(number, [number]), AsksAgain())  # type: ignore[misc]
        await end_of_turn()

        assert [record.value for record in stage.log.stored] == [b"2", b"3", b"9"]

    asyncio.run(story())


# -- where commits wait for a flush


@pytest.fixture
def flushing(stage: ShardStage) -> ShardStage:
    stage.log.flushes = True
    return stage


def test_decisions_go_to_the_log_when_the_flush_begins_that_commits_them(flushing: ShardStage) -> None:
    async def story() -> None:
        flushing.host.load_now()
        outcomes = Outcomes()
        for number in (1, 2, 3):
            outcomes.add_to(flushing, number)
            await end_of_turn()
        assert flushing.log.batch_sizes == []

        flushing.log.flush()
        assert flushing.log.batch_sizes == [3]
        assert outcomes == [1, 2, 3]

    asyncio.run(story())


def test_a_flush_that_ends_leaves_what_came_meanwhile_to_the_next_one(flushing: ShardStage) -> None:
    async def story() -> None:
        flushing.host.load_now()
        outcomes = Outcomes()
        under_way = flushing.host.run(lambda now: flushing.shard.add(4))
        outcomes.add_to(flushing, 1)
        flushing.log.commit()
        outcomes.add_to(flushing, 2)

        assert await under_way == 4
        assert flushing.log.batch_sizes == [1]
        flushing.log.flush()
        assert flushing.log.batch_sizes == [1, 2]
        assert outcomes == [1, 2]

    asyncio.run(story())


def test_another_operation_does_not_wait_for_the_flush_to_begin(flushing: ShardStage) -> None:
    async def story() -> None:
        flushing.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(flushing, 1)
        total = flushing.host.run(lambda now: flushing.shard.add(4))
        assert [record.value for record in flushing.log.stored] == [b"1", b"4"]

        flushing.log.flush()
        assert await total == 5
        assert outcomes == [1]
        assert flushing.log.batch_sizes == [1, 1]

    asyncio.run(story())


def test_a_shard_that_has_left_appends_nothing_when_the_flush_begins(flushing: ShardStage) -> None:
    async def story() -> None:
        flushing.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(flushing, 1)
        flushing.host.unload()
        flushing.log.flush()

        assert outcomes.codes == [ErrorCode.NOT_COORDINATOR]
        assert flushing.log.stored == []

    asyncio.run(story())


def test_decisions_made_when_the_topic_stops_to_flush_are_not_forgotten(flushing: ShardStage) -> None:
    async def story() -> None:
        flushing.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(flushing, 1)
        flushing.log.flushes = False
        outcomes.add_to(flushing, 2)
        await end_of_turn()
        flushing.log.flush()

        assert flushing.log.batch_sizes == [2]
        assert outcomes == [1, 2]

    asyncio.run(story())
