"""A crash at each change of the disk that a broker makes. `python -m ottla.sim enumerate` runs all of them."""

import pytest

from ottla.broker.storage.checkpoints import Checkpoints
from ottla.log.partition.flush import FlushJob
from ottla.log.partition_log import PartitionLog
from ottla.log.store.log_store import LogStore
from ottla.sim.workloads.crash_points import CrashPoint, Loss, Moment
from ottla.sim.workloads.every_write import FIRST_DIRECTORY, SECOND_DIRECTORY, all_points, play
from tests.support.crash_points_of_the_day import survived_crashes


@pytest.mark.timeout(180)
def test_what_was_acked_survives_a_crash_at_any_point(capsys: pytest.CaptureFixture[str]) -> None:
    results = survived_crashes("every_write", 97, capsys)

    assert all(result.start_count > 1 for result in results)


def paths_of(kind: str) -> list[str]:
    return [point.operation.path for point in all_points() if point.operation.kind == kind]


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("write", ".log"),
        ("write", ".index"),
        ("write", ".timeindex"),
        ("write", ".snapshot"),
        ("rename", "recovery-point-offset-checkpoint"),
        ("rename", "log-start-offset-checkpoint"),
        ("rename", "cleaner-offset-checkpoint"),
        ("rename", "leader-epoch-checkpoint"),
        ("rename", ".kafka_cleanshutdown"),
        ("rename", f"{SECOND_DIRECTORY}/events-0/0"),
        ("remove", f"{SECOND_DIRECTORY}/events-0/0"),
        ("write", ".log.cleaned"),
        ("rename", ".log.cleaned"),
        ("rename", ".log.swap"),
        ("write", "-future/"),
        ("rename", "-future"),
        ("rename", "/scratch-0"),
        ("remove", "-delete/"),
        ("write", f"{FIRST_DIRECTORY}/__cluster_metadata-0/"),
    ],
)
def test_the_story_has_everything_that_a_broker_does_with_its_files(kind: str, part: str) -> None:
    """Rolls, indexes, snapshots, checkpoints, retention, compaction, a move, the deletion of a topic, a clean stop."""
    assert any(part in path for path in paths_of(kind))


def kinds_found(*points: CrashPoint) -> set[str]:
    return {finding.kind for point in points for finding in play(None, point).findings}


def points_at(kind: str, part: str, moment: Moment, loss: Loss) -> list[CrashPoint]:
    return [
        point
        for point in all_points()
        if (point.operation.kind, point.moment, point.loss) == (kind, moment, loss) and part in point.operation.path
    ]


@pytest.mark.timeout(180)
def test_acks_without_a_sync_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    points = points_at("write", "/orders-0/", Moment.BEFORE, Loss.EVERYTHING)[3:9]
    flush_job = PartitionLog.flush_job

    def forgetful(self: PartitionLog) -> FlushJob | None:
        job = flush_job(self)
        if job is not None and "orders-0" in job.directory:
            job.files.clear()
        return job

    monkeypatch.setattr(PartitionLog, "flush_job", forgetful)

    assert "lost-write" in kinds_found(*points)


@pytest.mark.timeout(180)
def test_names_of_deleted_partitions_that_come_back_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    points = points_at("write", "accounts-0/", Moment.BEFORE, Loss.EVERYTHING)[-12:]
    # The second line of defence: of two directories one is put aside by its topic id.
    monkeypatch.setattr(LogStore, "put_unopened_aside", lambda self, known, options_for: [])
    monkeypatch.setattr(LogStore, "is_free", lambda self, topic_partition: True)
    monkeypatch.setattr(Checkpoints, "forget_deleted", _do_nothing)

    assert "partition-offline" in kinds_found(*points)


@pytest.mark.timeout(180)
def test_checkpoints_of_a_deleted_partition_that_apply_to_the_next_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    points = points_at("write", "scratch-0/", Moment.AFTER, Loss.NOTHING)[-8:]
    monkeypatch.setattr(LogStore, "is_free", lambda self, topic_partition: True)
    monkeypatch.setattr(Checkpoints, "forget_deleted", _do_nothing)

    assert "partition-offline" in kinds_found(*points)


async def _do_nothing(self: Checkpoints) -> None:
    pass
