"""`ottla top`: a live view of the cluster in the terminal: nodes, topics with rates, groups with lag."""

import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.kafka.group_rows import end_offsets
from ottla.cli.results import Result, render
from ottla.cli.run import Run
from ottla.cli.tool import verb
from ottla.cli.verbs.group import GroupSummary, known_groups, summary
from ottla.client import TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

_CLEAR = "\x1b[H\x1b[2J"


class TopicRate(NamedTuple):
    topic: str
    partitions: int
    end_offsets: int
    records_per_second: float | None


class Seen(NamedTuple):
    """The cluster at one moment."""

    at_s: float
    nodes: list[str]
    partitions: dict[str, int]
    ends: dict[str, int]
    groups: list[GroupSummary]


@verb()
@click.option("--every", type=click.FloatRange(0.2), default=2.0, metavar="SECONDS", help="How often to look.")
@click.option("-n", "--count", type=click.IntRange(1), metavar="N", help="Look this often, then end.")
def top(run: Run, every: float, count: int | None) -> int:
    """Show nodes, topics with their rates and groups with their lag, live. Ctrl-C ends it."""
    is_live = sys.stdout.isatty() and not run.is_for_program
    left = count if count is not None else (None if is_live else 1)
    with run.admin() as admin:
        before: Seen | None = None
        while left is None or left > 0:
            now = look(admin)
            run_rates = rates(before, now)
            if run.is_for_program:
                run.show(Result("topic_rates", run_rates, ("topic", "end_offsets", "records_per_second")))
            else:
                sys.stdout.write((_CLEAR if is_live else "") + screen(now, run_rates))
                sys.stdout.flush()
            before = now
            left = None if left is None else left - 1
            if left != 0:
                time.sleep(every)
    return 0


def look(admin: "Admin") -> Seen:
    described = admin.describe_cluster()
    nodes = [
        f"{node.id} {node.host}:{node.port}{'  controller' if node.id == described.controller_id else ''}"
        for node in described.nodes
    ]
    names = [each.name for each in admin.list_topics()]
    topics = admin.describe_topics(names) if names else {}
    partitions = [TopicPartition(name, view.partition) for name, t in topics.items() for view in t.partitions]
    ends: dict[str, int] = dict.fromkeys(names, 0)
    for partition, offset in end_offsets(admin, partitions).items():
        ends[partition.topic] += offset
    groups = [summary(admin, name) for name in known_groups(admin)]
    return Seen(time.monotonic(), nodes, {name: len(topics[name].partitions) for name in names}, ends, groups)


def rates(before: Seen | None, now: Seen) -> list[TopicRate]:
    """The busiest topics first."""
    rows = []
    for name, end in now.ends.items():
        rate = None
        if before is not None and name in before.ends and now.at_s > before.at_s:
            rate = round(max(0, end - before.ends[name]) / (now.at_s - before.at_s), 1)
        rows.append(TopicRate(name, now.partitions[name], end, rate))
    return sorted(rows, key=lambda row: (-(row.records_per_second or 0), row.topic))


def screen(now: Seen, topics: list[TopicRate]) -> str:
    groups = sorted(now.groups, key=lambda each: -(each.lag or 0))
    shown_topics = Result("topics", topics[:20], ("topic", "partitions", "end_offsets", "records_per_second"))
    shown_groups = Result("groups", groups[:20], ("group", "state", "members", "lag"))
    head = "".join(f"node {text}\n" for text in now.nodes)
    return f"{head}\n{render(shown_topics, 'table')}\n{render(shown_groups, 'table')}"
