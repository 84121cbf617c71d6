"""`ottla topics` (kafka-topics.sh): list, create, describe, alter and delete topics."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ottla.cli.failures import Failure, refusal_text, usage
from ottla.cli.kafka.actions import one_action
from ottla.cli.kafka.topic_describe import Filters, TopicRow, describe_result, describe_rows
from ottla.cli.old_flags import without_effect
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import NewTopic, RequestRefused
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import id_from_text, name_problem

if TYPE_CHECKING:
    from ottla.client import Admin

_OLD = (without_effect("--delete-config"), without_effect("--disable-rack-aware", takes_value=False))
_COLLISION = (
    "Due to limitations in metric names, topics with a period ('.') or underscore ('_') could collide. "
    "To avoid issues it is best to use either, but not both."
)


@kafka_tool("topics", old=_OLD, error_text="Error while executing topic command : {}")
@click.option("--list", "list_", is_flag=True, help="List the topics.")
@click.option("--create", is_flag=True, help="Create a topic.")
@click.option("--describe", is_flag=True, help="Describe topics and their partitions.")
@click.option("--alter", is_flag=True, help="Add partitions.")
@click.option("--delete", is_flag=True, help="Delete topics.")
@click.option("--topic", metavar="NAME", help="The topic; a regular expression except with --create.")
@click.option("--topic-id", metavar="ID", help="With --describe: the id of the topic.")
@click.option("--partitions", type=int, metavar="N", help="The number of partitions.")
@click.option("--replication-factor", type=int, metavar="N", help="Replicas of each partition.")
@click.option("--replica-assignment", metavar="ID:ID,ID:ID,…", help="The replicas of each partition.")
@click.option("--config", "configs", multiple=True, metavar="NAME=VALUE", help="With --create: a setting; repeatable.")
@click.option("--if-exists", is_flag=True, help="No error for a topic that does not exist.")
@click.option("--if-not-exists", is_flag=True, help="With --create: no error for a topic that exists.")
@click.option("--exclude-internal", is_flag=True, help="Leave out internal topics.")
@click.option("--partition-size-limit-per-response", type=int, metavar="N", help="Accepted; the broker decides.")
@click.option("--under-replicated-partitions", "under_replicated", is_flag=True, help="Only those partitions.")
@click.option("--unavailable-partitions", "unavailable", is_flag=True, help="Only partitions without a leader.")
@click.option("--under-min-isr-partitions", "under_min_isr", is_flag=True, help="Only those partitions.")
@click.option("--at-min-isr-partitions", "at_min_isr", is_flag=True, help="Only those partitions.")
@click.option("--topics-with-overrides", "with_overrides", is_flag=True, help="Only topics with settings of their own.")
def topics(
    run: Run,
    topic: str | None,
    topic_id: str | None,
    partitions: int | None,
    replication_factor: int | None,
    replica_assignment: str | None,
    configs: tuple[str, ...],
    if_exists: bool,
    if_not_exists: bool,
    exclude_internal: bool,
    partition_size_limit_per_response: int | None,
    **flags: bool,
) -> Result | None:
    """List, create, describe, alter and delete topics (kafka-topics.sh).

    \b
    ottla topics --create --topic orders --partitions 3 --config retention.ms=86400000
    ottla topics --describe --topic orders
    ottla topics --alter --topic orders --partitions 6
    """
    action = one_action(flags, "list_", "describe", "create", "alter", "delete")
    if configs and action != "create":
        raise usage("--config works with --create only", "ottla configs --alter changes the settings of a topic")
    if action in ("create", "alter", "delete") and topic is None:
        raise usage('Missing required argument "[topic]"')
    with run.admin() as admin:
        if action == "list_":
            return _list(_matching(admin, topic, exclude_internal=exclude_internal))
        if action == "describe":
            filters = Filters(**{name: flags[name] for name in Filters._fields})
            names = _names_to_describe(admin, topic, topic_id, if_exists, exclude_internal)
            return describe_result(describe_rows(admin, names), filters)
        assert topic is not None
        if action == "create":
            new = _new_topic(topic, partitions, replication_factor, replica_assignment, configs)
            return _create(run, admin, new, if_not_exists=if_not_exists)
        names = _matching(admin, topic, exclude_internal=False)
        _require_found(names, topic, is_optional=if_exists)
        if action == "alter":
            return _alter(admin, names, partitions, replica_assignment)
        if names:
            admin.delete_topics(names)
        return Result("topics", [TopicRow(name) for name in names], ("topic",), text="")


def _list(names: Sequence[str]) -> Result:
    return Result("topics", [TopicRow(name) for name in names], ("topic",), text="\n".join(names))


def _matching(admin: "Admin", pattern: str | None, *, exclude_internal: bool) -> list[str]:
    names = [listing.name for listing in admin.list_topics(include_internal=not exclude_internal)]
    if pattern is None:
        return names
    try:
        compiled = re.compile(pattern.strip().replace(",", "|").strip("\"'"))
    except re.error as error:
        raise usage(f"{pattern} is an invalid regex: {error}") from None
    return [name for name in names if compiled.fullmatch(name)]


def _require_found(names: Sequence[str], topic: str | None, *, is_optional: bool) -> None:
    if not names and topic is not None and not is_optional:
        raise Failure(f"Topic '{topic}' does not exist as expected")


def _names_to_describe(
    admin: "Admin", topic: str | None, topic_id: str | None, if_exists: bool, exclude_internal: bool
) -> list[str]:
    if topic_id is None:
        names = _matching(admin, topic, exclude_internal=exclude_internal)
        _require_found(names, topic, is_optional=if_exists)
        return names
    try:
        wanted = id_from_text(topic_id)
    except ValueError as error:
        raise usage(f"--topic-id: {error}") from None
    names = [listing.name for listing in admin.list_topics(include_internal=True) if listing.topic_id == wanted]
    if not names and not if_exists:
        raise Failure(f"TopicId '{topic_id}' does not exist as expected")
    return names


def _new_topic(
    topic: str, partitions: int | None, factor: int | None, assignment: str | None, configs: Sequence[str]
) -> NewTopic:
    problem = name_problem(topic)
    if problem is not None:
        raise Failure(f"Topic name is invalid: {problem}")
    if partitions is not None and partitions < 1:
        raise usage("The partitions must be greater than 0")
    if factor is not None and not 1 <= factor <= 32767:
        raise usage("The replication factor must be between 1 and 32767 inclusive")
    if assignment is not None and (partitions is not None or factor is not None):
        raise usage("--replica-assignment cannot be used with --partitions or --replication-factor")
    pairs = [text.partition("=") for text in configs]
    if any(not name.strip() or not equals for name, equals, _ in pairs):
        raise usage(
            'requirement failed: Invalid topic config: all configs to be added must be in the format "key=val".'
        )
    values = {name.strip(): value.strip() for name, _, value in pairs}
    placed = dict(enumerate(parse_assignment(assignment))) if assignment else None
    return NewTopic(topic, partitions or -1, factor or -1, values, placed)


def parse_assignment(text: str) -> list[list[int]]:
    """`0:1,1:2`: for each partition its replicas."""
    try:
        placed = [[int(replica) for replica in part.split(":")] for part in text.split(",")]
    except ValueError:
        raise usage(f"--replica-assignment {text}: give broker ids such as 0:1,1:2") from None
    for number, replicas in enumerate(placed):
        if len(set(replicas)) < len(replicas):
            raise Failure(f"Partition replica lists may not contain duplicate entries: partition {number}")
        if len(replicas) != len(placed[0]):
            raise Failure(f"Partition {number} has different replication factor: {replicas}")
    return placed


def _create(run: Run, admin: "Admin", new: NewTopic, *, if_not_exists: bool) -> Result:
    if "." in new.name or "_" in new.name:
        run.warn(_COLLISION)
    try:
        admin.create_topics([new])
    except RequestRefused as error:
        if error.code != ErrorCode.TOPIC_ALREADY_EXISTS:
            raise
        if if_not_exists:
            return Result("topics", [], ("topic",), text="")
        raise Failure(f"Topic '{new.name}' already exists.", name=error.code.name) from error
    return Result("topics", [TopicRow(new.name)], ("topic",), text=f"Created topic {new.name}.")


def _alter(admin: "Admin", names: Sequence[str], partitions: int | None, assignment: str | None) -> Result:
    if partitions is None:
        raise usage("--alter needs --partitions", "ottla configs --alter changes the settings of a topic")
    assignments = {}
    if assignment is not None:
        placed = parse_assignment(assignment)
        described = admin.describe_topics(names)
        assignments = {name: placed[len(described[name].partitions) :] for name in names}
    try:
        if names:
            admin.create_partitions(dict.fromkeys(names, partitions), assignments=assignments)
    except RequestRefused as error:
        raise Failure(refusal_text(error), name=error.code.name) from error
    return Result("topics", [TopicRow(name) for name in names], ("topic",), text="")
