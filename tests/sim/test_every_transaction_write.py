"""A crash at each change of the disk that a transaction makes. `make crashes` runs all of them."""

from collections import Counter

import pytest

from ottla.broker.coordinators.marker_writer import MarkerWriter
from ottla.broker.shards.shard_log import PartitionShardLog
from ottla.model.topic import CONSUMER_OFFSETS, TRANSACTION_STATE
from ottla.sim.workloads.crash_points import Loss, Moment
from ottla.sim.workloads.every_transaction_write import (
    STORIES,
    Story,
    all_points,
    play,
    points_of,
)
from tests.support.crash_points_of_the_day import survived_crashes


@pytest.mark.timeout(180)
def test_transactions_survive_a_crash_at_any_point(capsys: pytest.CaptureFixture[str]) -> None:
    results = survived_crashes("every_transaction_write", 83, capsys)

    assert all(result.read_count > 0 for result in results)


def test_every_point_has_a_seed() -> None:
    assert len(set(all_points())) == len(all_points()) == sum(len(points_of(story)) for story in STORIES)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_each_log_is_cut_off_before_in_and_after_each_write_and_sync(story: Story) -> None:
    points = [point for owner, point in all_points() if owner == story]
    logs = Counter(
        (point.operation.path.split("/")[2], point.operation.kind, point.moment, point.loss)
        for point in points
        if point.operation.path.endswith(".log")
    )
    data = [f"{TRANSACTION_STATE}-0"]
    data += ["debits-0", "credits-0"] if "transfers" in story.name else ["output-0", f"{CONSUMER_OFFSETS}-0"]
    for directory in data:
        for loss in Loss:
            write_counts = {logs[directory, "write", moment, loss] for moment in Moment}
            sync_counts = {logs[directory, "sync", moment, loss] for moment in (Moment.BEFORE, Moment.AFTER)}
            # Four transactions at least: each has data, or a decision, and its end.
            assert min(write_counts) == max(write_counts) >= 8
            assert min(sync_counts) == max(sync_counts) >= 8


def is_found(kinds: set[str], directory: str, operation: str, moment: Moment, loss: Loss) -> bool:
    """Whether a crash at one of these points shows one of these findings."""
    return any(
        finding.kind in kinds
        for story in STORIES
        for point in points_of(story)
        if point.operation.path.startswith(f"/data/{directory}/")
        and (point.operation.kind, point.moment, point.loss) == (operation, moment, loss)
        for finding in play(story, None, point).findings
    )


@pytest.mark.timeout(300)
def test_decisions_that_are_forgotten_at_a_restart_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(self: MarkerWriter, host: object) -> None:
        host.on_applied = lambda: self._look(host)  # type: ignore[attr-defined, arg-type]

    monkeypatch.setattr(MarkerWriter, "serve", serve)

    assert is_found({"liveness"}, "debits-0", "write", Moment.BEFORE, Loss.NOTHING)


@pytest.mark.timeout(300)
def test_answers_that_come_before_the_sync_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def committed_end_offset(self: PartitionShardLog) -> int:
        is_synced = self.leader.topic_partition.topic != TRANSACTION_STATE
        return self.leader.high_watermark if is_synced else self.end_offset

    monkeypatch.setattr(PartitionShardLog, "committed_end_offset", property(committed_end_offset))

    lost = {"lost", "G1a", "torn-txn"}
    assert is_found(lost, f"{TRANSACTION_STATE}-0", "sync", Moment.BEFORE, Loss.EVERYTHING)
