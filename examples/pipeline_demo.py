"""What `make demo` shows: a broker, a stream of orders, and a pipeline on Spark that enriches and aggregates them.

Starts `ottla dev` on a free port with data that is thrown away, writes the sample of `ottla pipeline init`, sends
orders through the client, and runs the pipeline with its live table. After a time, or on Ctrl-C, everything stops
cleanly and the results are shown: totals by region from a topic, rows of the parquet table, dead letters.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.dataset

from ottla.client import Admin, NewTopic, Producer, read_topic

#: Seconds of orders. Spark takes about ten more to start.
SECONDS = float(os.environ.get("OTTLA_DEMO_SECONDS", "40"))
ORDERS_PER_SECOND = 400
CITIES = ["Praha", "Brno", "Ostrava"]
START_TIMEOUT_S = 180.0


def start_broker() -> tuple[subprocess.Popen[str], str]:
    """A throw-away broker in a session of its own, so that Ctrl-C reaches it last; and its address."""
    command = [sys.executable, "-m", "ottla", "dev", "--memory", "--port", "0"]
    broker = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    assert broker.stdout is not None
    seen = []
    for line in broker.stdout:
        seen.append(line)
        found = re.search(r"(?:127\.0\.0\.1|localhost):(\d+)", line)
        if found:
            return broker, f"127.0.0.1:{found[1]}"
    sys.exit("the broker did not start:\n" + "".join(seen))


def send_orders(address: str, stop: threading.Event) -> None:
    """Orders at a steady rate; one in two hundred is wrong."""
    chance = random.Random(1)
    number = 0
    with Producer(bootstrap_servers=address) as producer:
        while not stop.is_set():
            for _ in range(ORDERS_PER_SECOND // 10):
                number += 1
                order = {
                    "id": f"o{number}",
                    "city": chance.choice(CITIES),
                    "amount": -1.0 if number % 200 == 0 else round(chance.uniform(1, 100), 2),
                    "at": datetime.now(UTC).isoformat(),
                }
                producer.send("orders", json.dumps(order).encode(), key=str(order["id"]).encode())
            stop.wait(0.1)


def run_pipeline(folder: Path, environment: dict[str, str]) -> int:
    """With its live table on this terminal, for SECONDS from its first batch on; SIGINT lets it finish."""
    command = [sys.executable, "-m", "ottla", "pipeline", "run", "orders.yaml"]
    pipeline = subprocess.Popen(command, cwd=folder, env=environment)
    status = Path(environment["OTTLA_STATE_DIR"]) / "pipelines" / "demo" / "status.json"
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while pipeline.poll() is None and time.monotonic() < deadline and batch_of(status) is None:
            time.sleep(0.2)
        end = time.monotonic() + SECONDS
        while pipeline.poll() is None and time.monotonic() < end:
            time.sleep(0.2)
        if pipeline.poll() is None:
            pipeline.send_signal(signal.SIGINT)
    except KeyboardInterrupt:
        pass  # Ctrl-C has reached the pipeline too: it finishes its batches
    while True:
        try:
            return pipeline.wait()
        except KeyboardInterrupt:
            continue


def batch_of(status: Path) -> int | None:
    try:
        batch: int | None = json.loads(status.read_text())["batch"]
    except (OSError, ValueError):
        return None
    return batch


def show(address: str, folder: Path) -> None:
    totals: dict[tuple[str, str], dict[str, float]] = {}
    for value in values(address, "orders.totals"):
        row = json.loads(value)
        totals[row["minute"], row["region"]] = row
    regions: Counter[str] = Counter()
    for (_, region), row in totals.items():
        regions[region] += int(row["orders"])
    print(f"\n  {'region':10} {'orders':>8} {'total':>12}")
    for region, count in sorted(regions.items()):
        amount = sum(row["total"] for (_, other), row in totals.items() if other == region)
        print(f"  {region:10} {count:>8} {amount:>12,.2f}")
    lake = folder / "lake" / "orders"
    rows = pyarrow.dataset.dataset(lake, format="parquet").count_rows() if lake.exists() else 0
    dead = len(values(address, "orders.dead"))
    print(f"\n  {rows:,} rows in the parquet table, {dead:,} wrong orders in orders.dead with their reasons\n")


def values(address: str, topic: str) -> list[bytes]:
    with Admin(bootstrap_servers=address) as admin:
        if topic not in {listed.name for listed in admin.list_topics()}:
            return []
    table = read_topic(topic, columns=["value"], isolation="read_committed", bootstrap_servers=address)
    found: list[bytes] = table.column("value").to_pylist()
    return found


def main() -> int:
    began = time.perf_counter()
    broker, address = start_broker()
    print(f"  broker at {address}, started in {time.perf_counter() - began:.2f} s")
    stop = threading.Event()
    sender = threading.Thread(target=send_orders, args=(address, stop))
    try:
        with tempfile.TemporaryDirectory(prefix="ottla-demo-") as name:
            folder = Path(name) / "demo"
            environment = {**os.environ, "KAFKA": address, "OTTLA_STATE_DIR": str(Path(name) / "state")}
            subprocess.run(
                [sys.executable, "-m", "ottla", "-q", "pipeline", "init", str(folder)],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            with Admin(bootstrap_servers=address) as admin:
                admin.create_topics([NewTopic(topic, partitions=3) for topic in ("orders", "orders.dead")])
            sender.start()
            print(
                f"  {ORDERS_PER_SECOND} orders/s; Spark starts, then {SECONDS:.0f} s of the pipeline; Ctrl-C ends it\n"
            )
            code = run_pipeline(folder, environment)
            stop.set()
            sender.join()
            if code == 0:
                show(address, folder)
            return code
    finally:
        stop.set()
        broker.terminate()
        broker.wait(10)


if __name__ == "__main__":
    sys.exit(main())
