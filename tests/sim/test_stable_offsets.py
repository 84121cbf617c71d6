"""The watch over the last stable offset looks all through a run; planted bugs show that it can find something."""

from collections.abc import Callable
from typing import Any

import pytest

from ottla.broker.coordinators.marker_writer import MarkerWriter
from ottla.broker.shards.shard_host import ShardHost
from ottla.coordination.shard import Decision
from ottla.sim.node import SimNode
from ottla.sim.workloads.produce_consume import create_topics, make_node
from ottla.sim.workloads.transfers import PARTITIONS, SETTINGS, TIMEOUT_MS, Transfers, run_transfers
from ottla.sim.world import SimWorld
from ottla.transactions.shard import TransactionShard
from tests.support.virtual_time import time_passes

Story = Callable[[SimNode, Transfers], Any]
LIMIT_S = TIMEOUT_MS / 1000 + 10


def never_time_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TransactionShard, "_time_out", lambda self, known, now: Decision())


def never_write_markers(patch: pytest.MonkeyPatch) -> None:
    """The transaction is decided, and its partitions never hear of it."""
    patch.setattr(MarkerWriter, "_write", lambda self, host, order, inherited: self._finish(host, order))


async def _nobody_restores(writer: MarkerWriter, host: ShardHost) -> None:
    """As if nothing could be lost."""


def play(story: Story) -> Transfers:
    with SimWorld(1) as world:
        node = make_node(world, SETTINGS)
        run = Transfers(world, node)
        world.run(_abandoned(node, run, story))
    return run


async def _abandoned(node: SimNode, run: Transfers, story: Story) -> None:
    """A transaction that only time can end; what happens then is the story. Nothing is looked at when it is over."""
    await node.start()
    run.watch.start()
    await create_topics(run.client("admin"), {each.topic: {} for each in PARTITIONS}, partition_count=1)
    await run.add_producer("producer", "abandoned").abandon(b"value")
    await story(node, run)
    run.watch.stop()


async def _wait(node: SimNode, run: Transfers) -> None:
    await time_passes(LIMIT_S + 1)


async def _wait_not_quite(node: SimNode, run: Transfers) -> None:
    await time_passes(LIMIT_S - 1)


async def _is_down(node: SimNode, run: Transfers) -> None:
    node.kill()
    await time_passes(10 * LIMIT_S)
    await node.start()
    await time_passes(LIMIT_S - 1)


async def _is_paused(node: SimNode, run: Transfers) -> None:
    node.pause()
    await time_passes(10 * LIMIT_S)
    node.resume()
    await time_passes(LIMIT_S - 1)


async def _has_a_full_disk(node: SimNode, run: Transfers) -> None:
    node.faults.space_bytes = node.image.used_bytes()
    await time_passes(10 * LIMIT_S)
    node.faults.space_bytes = None
    await time_passes(LIMIT_S - 1)


async def _loads_slowly(node: SimNode, run: Transfers) -> None:
    load = ShardHost.load

    async def load_late(self: ShardHost) -> None:
        await time_passes(10 * LIMIT_S)
        await load(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ShardHost, "load", load_late)
        node.kill()
        await node.start()
        await time_passes(11 * LIMIT_S - 1)


async def _restarts_in_between(node: SimNode, run: Transfers) -> None:
    for _ in range(4):
        await time_passes(LIMIT_S / 3)
        node.kill()
        await node.start()


def stuck(run: Transfers) -> list[str]:
    return [finding.text.split(":")[0] for finding in run.history.findings if finding.kind == "stuck-lso"]


def test_an_abandoned_transaction_holds_readers_as_long_as_its_timeout() -> None:
    run = play(_wait)

    assert stuck(run) == []
    assert TIMEOUT_MS - 200 < run.watch.longest_ms < TIMEOUT_MS + 1_000


@pytest.mark.parametrize("plant", [never_time_out, never_write_markers])
@pytest.mark.parametrize("story", [_wait, _restarts_in_between])
def test_readers_that_are_held_too_long_are_found_during_the_run(
    plant: Callable[[pytest.MonkeyPatch], None], story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    if plant is never_write_markers and story is _restarts_in_between:
        # A restart makes good for what was lost, which is how it should be.
        monkeypatch.setattr(MarkerWriter, "restore", _nobody_restores)
    plant(monkeypatch)

    assert sorted(stuck(play(story))) == ["credits-0", "debits-0"]


@pytest.mark.parametrize("story", [_wait_not_quite, _is_down, _is_paused, _loads_slowly, _has_a_full_disk])
def test_only_the_time_of_a_broker_at_work_counts(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the bug in place, so that nothing but the rule keeps the watch quiet."""
    never_time_out(monkeypatch)

    assert stuck(play(story)) == []


@pytest.mark.parametrize("plant", [never_time_out, never_write_markers])
def test_the_workload_finds_it_before_its_end(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody_looks(self: Transfers) -> None:
        pass

    plant(monkeypatch)
    monkeypatch.setattr(Transfers, "check_outcome", nobody_looks)

    kinds = (finding.kind for seed in range(40) for finding in run_transfers(seed).findings)
    assert "stuck-lso" in kinds
