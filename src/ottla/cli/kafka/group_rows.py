"""What there is to say about consumer groups: offsets and lag, members, state. Typed rows and Kafka's tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ottla.cli.failures import Failure
from ottla.cli.run import Run
from ottla.cli.tables import table
from ottla.client import GroupDescription, MemberDescription, OffsetAndMetadata, OffsetSpec, TopicPartition
from ottla.client.errors import RequestRefused
from ottla.model.error_codes import ErrorCode

if TYPE_CHECKING:
    from ottla.client import Admin

MISSING = "-"
_REBALANCING = {"PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling"}


class OffsetRow(NamedTuple):
    """One partition that a group reads or has read."""

    group: str
    topic: str
    partition: int
    leader_epoch: int | None
    current_offset: int | None
    log_end_offset: int | None
    lag: int | None
    consumer_id: str | None
    host: str | None
    client_id: str | None


class MemberRow(NamedTuple):
    group: str
    consumer_id: str
    group_instance_id: str | None
    host: str
    client_id: str
    partition_count: int
    current_epoch: int | None
    current_assignment: str | None
    target_epoch: int | None
    target_assignment: str | None
    upgraded: bool | None


class StateRow(NamedTuple):
    group: str
    type: str
    coordinator: str
    coordinator_id: int
    assignment_strategy: str
    state: str
    group_epoch: int | None
    target_assignment_epoch: int | None
    member_count: int


def describe(admin: "Admin", group: str) -> GroupDescription:
    """Raises Failure for a group that does not exist."""
    try:
        described = admin.describe_groups([group])[group]
    except RequestRefused as error:
        if error.code != ErrorCode.GROUP_ID_NOT_FOUND:
            raise
        raise _no_group(group) from error
    if described.state == "Dead":
        raise _no_group(group)
    return described


def _no_group(group: str) -> Failure:
    return Failure(f"Consumer group '{group}' does not exist.", code=3, name=ErrorCode.GROUP_ID_NOT_FOUND.name)


def note_state(run: Run, described: GroupDescription) -> None:
    """What Kafka's tool prints on stderr before a table."""
    if described.state == "Empty":
        run.note(f"\nConsumer group '{described.group_id}' has no active members.")
    elif described.state in _REBALANCING:
        run.note(f"\nWarning: Consumer group '{described.group_id}' is rebalancing.")


# offsets


def offset_rows(admin: "Admin", described: GroupDescription) -> list[OffsetRow]:
    committed = admin.list_group_offsets(described.group_id)
    assigned: dict[TopicPartition, MemberDescription] = {}
    for member in sorted(described.members, key=lambda each: -len(each.assignment)):
        for partition in sorted(member.assignment):
            assigned.setdefault(partition, member)
    every = [*assigned, *sorted(set(committed) - set(assigned))]
    ends = end_offsets(admin, every)
    return [_offset_row(described.group_id, each, committed, ends, assigned.get(each)) for each in every]


def _offset_row(
    group: str,
    partition: TopicPartition,
    committed: Mapping[TopicPartition, OffsetAndMetadata],
    ends: Mapping[TopicPartition, int],
    member: MemberDescription | None,
) -> OffsetRow:
    noted, end = committed.get(partition), ends.get(partition)
    current = noted.offset if noted is not None else None
    epoch = noted.leader_epoch if noted is not None and noted.leader_epoch >= 0 else None
    lag = end - current if end is not None and current is not None else None
    who = (member.member_id, member.host, member.client_id) if member is not None else (None, None, None)
    return OffsetRow(group, partition.topic, partition.partition, epoch, current, end, lag, *who)


def end_offsets(admin: "Admin", partitions: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
    return known_offsets(admin, partitions, OffsetSpec.LATEST)


def known_offsets(admin: "Admin", partitions: Iterable[TopicPartition], when: int) -> dict[TopicPartition, int]:
    """Partitions of topics that are gone are left out, and those without a record that young."""
    wanted = list(partitions)
    try:
        listed = admin.list_offsets(dict.fromkeys(wanted, when)) if wanted else {}
    except RequestRefused:
        if len(wanted) == 1:
            return {}
        one_by_one = [known_offsets(admin, [partition], when) for partition in wanted]
        return {partition: offset for each in one_by_one for partition, offset in each.items()}
    return {partition: row.offset for partition, row in listed.items() if row.offset >= 0}


def offsets_table(rows: Sequence[OffsetRow], *, verbose: bool) -> str:
    titles = ["GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST"]
    fields = ["group", "topic", "partition", "current_offset", "log_end_offset", "lag", "consumer_id", "host"]
    widths = [15, 15, 10, 15, 15, 15, 15, 15]
    if verbose:
        titles.insert(3, "LEADER-EPOCH")
        fields.insert(3, "leader_epoch")
        widths.insert(3, 15)
    return _table([*titles, "CLIENT-ID"], [*fields, "client_id"], widths, rows)


# members


def member_rows(described: GroupDescription) -> list[MemberRow]:
    is_consumer_group = described.type == "consumer"
    return [
        MemberRow(
            described.group_id,
            member.member_id,
            member.group_instance_id,
            member.host,
            member.client_id,
            len(member.assignment),
            member.epoch,
            assignment_text(member.assignment),
            described.assignment_epoch if is_consumer_group else None,
            assignment_text(member.target_assignment) if is_consumer_group else None,
            member.is_upgraded,
        )
        for member in described.members
    ]


def assignment_text(partitions: Iterable[TopicPartition]) -> str | None:
    """`orders:0,1;other:2`."""
    topics: dict[str, list[str]] = {}
    for topic, number in sorted(partitions):
        topics.setdefault(topic, []).append(str(number))
    return ";".join(f"{topic}:{','.join(found)}" for topic, found in topics.items()) or None


def members_table(rows: Sequence[MemberRow], *, verbose: bool) -> str:
    titles, fields = ["GROUP", "CONSUMER-ID"], ["group", "consumer_id"]
    widths = [15, 15]
    if any(row.group_instance_id for row in rows):
        titles, fields, widths = [*titles, "GROUP-INSTANCE-ID"], [*fields, "group_instance_id"], [*widths, 17]
    titles += ["HOST", "CLIENT-ID", "#PARTITIONS"]
    fields += ["host", "client_id", "partition_count"]
    widths += [15, 15, 15]
    if verbose:
        titles += ["CURRENT-EPOCH", "CURRENT-ASSIGNMENT", "TARGET-EPOCH", "TARGET-ASSIGNMENT"]
        fields += ["current_epoch", "current_assignment", "target_epoch", "target_assignment"]
        widths += [15, 20, 15, 20]
        if any(row.upgraded is False for row in rows):
            titles, fields, widths = [*titles, "UPGRADED"], [*fields, "upgraded"], [*widths, 15]
    text = _table(titles, fields, widths, rows, pads_last=True)
    # Kafka's short table has one more blank at the end of its lines.
    return text if verbose else text.replace("\n", " \n").removeprefix(" ") + " "


# state


def state_row(admin: "Admin", described: GroupDescription) -> StateRow:
    nodes = {node.id: node for node in admin.describe_cluster().nodes}
    node = nodes.get(described.coordinator_id)
    return StateRow(
        described.group_id,
        described.type,
        f"{node.host}:{node.port}" if node is not None else "",
        described.coordinator_id,
        described.assignor,
        described.state,
        described.epoch,
        described.assignment_epoch,
        len(described.members),
    )


def state_table(rows: Sequence[StateRow], *, verbose: bool) -> str:
    titles = ["GROUP", "COORDINATOR (ID)", "ASSIGNMENT-STRATEGY", "STATE"]
    widths = [15, 25, 20, 20]
    if verbose:
        titles += ["GROUP-EPOCH", "TARGET-ASSIGNMENT-EPOCH"]
        widths += [15, 25]

    def cells(row: StateRow) -> Iterator[str]:
        yield row.group
        yield f"{row.coordinator}  ({row.coordinator_id})"
        yield _cell(row.assignment_strategy)
        yield row.state
        if verbose:
            yield _cell(row.group_epoch)
            yield _cell(row.target_assignment_epoch)
        yield str(row.member_count)

    return "\n" + table([*titles, "#MEMBERS"], [list(cells(row)) for row in rows], widths=widths)


def _table(
    titles: Sequence[str],
    fields: Sequence[str],
    widths: Sequence[int],
    rows: Sequence[object],
    *,
    pads_last: bool = False,
) -> str:
    """With an empty line before it, as Kafka has it."""
    cells = [[_cell(getattr(row, field)) for field in fields] for row in rows]
    text = table(titles, cells, widths=widths, pads_last=pads_last)
    return "\n" + text


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return MISSING if value is None or value == "" else str(value)
