"""The workload of the client library finds mistakes that producers and consumers could make."""

from collections.abc import Callable
from typing import Any

import pytest

from ottla.client.consumer import group_side
from ottla.client.consumer.committable import uncommitted
from ottla.client.consumer.fetch_plan import PlannedFetch
from ottla.client.consumer.fetch_response import FetchResponseReader
from ottla.client.consumer.fetched import FetchedPartition
from ottla.client.offsets import OffsetAndMetadata
from ottla.client.producer.batch import Batch
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.model.topic import TopicPartition
from ottla.records.batch import NO_SEQUENCE
from ottla.sim.workloads.client import run_client


def findings(seeds: range) -> set[str]:
    found: set[str] = set()
    for seed in seeds:
        found |= {finding.kind for finding in run_client(seed, None).findings}
        if found:
            break
    return found


def test_the_client_keeps_what_it_promises() -> None:
    assert findings(range(2)) == set()


def test_a_retry_with_a_new_sequence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be written already is sent as if it were new."""
    returned: Callable[[PartitionQueue, Batch, int], None] = PartitionQueue.returned

    def forgetful(queue: PartitionQueue, batch: Batch, not_before_ms: int) -> None:
        batch.base_sequence = NO_SEQUENCE
        returned(queue, batch, not_before_ms)

    monkeypatch.setattr(PartitionQueue, "returned", forgetful)

    assert findings(range(20)) & {"duplicate", "liveness", "nonmonotonic-send"}


def test_a_batch_that_is_put_behind_later_ones_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a new epoch for everything, the order of the queue is the order of the log."""
    monkeypatch.setattr(PartitionQueue, "_put_back", lambda queue, batches: queue.waiting.extend(batches))

    assert findings(range(20))


def test_what_was_fetched_before_a_seek_and_is_used_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FetchedPartition, "is_stale", False)

    assert findings(range(20)) & {"read-out-of-order"}


def test_a_fetch_that_was_in_flight_at_a_seek_and_is_used_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    read: Callable[..., Any] = FetchResponseReader.read

    def careless(reader: FetchResponseReader, fetch: PlannedFetch, versions: Any, response: Any, now_ms: int) -> Any:
        current = {partition: state.version for partition, state in fetch.states.items()}
        return read(reader, fetch, current, response, now_ms)

    monkeypatch.setattr(FetchResponseReader, "read", careless)

    assert findings(range(20)) & {"read-out-of-order"}


def test_a_commit_of_what_was_not_read_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next owner of the partition starts behind a record that nobody has seen."""

    def ahead(*given: Any) -> dict[TopicPartition, OffsetAndMetadata]:
        return {each: row._replace(offset=row.offset + 1) for each, row in uncommitted(*given).items()}

    monkeypatch.setattr(group_side, "uncommitted", ahead)

    assert findings(range(20)) & {"liveness", "read-out-of-order"}
