"""Transactions under simulation: all or nothing, once, and no reader is held for ever."""

import pytest

from ottla.sim.workloads.transfers import run_every_transaction_write, run_transfers


@pytest.mark.parametrize("seed", range(6))
def test_transfers_survive_faults(seed: int) -> None:
    assert run_transfers(seed).findings == []


@pytest.mark.parametrize("seed", range(0, 845, 45))
def test_transfers_survive_a_crash_at_any_write(seed: int) -> None:
    result = run_every_transaction_write(seed)

    assert result.findings == []
    assert result.acked_count > 0


def test_a_run_is_decided_by_its_seed() -> None:
    assert run_transfers(3).digest == run_transfers(3).digest
