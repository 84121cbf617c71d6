"""`ottla pipeline init`: a runnable pipeline with its table, its test and the command that sends sample orders."""

from pathlib import Path

from ottla.pipeline.problems import PipelineFailed

_PIPELINE = """\
pipeline: {name}
bootstrap: ${{KAFKA:-localhost:9092}}
checkpoint: state/{name}
trigger: 1s
sources:
  orders:
    topic: orders
    start: earliest
    schema: id STRING, city STRING, amount DOUBLE, at TIMESTAMP
    watermark: at, 10 minutes
  cities: {{table: cities.csv, header: true, schema: "city STRING, region STRING"}}
rules:
  - {{view: orders, name: positive_amount, expect: "amount >= 0", otherwise: dead_letter}}
dead_letter: orders.dead
steps:
  - name: enriched
    sql: SELECT o.*, c.region FROM orders o LEFT JOIN cities c USING (city)
  - name: per_region
    sql: |
      SELECT window(at, '1 minute').start AS minute, region, count(*) AS orders, sum(amount) AS total
      FROM enriched GROUP BY 1, 2
sinks:
  - {{name: enriched, from: enriched, topic: orders.enriched, key: id, create: {{partitions: 3}}}}
  - {{name: totals, from: per_region, topic: orders.totals, key: region, mode: update, create: {{partitions: 1}}}}
  - {{name: lake, from: enriched, parquet: lake/orders, partition_by: [region]}}
tests:
  - {{given: {{orders: tests/orders.jsonl}}, expect: {{enriched: tests/enriched.jsonl}}}}
spark: {{spark.sql.shuffle.partitions: 2}}
"""
_CITIES = "city,region\nPraha,west\nBrno,south\nOstrava,east\n"
_ORDERS = """\
{"id": "o1", "city": "Praha", "amount": 12.5, "at": "2026-11-16T10:00:00Z"}
{"id": "o2", "city": "Zlín", "amount": 3, "at": "2026-11-16T10:00:20Z"}
{"id": "o3", "city": "Brno", "amount": -1, "at": "2026-11-16T10:00:30Z"}
{not json
"""
_ENRICHED = """\
{"id": "o1", "city": "Praha", "amount": 12.5, "at": "2026-11-16T10:00:00.000Z", "region": "west"}
{"id": "o2", "city": "Zlín", "amount": 3.0, "at": "2026-11-16T10:00:20.000Z"}
"""
_SENDER = '''\
"""Creates the topics of the sample and sends orders, some of them wrong: python send_orders.py [COUNT]"""

import json
import os
import random
import sys
from datetime import UTC, datetime

from ottla import Admin, Producer
from ottla.client import NewTopic

servers = os.environ.get("KAFKA", "localhost:9092")
count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
with Admin(bootstrap_servers=servers) as admin:
    there = {topic.name for topic in admin.list_topics()}
    admin.create_topics([NewTopic(name, partitions=3) for name in ("orders", "orders.dead") if name not in there])
with Producer(bootstrap_servers=servers) as producer:
    for number in range(count):
        order = {
            "id": f"o{number}",
            "city": random.choice(["Praha", "Brno", "Ostrava"]),
            "amount": round(random.uniform(-1, 100), 2),
            "at": datetime.now(UTC).isoformat(),
        }
        producer.send("orders", json.dumps(order).encode(), key=order["id"].encode())
    producer.send("orders", b"{not json")
print(f"sent {count + 1} records to orders at {servers}")
'''


def write_sample(folder: Path) -> list[Path]:
    """The files. Raises PipelineFailed rather than replace one."""
    name = folder.resolve().name or "orders"
    files = {
        "orders.yaml": _PIPELINE.format(name=_pipeline_name(name)),
        "cities.csv": _CITIES,
        "send_orders.py": _SENDER,
        "tests/orders.jsonl": _ORDERS,
        "tests/enriched.jsonl": _ENRICHED,
    }
    paths = {folder / file: text for file, text in files.items()}
    taken = [str(path) for path in paths if path.exists()]
    if taken:
        raise PipelineFailed(f"{', '.join(taken)} exists already; choose an empty folder")
    for path, text in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(paths)


def _pipeline_name(folder: str) -> str:
    cleaned = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in folder).strip("-._")
    return cleaned or "orders"
