"""`ottla consumer-groups` (kafka-consumer-groups.sh): list, describe, delete and reset consumer groups."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ottla.cli.failures import Failure, refusal_text, usage
from ottla.cli.kafka import group_rows
from ottla.cli.kafka.actions import one_action, parts
from ottla.cli.kafka.group_reset import ResetRow, Rule, export_text, new_offsets, parse_topics, read_plan, within_log
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tables import table
from ottla.cli.tool import kafka_tool
from ottla.client import GroupListing, OffsetAndMetadata, RequestRefused, TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

_RESET_HINT = "stop its consumers, then try again"
_DRY_RUN = (
    "WARN: No action will be performed as the --execute option is missing. "
    "You should add the --dry-run option explicitly if you are scripting this command."
)


class DeletedOffset(NamedTuple):
    topic: str
    partition: int
    status: str


class GroupRow(NamedTuple):
    group: str
    type: str
    state: str


@kafka_tool("consumer-groups", error_text="Error: {}")
@click.option("--list", "list_", is_flag=True, help="List the groups.")
@click.option("--describe", is_flag=True, help="Describe groups: offsets and lag, --members or --state.")
@click.option("--delete", is_flag=True, help="Delete groups without members.")
@click.option("--reset-offsets", is_flag=True, help="Set new offsets for groups without members.")
@click.option("--delete-offsets", is_flag=True, help="Delete the offsets of a group for --topic.")
@click.option("--validate-regex", metavar="REGEX", help="Is this a regular expression that the broker takes?")
@click.option("--group", "groups", multiple=True, metavar="GROUP", help="A group; repeatable.")
@click.option("--all-groups", is_flag=True, help="All groups.")
@click.option("--topic", "topics", multiple=True, metavar="TOPIC[:P,Q]", help="A topic, or some of its partitions.")
@click.option("--all-topics", is_flag=True, help="With --reset-offsets: all topics of the group.")
@click.option("--members", is_flag=True, help="With --describe: the members.")
@click.option("--offsets", is_flag=True, help="With --describe: offsets and lag; the default.")
@click.option("--state", is_flag=False, flag_value="", metavar="[LIST]", help="States; with --list only those.")
@click.option("--type", "types", is_flag=False, flag_value="", metavar="[LIST]", help="Types; with --list only those.")
@click.option("--verbose", is_flag=True, help="More columns.")
@click.option("--timeout", type=int, default=30000, metavar="MS", help="Limit of each request.")
@click.option("--to-earliest", is_flag=True, help="Reset to the first offset.")
@click.option("--to-latest", is_flag=True, help="Reset to the end.")
@click.option("--to-current", is_flag=True, help="Reset to the committed offset.")
@click.option("--to-offset", type=int, metavar="N", help="Reset to this offset.")
@click.option("--to-datetime", metavar="TIME", help="Reset to the first record at or after this time.")
@click.option("--by-duration", metavar="PnDTnHnMnS", help="Reset to this long ago.")
@click.option("--shift-by", type=int, metavar="N", help="Move the committed offset by this number.")
@click.option("--from-file", metavar="CSV", help="Reset to the offsets in a file of --export.")
@click.option("--dry-run", is_flag=True, help="With --reset-offsets: show only; the default.")
@click.option("--execute", is_flag=True, help="With --reset-offsets: do it.")
@click.option("--export", is_flag=True, help="With --reset-offsets: print CSV.")
def consumer_groups(
    run: Run, groups: tuple[str, ...], validate_regex: str | None, timeout: int, **flags: Any
) -> Result | None:
    """List, describe, delete and reset consumer groups (kafka-consumer-groups.sh).

    \b
    ottla consumer-groups --describe --group billing
    ottla consumer-groups --describe --all-groups --state
    ottla consumer-groups --reset-offsets --group billing --topic orders --to-earliest --execute
    """
    if validate_regex is not None:
        return _validate(validate_regex)
    actions = ("list_", "describe", "delete", "reset_offsets", "delete_offsets")
    action = one_action(flags, *actions)
    run.flags = run.flags._replace(properties=(f"default.api.timeout.ms={timeout}", *run.flags.properties))
    with run.admin() as admin:
        if action == "list_":
            return _list(admin, flags["state"], flags["types"])
        chosen = _chosen_groups(admin, groups, all_groups=flags["all_groups"], action=action)
        if action == "describe":
            return _describe(run, admin, chosen, flags)
        if action == "delete":
            return _delete(admin, chosen)
        if action == "delete_offsets":
            return _delete_offsets(admin, chosen, flags["topics"])
        return _reset(run, admin, chosen, flags)


def _validate(pattern: str) -> Result:
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
        raise Failure(f"The regular expression `{pattern}` is invalid: {reason}.") from error
    return Result("regex", [], text=f"The regular expression `{pattern}` is valid.")


def is_consumer_group(listing: GroupListing) -> bool:
    return listing.type.lower() in ("consumer", "classic", "") and listing.protocol_type in ("consumer", "")


def _list(admin: "Admin", state: str | None, types: str | None) -> Result:
    found = admin.list_groups(states=[_state_name(each) for each in parts(state)])
    wanted = {each.lower() for each in parts(types)}
    rows = [
        GroupRow(each.group_id, each.type.capitalize(), each.state)
        for each in found
        if is_consumer_group(each) and (not wanted or each.type.lower() in wanted)
    ]
    if state is None and types is None:
        return Result("groups", rows, ("group", "type", "state"), text="\n".join(row.group for row in rows))
    titles, fields, widths = ["GROUP"], ["group"], [25]
    if types is not None:
        titles, fields, widths = [*titles, "TYPE"], [*fields, "type"], [*widths, 20]
    if state is not None:
        titles, fields, widths = [*titles, "STATE"], [*fields, "state"], [*widths, 20]
    cells = [[getattr(row, field) for field in fields] for row in rows]
    return Result("groups", rows, ("group", "type", "state"), text=table(titles, cells, widths=widths, pads_last=True))


def _state_name(text: str) -> str:
    """Any case is accepted, as by Kafka's tool."""
    names = ("PreparingRebalance", "CompletingRebalance", "Stable", "Dead", "Empty", "Assigning", "Reconciling")
    by_lower = {name.lower(): name for name in names}
    if text.lower() not in by_lower:
        raise usage(f"Invalid state list '{text}'. Valid states are: {', '.join(names)}")
    return by_lower[text.lower()]


def _chosen_groups(admin: "Admin", groups: Sequence[str], *, all_groups: bool, action: str) -> list[str]:
    if all_groups and action != "delete_offsets":
        return [each.group_id for each in admin.list_groups() if is_consumer_group(each)]
    if not groups:
        raise usage(f"--{action.replace('_', '-')} needs --group or --all-groups")
    return list(dict.fromkeys(groups))


def _describe(run: Run, admin: "Admin", groups: Sequence[str], flags: dict[str, Any]) -> Result:
    verbose = flags["verbose"]
    described = [group_rows.describe(admin, group) for group in groups]
    for each in described:
        group_rows.note_state(run, each)
    if flags["state"] is not None:
        states = [group_rows.state_row(admin, each) for each in described]
        text = "\n".join(group_rows.state_table([row], verbose=verbose) for row in states)
        return Result("group_states", states, ("group", "coordinator", "state", "member_count"), text=text)
    blocks: list[str] = []
    rows: list[Any] = []
    for each in described:
        if flags["members"]:
            members = group_rows.member_rows(each)
            blocks.append(group_rows.members_table(members, verbose=verbose))
            rows += members
        else:
            offsets = group_rows.offset_rows(admin, each)
            blocks += [group_rows.offsets_table(offsets, verbose=verbose)] if offsets else []
            rows += offsets
    if flags["members"]:
        return Result(
            "group_members", rows, ("group", "consumer_id", "host", "partition_count"), text="\n".join(blocks)
        )
    columns = ("group", "topic", "partition", "current_offset", "log_end_offset", "lag")
    return Result("group_offsets", rows, columns, ("consumer_id", "host", "client_id"), text="\n".join(blocks))


def _delete(admin: "Admin", groups: Sequence[str]) -> Result:
    failures: dict[str, str] = {}
    for group in groups:
        try:
            admin.delete_groups([group])
        except RequestRefused as error:
            failures[group] = refusal_text(error).removeprefix(f"{group}: ")
    gone = [group for group in groups if group not in failures]
    names = ", ".join(f"'{group}'" for group in gone)
    if failures:
        lines = ["Deletion of some consumer groups failed:"]
        lines += [f"* Group '{group}' could not be deleted due to: {text}" for group, text in failures.items()]
        if gone:
            lines.append(f"These consumer groups were deleted successfully: {names}")
        raise Failure("\n".join(lines))
    rows = [GroupRow(group, "", "Dead") for group in gone]
    text = f"Deletion of requested consumer groups ({names}) was successful."
    return Result("deleted_groups", rows, ("group",), text=text)


def _delete_offsets(admin: "Admin", groups: Sequence[str], topics: Sequence[str]) -> Result:
    if len(groups) != 1 or not topics:
        raise usage("--delete-offsets needs one --group and --topic")
    group = groups[0]
    partitions = parse_topics(admin, topics)
    statuses = dict.fromkeys(partitions, "Successful")
    first = f"Request succeeded for deleting offsets from group {group}."
    try:
        admin.delete_group_offsets(group, partitions)
    except RequestRefused as error:
        if not error.failures:
            raise Failure(f"Request failed for group {group} with error: {refusal_text(error)}") from error
        first = "Encountered some partition-level error, see the follow-up details:"
        for partition, each in error.failures.items():
            statuses[partition] = f"Error: {refusal_text(each).removeprefix(f'{partition}: ')}"
    rows = [DeletedOffset(*partition, status) for partition, status in statuses.items()]
    cells = [[row.topic, str(row.partition), row.status] for row in rows]
    text = f"{first}\n\n" + table(["TOPIC", "PARTITION", "STATUS"], cells, widths=(15, 10, 15), pads_last=True)
    code = 0 if all(row.status == "Successful" for row in rows) else 1
    return Result("deleted_offsets", rows, ("topic", "partition", "status"), text=text, exit_code=code)


def _reset(run: Run, admin: "Admin", groups: Sequence[str], flags: dict[str, Any]) -> Result:
    rule = Rule(**{name: flags[name] for name in Rule._fields})
    if rule.given + (flags["from_file"] is not None) != 1:
        raise usage("--reset-offsets needs exactly one of --to-earliest, --to-latest, --to-current, --to-offset, "
                    "--to-datetime, --by-duration, --shift-by or --from-file")  # fmt: skip
    if sum((flags["dry_run"], flags["execute"])) > 1:
        raise usage("--dry-run and --execute exclude each other")
    if not flags["from_file"] and not flags["all_topics"] and not flags["topics"]:
        raise usage("--reset-offsets needs --topic, --all-topics or --from-file")
    plans = read_plan(flags["from_file"], groups) if flags["from_file"] else {}
    rows: list[ResetRow] = []
    for group in groups:
        _require_inactive(admin, group)
        if flags["from_file"]:
            found = within_log(admin, plans.get(group, {}), run.warn)
        else:
            current = {each: noted.offset for each, noted in admin.list_group_offsets(group).items()}
            partitions = sorted(current) if flags["all_topics"] else parse_topics(admin, flags["topics"])
            found = new_offsets(admin, partitions, current, rule, run.warn)
        rows += [ResetRow(group, *partition, offset) for partition, offset in sorted(found.items())]
    if flags["execute"]:
        _commit(admin, rows)
    elif not flags["dry_run"] and not flags["export"]:
        run.note(_DRY_RUN)
    columns = ("group", "topic", "partition", "new_offset")
    if flags["export"]:
        return Result("reset_offsets", rows, columns, text=export_text(rows, with_group=len(groups) > 1) + "\n\n")
    return Result("reset_offsets", rows, columns, text=_reset_table(rows))


def _require_inactive(admin: "Admin", group: str) -> None:
    try:
        state = group_rows.describe(admin, group).state
    except Failure:
        return  # a group that does not exist yet: its first offsets are set
    if state not in ("Empty", "Dead"):
        raise Failure(
            f"Assignments can only be reset if the group '{group}' is inactive, but the current state is {state}.",
            hint=_RESET_HINT,
        )


def _commit(admin: "Admin", rows: Sequence[ResetRow]) -> None:
    offsets: dict[str, dict[TopicPartition, OffsetAndMetadata]] = {}
    for row in rows:
        offsets.setdefault(row.group, {})[TopicPartition(row.topic, row.partition)] = OffsetAndMetadata(row.new_offset)
    for group, wanted in offsets.items():
        admin.alter_group_offsets(group, wanted)


def _reset_table(rows: Sequence[ResetRow]) -> str:
    if not rows:
        return ""
    cells = [[row.group, row.topic, str(row.partition), str(row.new_offset)] for row in rows]
    return "\n" + table(["GROUP", "TOPIC", "PARTITION", "NEW-OFFSET"], cells, widths=(15, 15, 10))
