"""`python -m ottla.sim run --workload produce_consume --seed 123 [--trace] [--seeds N] [--minutes M]`.

`python -m ottla.sim enumerate --workload every_write` crashes at every change of the disk, from the first to the last.
"""

import logging
import sys
import time
from collections import Counter
from itertools import count

import click

from ottla.sim.run_result import RunResult
from ottla.sim.workloads import ENUMERATIONS, WORKLOADS

_PROGRESS_S = 10.0


@click.group()
def main() -> None:
    """Deterministic simulation: one seed is one run."""


@main.command()
@click.option(
    "--workload", type=click.Choice(["all", *sorted(WORKLOADS)]), default="produce_consume", show_default=True
)
@click.option("--seed", default=0, show_default=True, help="The first seed.")
@click.option("--seeds", type=int, default=None, help="How many seeds to run, one after another.")
@click.option("--minutes", type=float, default=None, help="Run as many seeds as fit into this time.")
@click.option("--trace", is_flag=True, help="Print every event.")
@click.option("--keep-going", is_flag=True, help="Go on after a failing seed.")
def run(workload: str, seed: int, seeds: int | None, minutes: float | None, trace: bool, keep_going: bool) -> None:
    """Run seeds and report the first one that fails."""
    logging.getLogger("ottla").setLevel(logging.DEBUG if trace else logging.CRITICAL + 1)
    show = click.echo if trace else None
    began = time.monotonic()
    deadline = None if minutes is None else began + minutes * 60
    limit = seeds if seeds is not None else (None if minutes is not None else 1)
    done = failed = 0
    last_report = began
    for current in count(seed):
        if (limit is not None and done >= limit) or (deadline is not None and time.monotonic() > deadline):
            break
        name, number = workload, current
        if workload == "all":
            # Workload by workload, so that every count of seeds touches all of them.
            number, index = divmod(current, len(WORKLOADS))
            name = list(WORKLOADS)[index]
        result = WORKLOADS[name](number, show)
        done += 1
        if limit == 1 or result.findings:
            click.echo(str(result))
        if result.findings:
            failed += 1
            _report(name, result)
            if not keep_going:
                break
        if time.monotonic() - last_report > _PROGRESS_S:
            last_report = time.monotonic()
            click.echo(f"… {done} runs, {failed} failed, {_rate(done, began):.0f} runs/hour")
    click.echo(f"{done} runs of {workload}, {failed} failed, {_rate(done, began):.0f} runs/hour")
    sys.exit(1 if failed else 0)


@main.command("enumerate")
@click.option("--workload", type=click.Choice(sorted(ENUMERATIONS)), default="every_write", show_default=True)
@click.option("--stride", type=click.IntRange(min=1), default=1, show_default=True, help="Only every n-th point.")
@click.option("--start", type=click.IntRange(min=0), default=0, show_default=True, help="The first point.")
def run_enumeration(workload: str, stride: int, start: int) -> None:
    """Run a workload to its end: all points at which its stories can be cut off."""
    logging.getLogger("ottla").setLevel(logging.CRITICAL + 1)
    began = last_report = time.monotonic()
    points = ENUMERATIONS[workload]()
    ran: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for number in range(start, len(points), stride):
        story, point = points[number]
        result = WORKLOADS[workload](number, None)
        ran[story] += 1
        if result.findings:
            failed[story] += 1
            click.echo(f"{story}: crash {point}")
            _report(workload, result)
        if time.monotonic() - last_report > _PROGRESS_S:
            last_report = time.monotonic()
            click.echo(f"… point {number} of {len(points)}, {failed.total()} failed")
    for name, point_count in Counter(story for story, _ in points).items():
        click.echo(f"{name}: {point_count} points, {ran[name]} run, {failed[name]} failed")
    took_s = time.monotonic() - began
    click.echo(f"{len(points)} points, {ran.total()} run in {took_s:.0f} s, {failed.total()} failed")
    sys.exit(1 if failed else 0)


def _rate(done: int, began: float) -> float:
    return done * 3600 / max(time.monotonic() - began, 1e-9)


def _report(workload: str, result: RunResult) -> None:
    for finding in result.findings[:8]:
        click.echo(f"  {finding}")
    if len(result.findings) > 8:
        click.echo(f"  … and {len(result.findings) - 8} more")
    click.echo(f"again: python -m ottla.sim run --workload {workload} --seed {result.seed} --trace")


if __name__ == "__main__":
    main()
