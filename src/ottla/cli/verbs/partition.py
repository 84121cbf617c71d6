"""`ottla partition`: list partitions, move replicas, elect leaders."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.exit_codes import EXIT_FAILED
from ottla.cli.failures import Failure, refusal_text, usage
from ottla.cli.kafka.reassign_partitions import current_plan
from ottla.cli.kafka.reassign_plan import Plan, place, read_plan
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import tool_group, verb
from ottla.cli.verbs.topic import require_topic
from ottla.client import TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

partition = tool_group("partition", help="Partitions: list, move, elect.")


class PartitionSummary(NamedTuple):
    topic: str
    partition: int
    leader: int | None
    preferred: bool
    replicas: list[int]
    in_sync: list[int]


class Move(NamedTuple):
    topic: str
    partition: int
    from_replicas: list[int]
    to_replicas: list[int]


class Elected(NamedTuple):
    partition: str
    outcome: str


@verb("list")
@click.argument("topics", nargs=-1, metavar="[TOPIC]…")
def list_(run: Run, topics: tuple[str, ...]) -> Result:
    """List partitions with leaders and replicas; of all topics unless named."""
    with run.admin() as admin:
        described = admin.describe_topics(_names(admin, topics))
    rows = [
        PartitionSummary(
            name,
            view.partition,
            view.leader_id if view.leader_id >= 0 else None,
            view.leader_id == view.replicas[0],
            list(view.replicas),
            list(view.in_sync_replicas),
        )
        for name, found in sorted(described.items())
        for view in found.partitions
    ]
    return Result("partitions", rows, ("topic", "partition", "leader", "replicas", "in_sync"), ("preferred",))


def _names(admin: "Admin", topics: Sequence[str]) -> list[str]:
    for name in topics:
        require_topic(admin, name)
    return list(topics) or [each.name for each in admin.list_topics()]


@verb("move")
@click.argument("topics", nargs=-1, metavar="[TOPIC]…")
@click.option("--plan", "plan_file", metavar="FILE", help="A plan as JSON, as of reassign-partitions.")
@click.option("--drain", type=int, metavar="ID", help="Move everything away from this broker.")
@click.option("--balance", is_flag=True, help="Spread the replicas evenly over all brokers.")
@click.option("--apply", "is_applied", is_flag=True, help="Do it; without, only show.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def move(
    run: Run,
    topics: tuple[str, ...],
    plan_file: str | None,
    drain: int | None,
    balance: bool,
    is_applied: bool,
    yes: bool,
) -> Result:
    """Move replicas to other brokers: by a plan, away from a broker, or evenly. Shows the plan unless --apply."""
    if sum((plan_file is not None, drain is not None, balance)) != 1:
        raise usage("give one of --plan FILE, --drain ID and --balance")
    with run.admin() as admin:
        current = current_plan(admin, _names(admin, topics))
        racks = {node.id: node.rack for node in admin.describe_cluster().nodes}
        if plan_file is not None:
            wanted, _ = read_plan(plan_file)
            current.update(current_plan(admin, [each.topic for each in wanted]))
        elif drain is not None:
            wanted = drained(current, drain, [each for each in racks if each != drain])
        else:
            wanted = place(current, sorted(racks), racks)
        changed = {each: replicas for each, replicas in wanted.items() if replicas != current.get(each)}
        if is_applied and changed:
            run.confirm(f"move {len(changed)} partitions?", yes=yes)
            admin.alter_partition_reassignments(changed)
    if not is_applied and changed:
        run.note("nothing was changed; --apply does it")
    rows = [Move(*each, current.get(each, []), replicas) for each, replicas in sorted(changed.items())]
    return Result("moves", rows, ("topic", "partition", "from_replicas", "to_replicas"))


def drained(current: Plan, broker: int, others: Sequence[int]) -> Plan:
    """Each replica on the broker goes to the one with the fewest replicas that has none of this partition."""
    load = {each: sum(each in replicas for replicas in current.values()) for each in others}
    plan: Plan = {}
    for key, replicas in sorted(current.items()):
        if broker not in replicas:
            continue
        free = [each for each in others if each not in replicas]
        if not free:
            raise Failure(f"partition {key}: no other broker is left for its replica on broker {broker}")
        chosen = min(free, key=lambda each: (load[each], each))
        load[chosen] += 1
        plan[key] = [chosen if each == broker else each for each in replicas]
    return plan


@verb("elect")
@click.argument("topics", nargs=-1, metavar="[TOPIC]…")
@click.option("--unclean", is_flag=True, help="Any replica that is alive: records can be lost.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def elect(run: Run, topics: tuple[str, ...], unclean: bool, yes: bool) -> Result:
    """Elect the preferred replicas as leaders; of all topics unless named."""
    if unclean:
        run.confirm("elect leaders that may have lost records?", yes=yes)
    with run.admin() as admin:
        described = admin.describe_topics(_names(admin, topics))
        wanted = [TopicPartition(name, view.partition) for name, t in described.items() for view in t.partitions]
        found = admin.elect_leaders(wanted, unclean=unclean)
    rows = [Elected(str(each), "ok" if error is None else refusal_text(error)) for each, error in sorted(found.items())]
    code = EXIT_FAILED if any(row.outcome != "ok" for row in rows) else 0
    return Result("elections", rows, ("partition", "outcome"), exit_code=code)


for each in (list_, move, elect):
    partition.add_command(each)
