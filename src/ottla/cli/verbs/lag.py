"""`ottla lag`: how far groups are behind; for people and for CI."""

import time
from typing import NamedTuple

import click

from ottla.cli.exit_codes import EXIT_FAILED
from ottla.cli.kafka import group_rows
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import verb
from ottla.cli.verbs.group import known_groups, require_group


class LagRow(NamedTuple):
    group: str
    topic: str
    partitions: int
    lag: int
    max_partition_lag: int
    state: str


@verb()
@click.argument("groups", nargs=-1, metavar="[GROUP]…")
@click.option("-f", "--follow", is_flag=True, help="Again and again, until Ctrl-C.")
@click.option("--every", type=click.FloatRange(0.1), default=2.0, metavar="SECONDS", help="With --follow.")
@click.option("--fail-above", type=int, metavar="N", help="Exit with 1 when a group has more lag than this.")
def lag(run: Run, groups: tuple[str, ...], follow: bool, every: float, fail_above: int | None) -> Result:
    """Show how many records groups are behind: all groups, or those named.

    \b
    ottla lag
    ottla lag billing -f
    ottla lag billing --fail-above 1000      for CI
    """
    with run.admin() as admin:
        while True:
            rows: list[LagRow] = []
            for name in groups or known_groups(admin):
                described = require_group(admin, name)
                by_topic: dict[str, list[int]] = {}
                for each in group_rows.offset_rows(admin, described):
                    by_topic.setdefault(each.topic, []).append(each.lag or 0)
                rows += [
                    LagRow(name, topic, len(lags), sum(lags), max(lags), described.state)
                    for topic, lags in sorted(by_topic.items())
                ]
            result = Result("lag", rows, ("group", "topic", "partitions", "lag", "max_partition_lag"), ("state",))
            if not follow:
                break
            run.show(result)
            time.sleep(every)
    totals: dict[str, int] = {}
    for row in rows:
        totals[row.group] = totals.get(row.group, 0) + row.lag
    above = [name for name, total in totals.items() if fail_above is not None and total > fail_above]
    for name in above:
        run.note(f"group {name} is {totals[name]} records behind, more than {fail_above}")
    return result._replace(exit_code=EXIT_FAILED if above else 0)
