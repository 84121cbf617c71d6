"""Measures Ottla beside Apache Kafka: python -m benchmarks.run [--quick] [--rounds N] [--gb G] [--only a,b]

The peers take turns, round by round and in changing order, so that what else the machine does hits both. Progress goes
to stderr; the table goes to stdout and, with its plot, to docs/results/.
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
    latency,
    lifecycle,
    many_partitions,
    stalls,
    throughput,
    tiny_requests,
    transactions,
)
from benchmarks.broker_node import BrokerNode, PeerUnavailable
from benchmarks.family import QUICK, Family, Load
from benchmarks.ottla_broker import OttlaBroker
from benchmarks.page import RunFacts, write_page
from benchmarks.results import Outcome, Samples
from benchmarks.table import summary, text_table

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "benchmarks"
FAMILIES: tuple[Family, ...] = (
    throughput.FAMILY,
    tiny_requests.FAMILY,
    latency.FAMILY,
    compaction.FAMILY,
    clients.FAMILY,
    groups.FAMILY,
    transactions.FAMILY,
    stalls.FAMILY,
    lifecycle.FAMILY,
    many_partitions.FAMILY,
)
_WARM_UP_ROUNDS = 2
_WARM_UP = QUICK._replace(gb=0.3, tiny_seconds=3.0)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    load = _load(options)
    families = [family for family in FAMILIES if not options.only or family.name in options.only]
    samples = Samples()
    # Taken now: the sources may change while this runs.
    load_before, revision = os.getloadavg()[0], _revision()
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="run-", dir=CACHE) as folder:
        nodes = _peers(Path(folder), samples, with_kafka=not options.ottla_only)
        try:
            _measure(nodes, families, load, options.rounds, samples)
        finally:
            for node in nodes:
                if node.is_running:
                    node.kill()
    outcomes = _outcomes(families, load, samples)
    print(text_table(outcomes, apache_kafka.ApacheKafka.name, OttlaBroker.name))
    print("\n".join(["", summary(outcomes), *samples.failures]))
    if not options.no_page:
        facts = _facts(options, load, load_before, revision)
        print(f"written: {write_page(ROOT / 'docs' / 'results', facts, outcomes, samples.failures).relative_to(ROOT)}")
    return 0


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    names = ", ".join(family.name for family in FAMILIES)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=None, help="measured rounds of each family (3; quick: 2)")
    parser.add_argument("--gb", type=float, default=None, help="GB of each throughput row (1; quick: 0.3)")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], help=f"families, of: {names}")
    parser.add_argument("--quick", action="store_true", help="a tenth of the time, coarser figures")
    parser.add_argument("--partitions", type=int, default=None, help="of the row with very many (10000; quick: 1000)")
    parser.add_argument("--ottla-only", action="store_true", help="leave Apache Kafka out: no ratios")
    parser.add_argument("--no-page", action="store_true", help="print the table, write nothing")
    parser.add_argument("--name", default="bench", help="last part of the page's file name")
    options = parser.parse_args(arguments)
    unknown = set(options.only) - {family.name for family in FAMILIES}
    if unknown:
        parser.error(f"unknown families: {', '.join(sorted(unknown))}; there are: {names}")
    options.rounds = options.rounds or (2 if options.quick else 3)
    options.words = list(arguments)
    return options


def _load(options: argparse.Namespace) -> Load:
    load = QUICK if options.quick else Load()
    return load._replace(gb=options.gb or load.gb, partitions=options.partitions or load.partitions)


def _peers(folder: Path, samples: Samples, *, with_kafka: bool) -> list[BrokerNode]:
    nodes: list[BrokerNode] = [OttlaBroker(folder / "ottla")]
    if not with_kafka:
        return nodes
    try:
        _say("looking for Apache Kafka")
        kafka = apache_kafka.ApacheKafka(folder / "apache-kafka", apache_kafka.fetch(CACHE))
        kafka.prepare_data()
        nodes.insert(0, kafka)
    except PeerUnavailable as reason:
        _say(str(reason))
        samples.failures.append(str(reason))
    return nodes


def _measure(nodes: list[BrokerNode], families: list[Family], load: Load, rounds: int, samples: Samples) -> None:
    shared = [family for family in families if not family.needs_own_node]
    if shared:
        for node in nodes:
            node.reset()
            node.start()
        _warm_up(nodes, shared)
        _take_turns(nodes, shared, load, rounds, samples)
        for node in nodes:
            node.stop()
    _take_turns(nodes, [family for family in families if family.needs_own_node], load, rounds, samples)


def _take_turns(nodes: list[BrokerNode], families: list[Family], load: Load, rounds: int, samples: Samples) -> None:
    for number in range(rounds):
        for family in families:
            if family.rounds_max is not None and number >= family.rounds_max:
                continue
            for node in nodes if number % 2 == 0 else reversed(nodes):
                _one_round(node, family, load, samples, f"round {number + 1}/{rounds}")


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
    _say(f"{title} {family.name} {node.name} ({time.perf_counter() - began:.0f} s): {' '.join(figures)}")


def _warm_up(nodes: list[BrokerNode], families: list[Family]) -> None:
    """A JVM compiles what is hot: its first rounds are not its speed. Ottla gets the same, for fairness."""
    unmeasured = Samples()
    for number in range(_WARM_UP_ROUNDS):
        for family in families:
            for node in nodes:
                _one_round(node, family, _WARM_UP, unmeasured, f"warm-up {number + 1}/{_WARM_UP_ROUNDS}")


def _outcomes(families: list[Family], load: Load, samples: Samples) -> list[Outcome]:
    return [
        samples.outcome(row, apache_kafka.ApacheKafka.name, OttlaBroker.name)
        for family in families
        for row in family.rows(load)
    ]


def _facts(options: argparse.Namespace, load: Load, load_before: float, revision: str) -> RunFacts:
    return RunFacts(
        date=datetime.date.today().isoformat(),
        name=options.name,
        command=" ".join(["python", "-m", "benchmarks.run", *options.words]),
        revision=revision,
        rounds=options.rounds,
        settings=f"{load.gb:g} GB per throughput row",
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


def _say(text: str) -> None:
    print(f"{datetime.datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
