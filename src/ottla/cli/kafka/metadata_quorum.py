"""`ottla metadata-quorum` (kafka-metadata-quorum.sh): the quorum of controllers and how far its replicas are."""

import json
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.results import Result, Timestamp
from ottla.cli.run import Run
from ottla.cli.tables import padded_table
from ottla.cli.tool import kafka_tool, tool_group
from ottla.client import QuorumDescription, QuorumReplica
from ottla.model.topic import id_text

metadata_quorum = tool_group(
    "metadata-quorum",
    is_kafka=True,
    asks_controllers=True,
    help="The quorum of controllers (kafka-metadata-quorum.sh).",
)


class QuorumStatus(NamedTuple):
    cluster_id: str
    leader_id: int
    leader_epoch: int
    high_watermark: int
    max_follower_lag: int
    max_follower_lag_time_ms: int
    current_voters: list[dict[str, object]]
    current_observers: list[dict[str, object]]


class ReplicationRow(NamedTuple):
    node_id: int
    directory_id: str
    log_end_offset: int
    lag: int
    last_fetch_timestamp: Timestamp
    last_caught_up_timestamp: Timestamp
    status: str


@kafka_tool("describe")
@click.option("--status", is_flag=True, help="A summary.")
@click.option("--replication", is_flag=True, help="A line for each replica.")
@click.option("--human-readable", is_flag=True, help="With --replication: times as `5 ms ago`.")
def describe(run: Run, status: bool, replication: bool, human_readable: bool) -> Result:
    """Describe the quorum: --status or --replication."""
    if status == replication:
        raise usage("One of --status or --replication must be specified with describe sub-command")
    with run.admin() as admin:
        quorum = admin.describe_quorum()
        cluster_id = admin.describe_cluster().cluster_id
    now_ms = int(time.time() * 1000)
    return _status(cluster_id, quorum) if status else _replication(quorum, now_ms, human_readable)


def _status(cluster_id: str, quorum: QuorumDescription) -> Result:
    replicas = [*quorum.voters, *quorum.observers]
    leader = next((each for each in replicas if each.replica_id == quorum.leader_id), None)
    if leader is None:
        raise Failure(f"the leader {quorum.leader_id} is not among the replicas of the quorum")
    behind = min(quorum.voters, key=lambda each: each.log_end_offset)
    lag_ms = leader.last_caught_up_ms - behind.last_caught_up_ms
    if behind.replica_id == leader.replica_id:
        lag_ms = 0
    elif behind.last_caught_up_ms < 0:
        lag_ms = -1
    item = QuorumStatus(
        cluster_id,
        quorum.leader_id,
        quorum.leader_epoch,
        quorum.high_watermark,
        leader.log_end_offset - behind.log_end_offset,
        lag_ms,
        [_replica(each, quorum) for each in quorum.voters],
        [_replica(each, quorum) for each in quorum.observers],
    )
    return Result("quorum_status", [item], QuorumStatus._fields, text="\n".join(_status_lines(item)))


def _replica(replica: QuorumReplica, quorum: QuorumDescription) -> dict[str, object]:
    found: dict[str, object] = {"id": replica.replica_id}
    if any(replica.directory_id):
        found["directoryId"] = id_text(replica.directory_id)
    if replica.replica_id in quorum.endpoints:
        found["endpoints"] = quorum.endpoints[replica.replica_id]
    return found


def _status_lines(item: QuorumStatus) -> Iterator[str]:
    for name, value in item._asdict().items():
        title = "".join(part.capitalize() for part in name.split("_"))
        yield f"{title + ':':<24}{json.dumps(value) if isinstance(value, list) else value}"


def _replication(quorum: QuorumDescription, now_ms: int, human_readable: bool) -> Result:
    end = next(each.log_end_offset for each in quorum.voters if each.replica_id == quorum.leader_id)

    def row(replica: QuorumReplica, status: str) -> ReplicationRow:
        return ReplicationRow(
            replica.replica_id,
            id_text(replica.directory_id),
            replica.log_end_offset,
            end - replica.log_end_offset,
            Timestamp(replica.last_fetch_ms),
            Timestamp(replica.last_caught_up_ms),
            status,
        )

    followers = [each for each in quorum.voters if each.replica_id != quorum.leader_id]
    rows = [row(each, "Leader") for each in quorum.voters if each.replica_id == quorum.leader_id]
    rows += [row(each, "Follower") for each in followers]
    rows += [row(each, "Observer") for each in quorum.observers]
    titles = ["NodeId", "DirectoryId", "LogEndOffset", "Lag", "LastFetchTimestamp", "LastCaughtUpTimestamp", "Status"]
    cells = [_cells(each, now_ms, human_readable) for each in rows]
    return Result("quorum_replication", rows, ReplicationRow._fields, text=padded_table(titles, cells))


def _cells(row: ReplicationRow, now_ms: int, human_readable: bool) -> Sequence[str]:
    def moment(value: Timestamp) -> str:
        return f"{now_ms - value} ms ago" if human_readable and value >= 0 else str(int(value))

    fetch, caught_up = moment(row.last_fetch_timestamp), moment(row.last_caught_up_timestamp)
    return [str(row.node_id), row.directory_id, str(row.log_end_offset), str(row.lag), fetch, caught_up, row.status]


@kafka_tool("add-controller", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1)
def add_controller(run: Run, words: tuple[str, ...]) -> None:
    """Not served yet."""
    raise Failure("AddRaftVoter is not served by Ottla's controllers yet")


@kafka_tool("remove-controller", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1)
def remove_controller(run: Run, words: tuple[str, ...]) -> None:
    """Not served yet."""
    raise Failure("RemoveRaftVoter is not served by Ottla's controllers yet")


for each in (describe, add_controller, remove_controller):
    metadata_quorum.add_command(each)
