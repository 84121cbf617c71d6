"""Every `group.consumer.migration.policy`, with classic and consumer members in one group."""

import pytest

from ottla.groups.consumer import upgrade
from ottla.groups.settings import MigrationPolicy
from ottla.groups.state.consumer_group import group_not_found
from ottla.model.topic import TopicPartition
from ottla.sim.faults import FaultSchedule
from ottla.sim.group_client import GroupPlan
from ottla.sim.pace import Pace
from ottla.sim.workloads.groups import HEARTBEAT_MS, SESSION_MS, Event, MemberEvent, Plan, run_groups

SEEDS = range(4)
_WAITED = "the classic members have gone"


def plan_with(policy: MigrationPolicy) -> Plan:
    """Four members, about half of each kind; two of them come back as the other kind."""
    partitions = [TopicPartition("orders", index) for index in range(4)]
    return Plan(
        duration_ms=5_000,
        groups=[GroupPlan("group-0", partitions, "range", SESSION_MS, HEARTBEAT_MS, True)],
        member_counts=[4],
        static_percent=0,
        pace=Pace(),
        schedule=FaultSchedule([]),
        events=[Event(2_000, MemberEvent.SWITCH, 0, 100), Event(3_000, MemberEvent.SWITCH, 1, 100)],
        migration_policy=policy.value,
    )


@pytest.mark.parametrize("policy", MigrationPolicy)
def test_groups_of_both_kinds_come_to_rest(policy: MigrationPolicy) -> None:
    lines: list[str] = []
    for seed in SEEDS:
        assert run_groups(seed, lines.append, plan_with(policy)).findings == []

    # Only where a classic group is never turned into a consumer group somebody has to wait for its end.
    assert any(_WAITED in line for line in lines) is not policy.may_upgrade


def test_a_classic_group_that_keeps_its_door_shut_when_it_is_empty_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(turn: object, group: object) -> None:
        raise group_not_found("group-0", None)

    monkeypatch.setattr(upgrade, "_from_empty", refuse)

    kinds = {
        finding.kind
        for seed in SEEDS
        for finding in run_groups(seed, None, plan_with(MigrationPolicy.DISABLED)).findings
    }
    assert "rebalance-does-not-end" in kinds
