"""`ottla health`: does the cluster serve? For scripts that wait for it."""

import re
import time
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.exit_codes import EXIT_FAILED
from ottla.cli.failures import Failure, usage
from ottla.cli.results import Result
from ottla.cli.run import REACH_TIMEOUT_MS, Run
from ottla.cli.tool import verb
from ottla.client.errors import ClientError

if TYPE_CHECKING:
    from ottla.client import Admin

_RETRY_S = 0.2
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "": 1.0}


class Check(NamedTuple):
    check: str
    status: str
    detail: str


@verb()
@click.option("--wait", metavar="DURATION", help="Try until it is healthy, for this long: 30s, 2m.")
def health(run: Run, wait: str | None) -> Result:
    """Check that brokers respond and all partitions have leaders. Exit code 0 when healthy, 1 when not, 5 when nobody
    responds.

    \b
    ottla health --wait 30s && ./start-my-service
    """
    deadline = time.monotonic() + (parse_duration(wait) if wait is not None else 0)
    while True:
        left_ms = int((deadline - time.monotonic()) * 1000)
        try:
            with run.admin(
                reach_timeout_ms=max(200, min(REACH_TIMEOUT_MS, left_ms)) if wait else REACH_TIMEOUT_MS
            ) as admin:
                checks = check_cluster(admin)
        except (Failure, ClientError):
            if time.monotonic() >= deadline:
                raise
        else:
            is_bad = any(each.status == "failed" for each in checks)
            if not is_bad or time.monotonic() >= deadline:
                columns = ("check", "status", "detail")
                return Result("health", checks, columns, exit_code=EXIT_FAILED if is_bad else 0)
        time.sleep(_RETRY_S)


def parse_duration(text: str) -> float:
    """30s, 2m, 500ms, or seconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|min|)", text)
    if found is None:
        raise usage(f"{text!r} is not a duration; give 30s, 2m or 500ms")
    return float(found[1]) * _UNITS[found[2]]


def check_cluster(admin: "Admin") -> list[Check]:
    cluster = admin.describe_cluster()
    names = [each.name for each in admin.list_topics(include_internal=True)]
    views = [view for topic in (admin.describe_topics(names) if names else {}).values() for view in topic.partitions]
    leaderless = sum(view.leader_id < 0 for view in views)
    behind = sum(len(view.in_sync_replicas) < len(view.replicas) for view in views)
    ids = ", ".join(str(node.id) for node in cluster.nodes)
    return [
        Check("brokers", "ok" if cluster.nodes else "failed", f"{len(cluster.nodes)} registered: {ids}"),
        Check("controller", "ok" if cluster.controller_id >= 0 else "failed", f"node {cluster.controller_id}"),
        Check("leaders", "failed" if leaderless else "ok", f"{leaderless} of {len(views)} partitions have no leader"),
        Check("replicas", "warning" if behind else "ok", f"{behind} of {len(views)} partitions are under-replicated"),
    ]
