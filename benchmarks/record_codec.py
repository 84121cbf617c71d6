"""Nanoseconds per record of the codec: compiled, the same sources as Python, and beside the compiled codec of aiokafka.

    python -m benchmarks.record_codec

Each figure is CPU time, the best of some rounds over one batch of half a megabyte, CRC included. Rows that a peer has
nothing for stay empty. Numbers of a busy machine vary: compare the columns of one run.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pyarrow as pa

from ottla.compiled import MODULES, compiled_modules
from ottla.records.arrow_batches import encode_rows, key_partitions
from ottla.records.arrow_columns import ArrowColumns
from ottla.records.batch import is_intact, read_header
from ottla.records.builder import Record, build_batch
from ottla.records.fetched_batches import FetchedBatches
from ottla.records.key_walk import walk_keys
from ottla.records.reader import read_records, records_bytes
from ottla.records.record_picking import read_keys

BATCH_BYTES = 500_000
NOW_MS = 1_700_000_000_000
ROUNDS_MIN = 5
SECONDS_MIN = 0.4
SHAPES = [("10 B", 10, 0), ("100 B", 100, 0), ("1 KB", 1000, 0), ("100 B, 2 headers", 100, 2)]


def shape_records(value_bytes: int, header_count: int) -> list[Record]:
    count = BATCH_BYTES // (value_bytes + 20 + 12 * header_count)
    headers = (("name", b"value"),) * header_count
    return [
        Record(index, NOW_MS + index // 3, b"key-%06d" % index, os.urandom(value_bytes), headers)
        for index in range(count)
    ]


def own_work(records: list[Record]) -> Iterator[tuple[str, Callable[[], object]]]:
    batch = bytes(build_batch(records))
    header = read_header(batch)
    body = records_bytes(batch, 0, header)
    rows = pa.RecordBatch.from_pylist(
        [
            {
                "key": record.key,
                "value": record.value,
                "timestamp": record.timestamp_ms,
                "headers": [{"key": name, "value": value} for name, value in record.headers] or None,
            }
            for record in records
        ]
    )
    all_columns, value_column = ArrowColumns("topic", 0), ArrowColumns("topic", 0, ["value"])
    yield "build a batch", lambda: build_batch(records)
    yield "read records", lambda: (is_intact(batch, 0, header), read_records(batch, 0, header))
    yield "check keys", lambda: walk_keys(body, header)
    yield "keys for compaction", lambda: read_keys(body, header)
    yield "Arrow, all columns", lambda: list(all_columns.read(FetchedBatches(batch, 0)))
    yield "Arrow, only values", lambda: list(value_column.read(FetchedBatches(batch, 0)))
    yield "Arrow to a batch", lambda: list(encode_rows(rows, max_bytes=1 << 20, now_ms=NOW_MS))
    yield "partitions of keys", lambda: key_partitions(rows.column("key"), 12)


def aiokafka_work(records: list[Record]) -> Iterator[tuple[str, Callable[[], object]]]:
    try:
        from aiokafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder
    except ImportError:
        return
    batch = build_batch(records)

    def build() -> object:
        builder = DefaultRecordBatchBuilder(2, 0, False, -1, -1, 0, 1 << 30)
        for index, record in enumerate(records):
            builder.append(index, record.timestamp_ms, record.key, record.value, list(record.headers))
        return builder.build()

    def read() -> object:
        found = DefaultRecordBatch(batch)
        found.validate_crc()
        return [(record.key, record.value, record.timestamp, record.headers) for record in found]

    yield "build a batch", build
    yield "read records", read


def figures(work: Callable[[list[Record]], Iterator[tuple[str, Callable[[], object]]]]) -> dict[str, float]:
    """By row: what and of which shape."""
    found = {}
    for title, value_bytes, header_count in SHAPES:
        records = shape_records(value_bytes, header_count)
        for name, run in work(records):
            found[f"{title}: {name}"] = best_ns(run) / len(records)
    return found


def best_ns(run: Callable[[], object]) -> float:
    results: list[int] = []
    end = time.perf_counter() + SECONDS_MIN
    while len(results) < ROUNDS_MIN or time.perf_counter() < end:
        start = time.process_time_ns()
        run()
        results.append(time.process_time_ns() - start)
    return min(results)


def figures_as_python() -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.record_codec", "--json"]
    environment = {**os.environ, "OTTLA_PURE": "1"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def table(columns: dict[str, dict[str, float]]) -> str:
    names = list(dict.fromkeys(row for found in columns.values() for row in found))
    lines = [f"| ns per record | {' | '.join(columns)} |", "|---" + "|--:" * len(columns) + "|"]
    for name in names:
        cells = [f"{found[name]:,.0f}" if name in found else "" for found in columns.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    if "--json" in sys.argv:
        print(json.dumps(figures(own_work)))
        return
    columns = {}
    if len(compiled_modules()) == len(MODULES):
        columns["compiled"] = figures(own_work)
    columns["as Python"] = figures_as_python()
    peer = figures(aiokafka_work)
    if peer:
        columns["aiokafka"] = peer
    print(table(columns))


if __name__ == "__main__":
    main()
