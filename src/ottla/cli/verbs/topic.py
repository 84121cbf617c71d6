"""`ottla topic`: list, create, describe, delete, export, import topics; their settings and offsets."""

from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.failures import Failure, not_found, usage
from ottla.cli.kafka.group_rows import known_offsets
from ottla.cli.kafka.topic_describe import describe_rows
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import tool_group, verb
from ottla.cli.verbs.topic_files import export_topic, import_topic
from ottla.client import ConfigResource, ConfigResourceType, NewTopic, OffsetSpec, TopicPartition
from ottla.model.topic import name_problem

if TYPE_CHECKING:
    from ottla.client import Admin

topic = tool_group("topic", help="Topics: list, create, describe, delete, config, offsets, export, import.")


class TopicSummary(NamedTuple):
    topic: str
    partitions: int
    replicas: int
    under_replicated: int
    internal: bool
    records: int | None


class PartitionDetails(NamedTuple):
    topic: str
    partition: int
    leader: int | None
    replicas: list[int]
    in_sync: list[int]
    first_offset: int | None
    end_offset: int | None


class Setting(NamedTuple):
    name: str
    value: str | None
    source: str


class Changed(NamedTuple):
    topic: str
    action: str


@verb("list")
@click.option("--internal", is_flag=True, help="Internal topics too.")
@click.argument("pattern", required=False)
def list_(run: Run, internal: bool, pattern: str | None) -> Result:
    """List the topics, or those whose name has PATTERN in it."""
    with run.admin() as admin:
        listed = [each for each in admin.list_topics(include_internal=internal) if not pattern or pattern in each.name]
        described = admin.describe_topics([each.name for each in listed]) if listed else {}
        views = [TopicPartition(n, v.partition) for n, t in described.items() for v in t.partitions]
        ends = known_offsets(admin, views, OffsetSpec.LATEST)
        starts = known_offsets(admin, views, OffsetSpec.EARLIEST)
    rows = []
    for name, found in sorted(described.items()):
        mine = [each for each in views if each.topic == name]
        behind = sum(len(view.in_sync_replicas) < len(view.replicas) for view in found.partitions)
        count = sum(ends[each] - starts[each] for each in mine if each in ends and each in starts)
        replicas = len(found.partitions[0].replicas) if found.partitions else 0
        rows.append(TopicSummary(name, len(mine), replicas, behind, found.is_internal, count))
    return Result("topics", rows, ("topic", "partitions", "replicas", "records"), ("under_replicated", "internal"))


@verb("create")
@click.argument("names", nargs=-1, required=True, metavar="TOPIC…")
@click.option("-p", "--partitions", type=click.IntRange(1), metavar="N", help="The broker's default unless given.")
@click.option("-r", "--replicas", type=click.IntRange(1, 32767), metavar="N", help="The broker's default unless given.")
@click.option("-c", "--config", "configs", multiple=True, metavar="NAME=VALUE", help="A setting; repeatable.")
@click.option("--if-not-exists", is_flag=True, help="No error for a topic that exists.")
@click.option("--dry-run", is_flag=True, help="Check only.")
def create(
    run: Run,
    names: tuple[str, ...],
    partitions: int | None,
    replicas: int | None,
    configs: tuple[str, ...],
    if_not_exists: bool,
    dry_run: bool,
) -> Result:
    """Create topics.

    \b
    ottla topic create orders
    ottla topic create orders payments -p 6 -r 3
    ottla topic create events -c retention.ms=86400000 -c cleanup.policy=compact
    """
    for name in names:
        problem = name_problem(name)
        if problem is not None:
            raise usage(f"topic {name!r}: {problem}")
    values = dict(_pair(text) for text in configs)
    with run.admin() as admin:
        known = {each.name for each in admin.list_topics(include_internal=True)}
        present = [name for name in names if name in known]
        if present and not if_not_exists:
            raise Failure(f"topic {present[0]!r} exists already", hint="--if-not-exists accepts that")
        new = [NewTopic(name, partitions or -1, replicas or -1, values) for name in names if name not in known]
        if new:
            admin.create_topics(new, validate_only=dry_run)
    word = "would be created" if dry_run else "created"
    return Result("changed_topics", [Changed(each.name, word) for each in new], ("topic", "action"))


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise usage(f"{text!r}: give NAME=VALUE")
    return name, value


@verb("describe")
@click.argument("name", metavar="TOPIC")
def describe(run: Run, name: str) -> Result:
    """Describe the partitions of a topic: leader, replicas, offsets."""
    with run.admin() as admin:
        require_topic(admin, name)
        (found,) = describe_rows(admin, [name])
        partitions = [TopicPartition(name, row.partition) for row in found.partitions]
        starts = known_offsets(admin, partitions, OffsetSpec.EARLIEST)
        ends = known_offsets(admin, partitions, OffsetSpec.LATEST)
    rows = [
        PartitionDetails(
            name, row.partition, row.leader, row.replicas, row.in_sync_replicas, starts.get(key), ends.get(key)
        )
        for key, row in zip(partitions, found.partitions, strict=True)
    ]
    configs = ", ".join(f"{key}={value}" for key, value in found.configs.items()) or "all settings at their defaults"
    run.note(f"{name}  id {found.topic_id}  {configs}")
    columns = ("partition", "leader", "replicas", "in_sync", "first_offset", "end_offset")
    return Result("partitions", rows, columns)


@verb("delete")
@click.argument("names", nargs=-1, required=True, metavar="TOPIC…")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show only.")
def delete(run: Run, names: tuple[str, ...], yes: bool, dry_run: bool) -> Result:
    """Delete topics with all their records."""
    with run.admin() as admin:
        for name in names:
            require_topic(admin, name)
        if not dry_run:
            run.confirm(f"delete {', '.join(names)} with all records?", yes=yes)
            admin.delete_topics(names)
    word = "would be deleted" if dry_run else "deleted"
    return Result("changed_topics", [Changed(name, word) for name in names], ("topic", "action"))


@verb("config")
@click.argument("name", metavar="TOPIC")
@click.argument("changes", nargs=-1, metavar="[NAME=VALUE | NAME=]…")
@click.option("--all", "show_all", is_flag=True, help="Defaults too.")
def config(run: Run, name: str, changes: tuple[str, ...], show_all: bool) -> Result:
    """Show the settings of a topic, or change them.

    \b
    ottla topic config orders
    ottla topic config orders retention.ms=86400000
    ottla topic config orders retention.ms=          back to the default
    """
    resource = ConfigResource(ConfigResourceType.TOPIC, name)
    with run.admin() as admin:
        require_topic(admin, name)
        if changes:
            admin.alter_configs({resource: {key: value or None for key, value in map(_pair, changes)}})
        found = admin.describe_configs([resource])[resource]
    rows = [
        Setting(entry.name, entry.value, entry.source.name.lower())
        for _, entry in sorted(found.items())
        if show_all or not entry.is_default
    ]
    return Result("settings", rows, ("name", "value", "source"))


@verb("offsets")
@click.argument("name", metavar="TOPIC")
def offsets(run: Run, name: str) -> Result:
    """Show the first and the end offset of each partition."""
    with run.admin() as admin:
        require_topic(admin, name)
        views = admin.describe_topics([name])[name].partitions
        partitions = [TopicPartition(name, view.partition) for view in views]
        starts = known_offsets(admin, partitions, OffsetSpec.EARLIEST)
        ends = known_offsets(admin, partitions, OffsetSpec.LATEST)
    rows = [OffsetRow(name, each.partition, starts.get(each), ends.get(each)) for each in partitions]
    return Result("offsets", rows, ("topic", "partition", "first_offset", "end_offset"))


class OffsetRow(NamedTuple):
    topic: str
    partition: int
    first_offset: int | None
    end_offset: int | None


def require_topic(admin: "Admin", name: str) -> None:
    """Raises Failure with the nearest name that exists."""
    known = [each.name for each in admin.list_topics(include_internal=True)]
    if name not in known:
        raise not_found("topic", name, known)


for each in (list_, create, describe, delete, config, offsets, export_topic, import_topic):
    topic.add_command(each)
