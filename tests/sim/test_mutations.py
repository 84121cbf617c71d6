"""Green proves nothing until the simulation has caught each planted bug, under the name it should have."""

import pytest

from ottla.sim.workloads.produce_consume import Scenario, run_produce_consume
from tests.support.planting import load_mutation, mutation_names, plant

#: How many seeds a bug may survive.
SEED_LIMIT = 25


def simulated_mutations() -> list[str]:
    return [name for name in mutation_names() if hasattr(load_mutation(name), "SCENARIO")]


def findings_of(scenario: Scenario, seed: int) -> list[str]:
    return [finding.kind for finding in run_produce_consume(seed, scenario=scenario).findings]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", simulated_mutations())
def test_a_planted_bug_is_found_by_its_name(name: str) -> None:
    with plant(name) as mutation:
        for seed in range(SEED_LIMIT):
            found = findings_of(mutation.SCENARIO, seed)
            if any(kind in mutation.FINDINGS for kind in found):
                return
    pytest.fail(f"{name} was not found in {SEED_LIMIT} seeds")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", simulated_mutations())
def test_the_product_survives_the_same_faults_without_the_bug(name: str, request: pytest.FixtureRequest) -> None:
    for seed in range(3):
        assert findings_of(load_mutation(name).SCENARIO, seed) == []
