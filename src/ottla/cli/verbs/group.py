"""`ottla group`: list, describe, seek and delete consumer groups."""

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.failures import Failure, not_found, usage
from ottla.cli.kafka import group_rows
from ottla.cli.kafka.group_reset import Rule, datetime_ms, new_offsets, parse_topics
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import tool_group, verb
from ottla.client import GroupDescription, OffsetAndMetadata, TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

group = tool_group("group", help="Consumer groups: list, describe, seek, delete.")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class GroupSummary(NamedTuple):
    group: str
    type: str
    state: str
    members: int
    lag: int | None


class Seek(NamedTuple):
    group: str
    topic: str
    partition: int
    from_offset: int | None
    to_offset: int


class Deleted(NamedTuple):
    group: str


def known_groups(admin: "Admin") -> list[str]:
    return [each.group_id for each in admin.list_groups()]


def require_group(admin: "Admin", name: str) -> GroupDescription:
    try:
        return group_rows.describe(admin, name)
    except Failure as failure:
        if failure.name != "GROUP_ID_NOT_FOUND":
            raise
        raise not_found("group", name, known_groups(admin)) from None


def summary(admin: "Admin", name: str) -> GroupSummary:
    described = require_group(admin, name)
    lags = [row.lag for row in group_rows.offset_rows(admin, described) if row.lag is not None]
    return GroupSummary(name, described.type, described.state, len(described.members), sum(lags) if lags else None)


@verb("list")
def list_(run: Run) -> Result:
    """List the groups with their lag."""
    with run.admin() as admin:
        rows = [summary(admin, name) for name in known_groups(admin)]
    return Result("groups", rows, ("group", "state", "members", "lag"), ("type",))


@verb("describe")
@click.argument("name", metavar="GROUP")
@click.option("--members", is_flag=True, help="The members instead of the offsets.")
def describe(run: Run, name: str, members: bool) -> Result:
    """Describe a group: offsets and lag of each partition, or its members."""
    with run.admin() as admin:
        described = require_group(admin, name)
        run.note(f"{name}  {described.type}, {described.state}, {len(described.members)} members")
        if members:
            rows = group_rows.member_rows(described)
            shown = ("consumer_id", "client_id", "host", "partition_count", "current_assignment")
            return Result("group_members", rows, shown, ("group_instance_id", "current_epoch", "target_assignment"))
        found = group_rows.offset_rows(admin, described)
    columns = ("topic", "partition", "current_offset", "log_end_offset", "lag", "client_id")
    return Result("group_offsets", found, columns, ("consumer_id", "host", "leader_epoch"))


@verb("seek")
@click.argument("name", metavar="GROUP")
@click.option("--to", "target", required=True, metavar="WHERE", help="start, end, -1h, @2026-01-31T10:00Z, +100, 1200.")
@click.option("-t", "--topic", "topics", multiple=True, metavar="TOPIC[:P,Q]", help="Only these; all unless given.")
@click.option("--apply", "is_applied", is_flag=True, help="Do it; without, only show.")
def seek(run: Run, name: str, target: str, topics: tuple[str, ...], is_applied: bool) -> Result:
    """Set new offsets for a group without members. Shows what it would do unless --apply.

    \b
    ottla group seek billing --to start
    ottla group seek billing --to -1h --apply         one hour back
    ottla group seek billing --to -100 -t orders:0    100 records back
    """
    rule = parse_target(target)
    with run.admin() as admin:
        described = require_group(admin, name)
        if described.state not in ("Empty", "Dead"):
            raise Failure(f"group {name!r} is {described.state}: offsets can be set only without members",
                          hint="stop its consumers first")  # fmt: skip
        current = {each: noted.offset for each, noted in admin.list_group_offsets(name).items()}
        partitions = parse_topics(admin, topics) if topics else sorted(current)
        found = new_offsets(admin, partitions, current, rule, run.warn)
        if is_applied:
            admin.alter_group_offsets(name, {each: OffsetAndMetadata(offset) for each, offset in found.items()})
    if not is_applied:
        run.note("nothing was changed; --apply does it")
    rows = [Seek(name, *each, current.get(TopicPartition(*each)), offset) for each, offset in sorted(found.items())]
    return Result("seek", rows, ("topic", "partition", "from_offset", "to_offset"))


def parse_target(text: str) -> Rule:
    """start, end, a time back (-90s, -15m, -1h, -2d), a moment (@…), a shift (-100, +100) or an offset."""
    if text in ("start", "earliest"):
        return Rule(to_earliest=True)
    if text in ("end", "latest"):
        return Rule(to_latest=True)
    back = re.fullmatch(r"@?-(\d+)([smhd])", text)
    if back is not None:
        seconds = int(back[1]) * _UNITS[back[2]]
        return Rule(to_datetime=datetime.fromtimestamp(datetime.now(UTC).timestamp() - seconds, UTC).isoformat())
    if text.startswith("@"):
        datetime_ms(text[1:])
        return Rule(to_datetime=text[1:])
    if re.fullmatch(r"[+-]\d+", text):
        return Rule(shift_by=int(text))
    if text.isdigit():
        return Rule(to_offset=int(text))
    raise usage(f"--to {text}: give start, end, -1h, @2026-01-31T10:00Z, -100, +100 or an offset")


@verb("delete")
@click.argument("names", nargs=-1, required=True, metavar="GROUP…")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(run: Run, names: tuple[str, ...], yes: bool) -> Result:
    """Delete groups without members, with their offsets."""
    with run.admin() as admin:
        for name in names:
            require_group(admin, name)
        run.confirm(f"delete {', '.join(names)} with all offsets?", yes=yes)
        admin.delete_groups(names)
    return Result("deleted_groups", [Deleted(name) for name in names], ("group",))


for each in (list_, describe, seek, delete):
    group.add_command(each)
