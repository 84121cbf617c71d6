"""Measures Ottla beside Apache Kafka: python -m benchmarks.run [--quick] [--rounds N] [--gb G] [--only a,b]

The peers take turns, round by round and in changing order, so that what else the machine does hits both. Progress goes
to stderr, the table to stdout. A page of docs/results/ is replaced only by a run that can judge all of its goals; other
runs write theirs below .cache/.
"""

import argparse
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import (
    apache_kafka,
    clients,
    compaction,
    groups,
    idempotence,
    latency,
    lifecycle,
    many_partitions,
    perf_tools,
    spark,
    stalls,
    testing_kit,
    throughput,
    tiny_requests,
    tool_starts,
    transactions,
)
from benchmarks.broker_node import BrokerNode, PeerUnavailable
from benchmarks.family import QUICK, Family, Load
from benchmarks.ottla_broker import OttlaBroker
from benchmarks.page import RunFacts, write_page
from benchmarks.results import ROUNDS_MIN, Outcome, Samples
from benchmarks.table import summary, text_table
from ottla.compiled import stale_modules

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
CACHE = ROOT / ".cache" / "benchmarks"
FAMILIES: tuple[Family, ...] = (
    throughput.FAMILY,
    tiny_requests.FAMILY,
    idempotence.FAMILY,
    latency.FAMILY,
    clients.FAMILY,
    perf_tools.FAMILY,
    tool_starts.FAMILY,
    groups.FAMILY,
    transactions.FAMILY,
    compaction.FAMILY,
    lifecycle.FAMILY,
    testing_kit.FAMILY,
    stalls.FAMILY,
    spark.FAMILY,
    many_partitions.FAMILY,
)
_WARM_UP = QUICK._replace(tiny_seconds=3.0)
_BUSY_LOAD = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    samples = Samples()
    # Taken now: the sources may change while this runs.
    load_before, revision = os.getloadavg()[0], _revision()
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="run-", dir=CACHE) as folder:
        nodes, notes = _peers(Path(folder), with_kafka=not options.ottla_only)
        notes += doubts(load_before, stale_modules())
        for note in notes:
            _log(note)
        try:
            _measure(nodes, options, samples)
        finally:
            for node in nodes:
                if node.is_running:
                    node.kill()
    outcomes = _outcomes(options.families, options.load, samples)
    print(text_table(outcomes, apache_kafka.ApacheKafka.name, OttlaBroker.name))
    print("\n".join(["", summary(outcomes), *notes, *samples.failures([family.name for family in FAMILIES])]))
    _write_pages(options, _facts(options, load_before, revision), samples, notes, has_peer=len(nodes) > 1)
    return 0


def doubts(load_before: float, stale: Sequence[str]) -> list[str]:
    """Why the figures should not be believed."""
    found = []
    if load_before > _BUSY_LOAD:
        found.append(f"the machine was busy before the run (load average {load_before:.1f}): measure again")
    if stale:
        found.append(
            f"no compiled code ran, because it is older than {', '.join(stale)}: `make .venv/.base` builds it, "
            "then measure again"
        )
    return found


# -- the command line


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    names = [family.name for family in FAMILIES]
    pages = {family.page for family in FAMILIES}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=None, help=f"measured rounds ({ROUNDS_MIN}; quick: 2)")
    parser.add_argument("--gb", type=float, default=None, help="GB of each throughput row (1; quick: 0.3)")
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=[],
        help=f"families or pages: {', '.join(names)}; {', '.join(sorted(pages))}",
    )
    parser.add_argument("--quick", action="store_true", help="a smoke test: figures, but no verdicts")
    parser.add_argument("--partitions", type=int, default=None, help="of the row with very many (10000; quick: 1000)")
    parser.add_argument("--ottla-only", action="store_true", help="leave Apache Kafka out: no ratios")
    options = parser.parse_args(arguments)
    unknown = set(options.only) - set(names) - pages
    if unknown:
        parser.error(f"unknown families: {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
    options.rounds = options.rounds or (2 if options.quick else ROUNDS_MIN)
    options.words = list(arguments)
    options.families = [
        family for family in FAMILIES if not options.only or {family.name, family.page} & set(options.only)
    ]
    load = QUICK if options.quick else Load()
    options.load = load._replace(gb=options.gb or load.gb, partitions=options.partitions or load.partitions)
    return options


def _peers(folder: Path, *, with_kafka: bool) -> tuple[list[BrokerNode], list[str]]:
    """The brokers to measure, and what there is to say about one that is left out."""
    nodes: list[BrokerNode] = [OttlaBroker(folder / "ottla")]
    if not with_kafka:
        return nodes, []
    try:
        _log("looking for Apache Kafka")
        kafka = apache_kafka.ApacheKafka(folder / "apache-kafka", apache_kafka.fetch(CACHE))
        kafka.prepare_data()
        return [kafka, *nodes], []
    except PeerUnavailable as reason:
        return nodes, [str(reason)]


# -- rounds


def _measure(nodes: list[BrokerNode], options: argparse.Namespace, samples: Samples) -> None:
    shared = [family for family in options.families if not family.needs_own_node]
    if shared:
        for node in nodes:
            node.reset()
            node.start()
        # A JVM compiles what is hot: its first rounds are not its speed. Ottla gets the same, for fairness.
        _take_turns(nodes, shared, _WARM_UP, 1 if options.quick else 2, Samples(), "warm-up")
        _take_turns(nodes, shared, options.load, options.rounds, samples, "round")
        for node in nodes:
            node.stop()
    own = [family for family in options.families if family.needs_own_node]
    _take_turns(nodes, own, options.load, options.rounds, samples, "round")


def _take_turns(
    nodes: list[BrokerNode], families: list[Family], load: Load, rounds: int, samples: Samples, title: str
) -> None:
    for number in range(rounds):
        for family in families:
            for node in nodes if number % 2 == 0 else reversed(nodes):
                _one_round(node, family, load, samples, f"{title} {number + 1}/{rounds}")


def _one_round(node: BrokerNode, family: Family, load: Load, samples: Samples, title: str) -> None:
    figures: list[str] = []

    def put(key: str, value: float) -> None:
        samples.add(key, node.name, value)
        figures.append(f"{key}={value:.4g}")

    began = time.perf_counter()
    try:
        family.measure(node, load, put)
    except (OSError, RuntimeError) as error:
        samples.failed(node.name, family.name, str(error))
        figures.append(f"FAILED: {error}")
    _log(f"{title} {family.name} {node.name} ({time.perf_counter() - began:.0f} s): {' '.join(figures)}")


# -- results


def _outcomes(families: list[Family], load: Load, samples: Samples) -> list[Outcome]:
    return [
        samples.outcome(row, apache_kafka.ApacheKafka.name, OttlaBroker.name, is_full_size=load.is_full_size)
        for family in families
        for row in family.rows(load)
    ]


def _write_pages(
    options: argparse.Namespace, facts: RunFacts, samples: Samples, notes: list[str], *, has_peer: bool
) -> None:
    for name in dict.fromkeys(family.page for family in options.families):
        families = [family for family in options.families if family.page == name]
        outcomes = _outcomes(families, options.load, samples)
        failures = samples.failures([family.name for family in families])
        is_publishable = has_peer and can_publish(families, options.load, options.rounds)
        folder = RESULTS if is_publishable else CACHE / "results"
        page = write_page(folder, name, facts, outcomes, [*notes, *failures])
        print(f"written: {page.relative_to(ROOT)}")


def can_publish(families: Sequence[Family], load: Load, rounds: int) -> bool:
    """Whether these families of one page may replace it: all that belong to it, in full size, in enough rounds."""
    is_whole = set(families) == {family for family in FAMILIES if family.page == families[0].page}
    return is_whole and load.is_full_size and rounds >= ROUNDS_MIN


def _facts(options: argparse.Namespace, load_before: float, revision: str) -> RunFacts:
    return RunFacts(
        date=datetime.date.today().isoformat(),
        command=" ".join(["python", "-m", "benchmarks.run", *options.words]),
        revision=revision,
        rounds=options.rounds,
        settings=f"{options.load.gb:g} GB per throughput row",
        reference=f"{apache_kafka.ApacheKafka.name} {apache_kafka.VERSION}",
        tested=OttlaBroker.name,
        load_before=load_before,
    )


def _revision() -> str:
    if shutil.which("git") is None:
        return "unknown"
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def _log(text: str) -> None:
    print(f"{datetime.datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
