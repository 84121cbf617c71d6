"""`ottla reassign-partitions` (kafka-reassign-partitions.sh): moves replicas to other brokers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ottla.cli.failures import Failure, refusal_text, usage
from ottla.cli.kafka.actions import numbers, one_action
from ottla.cli.kafka.reassign_plan import Plan, place, plan_json, read_plan, read_topics
from ottla.cli.kafka.reassign_throttles import clear_throttles, set_throttles
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import RequestRefused, TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin


class Move(NamedTuple):
    partition: str
    replicas: list[int]
    status: str


@kafka_tool("reassign-partitions", asks_controllers=True, error_text="Error: {}")
@click.option("--generate", is_flag=True, help="Propose a plan for --topics-to-move-json-file on --broker-list.")
@click.option("--execute", is_flag=True, help="Start the moves of --reassignment-json-file.")
@click.option("--verify", is_flag=True, help="Have the moves of --reassignment-json-file ended?")
@click.option("--cancel", is_flag=True, help="Stop the moves of --reassignment-json-file.")
@click.option("--list", "list_", is_flag=True, help="List moves that are in progress.")
@click.option("--topics-to-move-json-file", "topics_file", metavar="FILE", help="Topics to move.")
@click.option("--reassignment-json-file", "plan_file", metavar="FILE", help="The plan.")
@click.option("--broker-list", metavar="ID,ID", help="Brokers to place replicas on.")
@click.option("--disable-rack-aware", is_flag=True, help="Do not look at racks.")
@click.option("--throttle", type=int, metavar="BYTES/S", help="Limit of the traffic between brokers.")
@click.option("--replica-alter-log-dirs-throttle", "log_dirs_throttle", type=int, metavar="BYTES/S")
@click.option("--additional", is_flag=True, help="Beside moves that are in progress.")
@click.option("--timeout", type=int, default=10000, metavar="MS")
@click.option("--preserve-throttles", is_flag=True, help="Leave the limits in place.")
@click.option("--disallow-replication-factor-change", is_flag=True, help="Refuse plans that change it.")
def reassign_partitions(run: Run, timeout: int, **flags: Any) -> Result:
    """Move replicas to other brokers (kafka-reassign-partitions.sh).

    \b
    ottla reassign-partitions --generate --topics-to-move-json-file topics.json --broker-list 1,2,3
    ottla reassign-partitions --execute --reassignment-json-file plan.json --throttle 50000000
    ottla reassign-partitions --verify --reassignment-json-file plan.json
    """
    action = one_action(flags, "generate", "execute", "verify", "cancel", "list_")
    if action in ("execute", "verify", "cancel") and flags["plan_file"] is None:
        raise usage(f"--{action} needs --reassignment-json-file")
    with run.admin() as admin:
        if action == "list_":
            return _list(admin)
        if action == "generate":
            return _generate(admin, flags)
        plan, directories = read_plan(flags["plan_file"])
        if action == "execute":
            return _execute(run, admin, plan, directories, flags)
        if action == "verify":
            return _verify(admin, plan, preserve=flags["preserve_throttles"])
        return _cancel(admin, plan, preserve=flags["preserve_throttles"])


def _list(admin: "Admin") -> Result:
    found = admin.list_partition_reassignments()
    rows = [Move(str(each), list(move.replicas), "in_progress") for each, move in sorted(found.items())]
    lines = ["Current partition reassignments:"] if found else ["No partition reassignments found."]
    for each, move in sorted(found.items()):
        line = f"{each}: replicas: {_joined(move.replicas)}."
        line += f" adding: {_joined(move.adding_replicas)}." if move.adding_replicas else ""
        line += f" removing: {_joined(move.removing_replicas)}." if move.removing_replicas else ""
        lines.append(line)
    return Result("reassignments", rows, Move._fields, text="\n".join(lines))


def _joined(ids: Sequence[int]) -> str:
    return ",".join(map(str, ids))


def current_plan(admin: "Admin", topics: Sequence[str]) -> Plan:
    described = admin.describe_topics(sorted(set(topics)))
    return {
        TopicPartition(name, view.partition): list(view.replicas)
        for name, topic in described.items()
        for view in topic.partitions
    }


def _directories(admin: "Admin") -> dict[tuple[TopicPartition, int], str]:
    """Where each replica lies: Kafka's tool prints it, so that a plan to go back is complete."""
    return {
        (partition, broker): directory.path
        for broker, directories in admin.describe_log_dirs().items()
        for directory in directories
        for partition, replica in directory.replicas.items()
        if not replica.is_future
    }


def _generate(admin: "Admin", flags: dict[str, Any]) -> Result:
    if flags["topics_file"] is None or flags["broker_list"] is None:
        raise usage("--generate needs --topics-to-move-json-file and --broker-list")
    brokers = numbers("--broker-list", flags["broker_list"])
    racks = {node.id: node.rack for node in admin.describe_cluster().nodes}
    _require_brokers(brokers, racks)
    current = current_plan(admin, read_topics(flags["topics_file"]))
    proposed = place(current, brokers, {} if flags["disable_rack_aware"] else racks)
    lines = ["Current partition replica assignment", plan_json(current, _directories(admin)), ""]
    lines += ["Proposed partition reassignment configuration", plan_json(proposed, {})]
    rows = [Move(str(each), replicas, "proposed") for each, replicas in proposed.items()]
    return Result("reassignments", rows, Move._fields, text="\n".join(lines))


def _require_brokers(brokers: Sequence[int], known: dict[int, str | None]) -> None:
    unknown = sorted(set(brokers) - set(known))
    if unknown:
        raise Failure(f"Unknown broker id {unknown[0]}; the cluster has {_joined(sorted(known))}")


def _execute(
    run: Run, admin: "Admin", plan: Plan, directories: dict[TopicPartition, dict[int, str]], flags: dict[str, Any]
) -> Result:
    if not flags["additional"] and admin.list_partition_reassignments():
        raise Failure(
            "Cannot execute because there is an existing partition assignment.",
            hint="--additional overrides this; --cancel or --verify ends the other one",
        )
    _require_brokers(sorted({each for row in plan.values() for each in row}), _known_brokers(admin))
    current = current_plan(admin, [partition.topic for partition in plan])
    missing = sorted(set(plan) - set(current))
    if missing:
        raise Failure(f"partition {missing[0]} does not exist")
    if flags["disallow_replication_factor_change"]:
        for partition, replicas in plan.items():
            if len(replicas) != len(current[partition]):
                raise Failure(f"the plan changes the replication factor of {partition}")
    affected = {partition: current[partition] for partition in plan}
    lines = ["Current partition replica assignment", "", plan_json(affected, _directories(admin)), ""]
    lines.append("Save this to use as the --reassignment-json-file option during rollback")
    lines += set_throttles(admin, plan, current, flags["throttle"], flags["log_dirs_throttle"])
    try:
        admin.alter_partition_reassignments(plan)
    except RequestRefused as error:
        reasons = "\n".join(f"{each}: {refusal_text(why)}" for each, why in error.failures.items()) or refusal_text(
            error
        )
        raise Failure(f"Error reassigning partition(s):\n{reasons}") from error
    for broker, chosen in _by_broker(directories).items():
        admin.alter_replica_log_dirs(broker, chosen)
    plural = "s" if len(plan) != 1 else ""
    names = ",".join(map(str, sorted(plan)))
    lines.append(f"Successfully started partition reassignment{plural} for {names}")
    rows = [Move(str(each), replicas, "started") for each, replicas in sorted(plan.items())]
    return Result("reassignments", rows, Move._fields, text="\n".join(lines))


def _known_brokers(admin: "Admin") -> dict[int, str | None]:
    return {node.id: node.rack for node in admin.describe_cluster().nodes}


def _by_broker(directories: dict[TopicPartition, dict[int, str]]) -> dict[int, dict[TopicPartition, str]]:
    found: dict[int, dict[TopicPartition, str]] = {}
    for partition, chosen in directories.items():
        for broker, path in chosen.items():
            found.setdefault(broker, {})[partition] = path
    return found


def _verify(admin: "Admin", plan: Plan, *, preserve: bool) -> Result:
    moves = admin.list_partition_reassignments()
    current = current_plan(admin, [partition.topic for partition in plan])
    rows: list[Move] = []
    lines = ["Status of partition reassignment:"]
    for partition, replicas in sorted(plan.items()):
        now = current.get(partition, [])
        if partition in moves:
            status, text = "in_progress", "is still in progress."
        elif now == replicas:
            status, text = "completed", "is completed."
        else:
            status = "superseded"
            text = f"is completed, but the replica set is {_joined(now)} rather than {_joined(replicas)}."
            lines.append(f"There is no active reassignment of partition {partition}, but replica set is "
                         f"{_joined(now)} rather than {_joined(replicas)}.")  # fmt: skip
            rows.append(Move(str(partition), now, status))
            continue
        lines.append(f"Reassignment of partition {partition} {text}")
        rows.append(Move(str(partition), now, status))
    if not moves and not preserve:
        lines += ["", *clear_throttles(admin, {partition.topic for partition in plan})]
    return Result("reassignments", rows, Move._fields, text="\n".join(lines))


def _cancel(admin: "Admin", plan: Plan, *, preserve: bool) -> Result:
    active = sorted(set(plan) & set(admin.list_partition_reassignments()))
    if active:
        admin.alter_partition_reassignments(dict.fromkeys(active))
        plural = "s" if len(active) != 1 else ""
        names = ",".join(map(str, active))
        lines = [f"Successfully cancelled partition reassignment{plural} for: {names}"]
    else:
        lines = ["None of the specified partition reassignments are active."]
    lines.append("None of the specified partition moves are active.")
    if not preserve:
        lines += clear_throttles(admin, {partition.topic for partition in plan})
    rows = [Move(str(each), plan[each], "cancelled") for each in active]
    return Result("reassignments", rows, Move._fields, text="\n".join(lines))
