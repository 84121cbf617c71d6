"""Planted bugs of groups, transactions and compaction: each is found by a workload that the product survives."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from ottla.broker.shards.shard_host import ShardHost
from ottla.groups.consumer import downgrade, upgrade
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.offset_store import OffsetStore
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.sim.faults import Fault, FaultKind, FaultSchedule
from ottla.sim.group_client import GroupPlan
from ottla.sim.pace import Pace
from ottla.sim.run_result import RunResult
from ottla.sim.workloads import copy
from ottla.sim.workloads.copy import run_copy
from ottla.sim.workloads.groups import HEARTBEAT_MS, SESSION_MS, Event, MemberEvent, Plan, run_groups
from tests.mutations.transaction_mistakes import keep_the_epoch, skip_the_verification
from tests.support.planting import load_mutation, mutation_names, plant

SEED_LIMIT = 25
Plant = Callable[[pytest.MonkeyPatch], None]


def mutations_with_a_run() -> list[str]:
    return [name for name in mutation_names() if hasattr(load_mutation(name), "RUN")]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", mutations_with_a_run())
def test_a_planted_bug_is_found_by_its_name(name: str) -> None:
    with plant(name) as mutation:
        for seed in range(SEED_LIMIT):
            if any(finding.kind in mutation.FINDINGS for finding in mutation.RUN(seed).findings):
                return
    pytest.fail(f"{name} was not found in {SEED_LIMIT} seeds")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", mutations_with_a_run())
def test_the_product_survives_the_same_without_the_bug(name: str) -> None:
    for seed in range(3):
        assert load_mutation(name).RUN(seed).findings == []


def take_every_commit(patch: pytest.MonkeyPatch) -> None:
    """Nobody asks who commits."""
    patch.setattr(ClassicGroup, "check_commit", lambda self, *who: None)
    patch.setattr(ConsumerGroup, "check_commit", lambda self, *who: lambda *partition: ErrorCode.NONE)


def give_partitions_before_they_are_free(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ConsumerGroup, "is_free_for", lambda self, *place: True)


def answer_before_the_records_are_safe(patch: pytest.MonkeyPatch) -> None:
    take_effect = ShardHost._take_effect

    def deliver_at_once(self: ShardHost, timers: Any, deliveries: Any) -> None:
        take_effect(self, timers, [])
        for receiver, response in deliveries:
            receiver.resolve(response)

    patch.setattr(ShardHost, "_take_effect", deliver_at_once)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("mistake", "kinds"),
    [
        (take_every_commit, ("late-member-not-fenced",)),
        (give_partitions_before_they_are_free, ("late-member-not-fenced", "two-owners")),
    ],
)
def test_a_mistake_about_groups_is_found(
    mistake: Plant, kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake(monkeypatch)

    assert _is_found(run_groups, kinds), f"{mistake.__name__} was not found"


def test_commits_that_are_answered_too_early_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(3):
        assert run_with_power_losses(seed).findings == []

    answer_before_the_records_are_safe(monkeypatch)

    assert _is_found(run_with_power_losses, ("committed-offset-went-back",))


def run_with_power_losses(seed: int) -> RunResult:
    losses = [Fault(1_500 + 900 * i, FaultKind.POWER_LOSS, 100, loses_power=True) for i in range(7)]
    partitions = [TopicPartition("orders", index) for index in range(4)]
    plan = Plan(
        duration_ms=8_000,
        groups=[GroupPlan("group", partitions, None, SESSION_MS, HEARTBEAT_MS)],
        member_counts=[4],
        static_percent=0,
        pace=Pace(),
        schedule=FaultSchedule(losses),
        events=[],
        max_executor_delay_ms=60,
    )
    return run_groups(seed, plan=plan)


def forget_who_has_what(patch: pytest.MonkeyPatch) -> None:
    """An upgrade takes the members over, but not their partitions."""
    original = upgrade._converted
    patch.setattr(upgrade, "_converted", lambda *member: original(*member)._replace(assigned={}))


def begin_at_nothing(patch: pytest.MonkeyPatch) -> None:
    """A downgrade does not go on from the epoch of the group."""

    class Forgetful(ClassicGroup):
        def value(self, *what: Any, generation: int) -> Any:
            return super().value(*what, generation=0)

    patch.setattr(downgrade, "ClassicGroup", Forgetful)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("mistake", "kinds"),
    [
        (forget_who_has_what, ("late-member-not-fenced", "two-owners")),
        (begin_at_nothing, ("late-member-not-fenced", "two-owners")),
    ],
)
def test_a_mistake_about_migration_is_found(
    mistake: Plant, kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(3):
        assert run_with_switches(seed).findings == []

    mistake(monkeypatch)

    assert _is_found(run_with_switches, kinds), f"{mistake.__name__} was not found"


def run_with_switches(seed: int) -> RunResult:
    """Four classic members, one after the other restarted with the protocol of KIP-848, and all the way back."""
    partitions = [TopicPartition("orders", index) for index in range(6)]
    plan = Plan(
        duration_ms=12_000,
        groups=[GroupPlan("group", partitions, "cooperative-sticky", SESSION_MS, HEARTBEAT_MS, migrates=True)],
        member_counts=[4],
        static_percent=0,
        pace=Pace(),
        schedule=FaultSchedule([]),
        events=[Event(2_000 + 1_200 * i, MemberEvent.SWITCH, i % 4, 100) for i in range(8)],
        consumer_percent=0,
    )
    return run_groups(seed, plan=plan)


def show_offsets_that_are_not_decided(patch: pytest.MonkeyPatch) -> None:
    """KIP-447: the next owner begins where the last transaction, still open, began."""
    patch.setattr(OffsetStore, "is_pending", lambda self, *place: False)


def take_every_transactional_commit(patch: pytest.MonkeyPatch) -> None:
    """KIP-447: a copier that has lost its partitions commits all the same."""
    patch.setattr(ClassicGroup, "check_transactional_commit", lambda self, *who: None)
    patch.setattr(ConsumerGroup, "check_transactional_commit", lambda self, *who: None)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("mistake", "kinds"),
    [
        (keep_the_epoch, ("duplicate", "torn-txn", "lost", "stuck-lso")),
        (skip_the_verification, ("duplicate", "torn-txn", "lost", "stuck-lso")),
    ],
)
def test_a_mistake_about_copies_is_found(
    mistake: Plant, kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake(monkeypatch)

    assert _is_found(run_copy, kinds), f"{mistake.__name__} was not found"


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("mistake", "strikes"),
    [
        # Two copiers begin anew all the time, so the partitions of the other two come and go.
        (show_offsets_that_are_not_decided, [copy.Strike(700 * i, 2 + i % 2, True, 400) for i in range(11)]),
        # All of them pause in turn, longer than their sessions.
        (take_every_transactional_commit, [copy.Strike(600 * i, i % 4, False, 5_000) for i in range(11)]),
    ],
)
def test_copiers_that_do_not_heed_each_other_are_found(
    mistake: Plant, strikes: list[copy.Strike], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = partial(run_with_changing_owners, strikes=strikes)
    for seed in range(2):
        assert run(seed).findings == []

    mistake(monkeypatch)

    assert _is_found(run, ("duplicate",)), f"{mistake.__name__} was not found"


def run_with_changing_owners(seed: int, *, strikes: list[copy.Strike]) -> RunResult:
    plan = copy.Plan(
        duration_ms=8_000,
        inputs=[TopicPartition("input", index) for index in range(4)],
        record_count=120,
        copier_count=4,
        assignor=None,
        is_static=False,
        late_percent=0,
        delay_percent=35,
        max_executor_delay_ms=0,
        schedule=FaultSchedule([]),
        strikes=strikes,
    )
    return run_copy(seed, plan=plan)


def _is_found(run: Callable[[int], RunResult], kinds: tuple[str, ...]) -> bool:
    return any(finding.kind in kinds for seed in range(SEED_LIMIT) for finding in run(seed).findings)
