"""Known ways to break transactions, planted on purpose: the simulation must find each of them.

Those that need a crash at one certain moment are in `tests/sim/test_every_transaction_write.py`.
"""

from collections.abc import Callable
from typing import Any

import pytest

from ottla.broker.coordinators.marker_writer import MarkerWriter
from ottla.coordination.shard import Decision
from ottla.sim.workloads.transfers import run_transfers
from ottla.transactions.shard import TransactionShard
from tests.mutations.transaction_mistakes import keep_the_epoch, skip_the_verification

SEEDS = 9
Plant = Callable[[pytest.MonkeyPatch], None]


def drop_abort_markers(patch: pytest.MonkeyPatch) -> None:
    """R07: the transaction hangs."""
    original = MarkerWriter._write

    def write(self: MarkerWriter, host: Any, order: Any, inherited: Any) -> None:
        if order.committed:
            original(self, host, order, inherited)
        else:
            self._finish(host, order)

    patch.setattr(MarkerWriter, "_write", write)


def write_markers_to_one_partition(patch: pytest.MonkeyPatch) -> None:
    original = MarkerWriter._write_some
    patch.setattr(MarkerWriter, "_write_some", lambda self, order, left: original(self, order, left[:1]))


def never_time_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TransactionShard, "_time_out", lambda self, known, now: Decision())


@pytest.mark.parametrize(
    "plant",
    [
        keep_the_epoch,
        skip_the_verification,
        drop_abort_markers,
        write_markers_to_one_partition,
        never_time_out,
    ],
)
def test_a_planted_mistake_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    assert any(run_transfers(seed).findings for seed in range(SEEDS)), f"{plant.__name__} was not found"
