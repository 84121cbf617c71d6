"""Groups, exactly-once copies and compaction under simulation: a few seeds each; `test_seeds` runs what fits."""

import pytest

from ottla.sim.workloads import Workload
from ottla.sim.workloads.compaction import run_compaction
from ottla.sim.workloads.copy import run_copy
from ottla.sim.workloads.groups import run_groups


@pytest.mark.parametrize("seed", range(8))
def test_groups_survive_faults(seed: int) -> None:
    result = run_groups(seed)

    assert result.findings == []
    assert result.acked_count > 0


@pytest.mark.parametrize("seed", range(8))
def test_copies_are_exact_whatever_crashes(seed: int) -> None:
    result = run_copy(seed)

    assert result.findings == []
    assert result.read_count == 2 * result.acked_count


@pytest.mark.parametrize("seed", range(3))
def test_compaction_keeps_the_last_committed_value_of_each_key(seed: int) -> None:
    result = run_compaction(seed)

    assert result.findings == []
    assert result.read_count > 0


@pytest.mark.parametrize("run", [run_groups, run_copy, run_compaction])
def test_a_run_is_decided_by_its_seed(run: Workload) -> None:
    assert run(5, None).digest == run(5, None).digest
