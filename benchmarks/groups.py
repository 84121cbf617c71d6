"""Consumer groups: rebalances of 100 members, commits per second, 1,000 groups."""

import asyncio
import time
from collections.abc import Callable

from benchmarks import group_commits
from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.group_client import (
    ClassicMember,
    ConsumerMember,
    GroupProgress,
    connected,
)
from benchmarks.group_commits import COMMIT_VERSION, commit_request
from benchmarks.raw_client import RawClient, check_code
from benchmarks.results import Row, at_most
from benchmarks.topics import create_topic, delete_topic, fresh_name
from benchmarks.waiting import COORDINATOR_NOT_READY, retry
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.generated.list_groups_request import ListGroupsRequest

_STABLE_TIMEOUT_S = 180
_JOINERS = 20


def rows(load: Load) -> list[Row]:
    group = f"{load.members} members x {load.members} partitions"
    return [
        Row("groups.classic.form", f"all but one of {group} form a classic group", "s", at_most(1.0)),
        Row("groups.classic.rebalance", f"{group}: the last one joins (classic)", "s", at_most(1.0)),
        Row("groups.consumer.form", f"all but one of {group} form a KIP-848 group", "s", at_most(1.0)),
        Row("groups.consumer.rebalance", f"{group}: the last one joins (KIP-848)", "s", at_most(1.0)),
        *group_commits.rows(),
        Row("groups.many", f"{load.groups:,} groups of one member: join, sync, commit", "s", at_most(1.0)),
        Row("groups.list", f"list {load.groups:,} groups and more", "ms", at_most(1.0)),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    await_coordinator(node, "any", 0)
    topic = fresh_name("groups")
    create_topic(node, topic, load.members)

    def classic(group: str, number: int, progress: GroupProgress) -> ClassicMember:
        return ClassicMember(node, group, number, progress)

    def consumer(group: str, number: int, progress: GroupProgress) -> ConsumerMember:
        return ConsumerMember(node, group, number, progress, topic, load.members)

    for key, create in (("classic", classic), ("consumer", consumer)):
        formed, rebalanced = asyncio.run(_rebalances(create, load.members))
        put(f"groups.{key}.form", formed)
        put(f"groups.{key}.rebalance", rebalanced)
    group_commits.measure(node, topic, load, put)
    put("groups.many", asyncio.run(_many_groups(node, topic, load.groups)))
    with RawClient(node) as client:
        began = time.perf_counter()
        listed = client.call(ListGroupsRequest(), 4)
        put("groups.list", (time.perf_counter() - began) * 1e3)
    check_code("list groups", listed.error_code)
    if len(listed.groups) < load.groups:
        raise RuntimeError(f"list groups: {len(listed.groups)} groups, {load.groups} were created")
    delete_topic(node, topic)


def await_coordinator(node: BrokerNode, key: str, key_type: int) -> None:
    """The first look-up creates the internal topic; until its leader has loaded it there is no coordinator."""

    def find() -> None:
        response = client.call(FindCoordinatorRequest(key=key, key_type=key_type), 2)
        check_code("find coordinator", response.error_code)

    with RawClient(node) as client:
        retry(find, COORDINATOR_NOT_READY, pause_s=0.05)


# -- rebalances

Member = ClassicMember | ConsumerMember
CreateMember = Callable[[str, int, GroupProgress], Member]


async def _rebalances(create: CreateMember, count: int) -> tuple[float, float]:
    """Seconds until all but one have their share, and until all have theirs after the last one joins.

    With as many partitions as members the last one can only get what another gives up.
    """
    group = fresh_name("group")
    progress = GroupProgress(count - 1)
    began = time.perf_counter()
    tasks = [asyncio.create_task(create(group, number, progress).run()) for number in range(1, count)]
    try:
        await _stable(progress, tasks)
        formed = time.perf_counter() - began
        progress.grow(count)
        began = time.perf_counter()
        tasks.append(asyncio.create_task(create(group, 0, progress).run()))
        await _stable(progress, tasks)
        return formed, time.perf_counter() - began
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _stable(progress: GroupProgress, tasks: list[asyncio.Task[None]]) -> None:
    """Members run until they are cancelled: one that ends has failed."""
    waiting = asyncio.create_task(progress.is_stable.wait())
    done, _ = await asyncio.wait([waiting, *tasks], timeout=_STABLE_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
    if waiting in done:
        return
    waiting.cancel()
    for task in done:
        task.result()
    raise RuntimeError(f"a group of {progress.size} was not stable within {_STABLE_TIMEOUT_S} s")


# -- many groups


async def _many_groups(node: BrokerNode, topic: str, count: int) -> float:
    names = [fresh_name("many") for _ in range(count)]

    async def form(share: list[str]) -> None:
        async with connected(node) as connection:
            for name in share:
                member = ClassicMember(node, name, 0, GroupProgress(1))
                generation = await member.join(connection)
                request = commit_request(name, topic, 1)
                request.generation_id_or_member_epoch = -1 if generation is None else generation
                request.member_id = member.member_id
                response = await connection.ask(request, COMMIT_VERSION)
                check_code(f"commit of {name}", response.topics[0].partitions[0].error_code)

    began = time.perf_counter()
    await asyncio.gather(*(form(names[start::_JOINERS]) for start in range(_JOINERS)))
    return time.perf_counter() - began


FAMILY = Family("groups", "groups", rows, measure)
