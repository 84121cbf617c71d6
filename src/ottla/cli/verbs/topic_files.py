"""`ottla topic export` and `ottla topic import`: a topic as a file of JSON lines.

The first line has partitions and settings of the topic, each other line a record as `consume` prints it. A file whose
name ends in .gz is compressed.
"""

import gzip
import json
import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from ottla.cli.failures import Failure, not_found, partly_failed
from ottla.cli.records.json_lines import parse_record, record_line
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import verb
from ottla.client.errors import ClientError

if TYPE_CHECKING:
    from ottla.client import Admin, Consumer, Producer, SyncDelivery

_KIND = "topic"
_VERSION = 1
#: Deliveries that are kept before the oldest is awaited.
_IN_FLIGHT = 10_000


class Moved(NamedTuple):
    topic: str
    records: int
    file: str


@verb("export")
@click.argument("topic")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--overwrite", is_flag=True, help="Replace an existing file.")
def export_topic(run: Run, topic: str, file: str, overwrite: bool) -> Result:
    """Write TOPIC, its settings and its records of now, to FILE (.gz compresses)."""
    if os.path.exists(file) and not overwrite:
        raise Failure(f"{file} exists", hint="--overwrite replaces it")
    from ottla.client import Consumer
    from ottla.config.consumer_options import ConsumerOptions

    settings = run.settings(ConsumerOptions, client_id="ottla-export", isolation_level="read_committed")
    settings["enable.auto.commit"] = "false"
    with run.admin() as admin:
        header = _header(admin, topic)
    beside = f"{file}.part"
    try:
        with Consumer(settings) as consumer, _opened(beside, "wb", file) as target:
            target.write(json.dumps(header, ensure_ascii=False).encode() + b"\n")
            count = _write_records(run, consumer, topic, target)
        os.replace(beside, file)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)
    run.note(f"{topic}  {count} records in {file}")
    return Result("exports", [Moved(topic, count, file)], ("topic", "records", "file"), text="")


def _header(admin: "Admin", topic: str) -> dict[str, Any]:
    from ottla.client import ConfigResource, ConfigResourceType, ConfigSource

    names = [listing.name for listing in admin.list_topics(include_internal=True)]
    if topic not in names:
        raise not_found("topic", topic, names)
    partitions = len(admin.describe_topics([topic])[topic].partitions)
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    entries = admin.describe_configs([resource])[resource]
    own = {name: row.value for name, row in entries.items() if row.source is ConfigSource.TOPIC}
    return {"kind": _KIND, "version": _VERSION, "topic": topic, "partitions": partitions, "configs": own}


def _write_records(run: Run, consumer: "Consumer", topic: str, target: "IO[bytes]") -> int:
    from ottla.cli.records.places import START, Place
    from ottla.cli.records.reading import Wanted, assigned, read

    wanted = Wanted([Place(START)])
    stops = assigned(consumer, topic, wanted)
    total = sum(stops.values()) - sum(consumer.beginning_offsets(list(stops)).values())
    count = 0
    with run.progress(topic, total) as progress:
        for record in read(consumer, wanted, stops):
            target.write(record_line(record))
            count += 1
            progress.advance()
    return count


@verb("import")
@click.argument("topic")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("-z", "--compress", metavar="CODEC", help="gzip, snappy, lz4 or zstd.")
def import_topic(run: Run, topic: str, file: str, compress: str | None) -> Result:
    """Send the records of FILE to TOPIC, each to its partition; creates the topic with the settings of the file."""
    from ottla.client import Producer
    from ottla.config.producer_options import ProducerOptions

    settings = run.settings(ProducerOptions, client_id="ottla-import")
    if compress is not None:
        settings["compression.type"] = compress
    with _opened(file, "rb", file) as source:
        header = _read_header(source, file)
        with run.admin() as admin:
            partitions = _create(admin, topic, header)
        with Producer(settings) as producer:
            count = _send(run, producer, topic, source, partitions)
    run.note(f"{topic}  {count} records from {file}")
    return Result("imports", [Moved(topic, count, file)], ("topic", "records", "file"), text="")


def _read_header(source: "IO[bytes]", file: str) -> dict[str, Any]:
    try:
        header = json.loads(source.readline())
    except (ValueError, EOFError, gzip.BadGzipFile):
        header = None
    if not isinstance(header, dict) or header.get("kind") != _KIND or not isinstance(header.get("partitions"), int):
        raise Failure(f"{file}: not an exported topic", hint="ottla produce TOPIC FILE -i jsonl sends lines of JSON")
    if header.get("version") != _VERSION:
        raise Failure(f"{file}: version {header.get('version')} is not known")
    return header


def _create(admin: "Admin", topic: str, header: dict[str, Any]) -> int:
    """The number of partitions of the topic, which may have existed."""
    from ottla.client import NewTopic

    if all(listing.name != topic for listing in admin.list_topics(include_internal=True)):
        admin.create_topics([NewTopic(topic, header["partitions"], -1, configs=dict(header.get("configs") or {}))])
        return int(header["partitions"])
    return len(admin.describe_topics([topic])[topic].partitions)


def _send(run: Run, producer: "Producer", topic: str, source: "IO[bytes]", partitions: int) -> int:
    waiting: deque[SyncDelivery] = deque()
    count = 0
    with run.progress(topic) as progress:
        for number, line in _lines(source):
            record = parse_record(line, number)
            # A topic with fewer partitions takes the record by its key.
            partition = record.partition if (record.partition or 0) < partitions else None
            sent = producer.send(
                topic,
                record.value,
                record.key,
                partition=partition,
                timestamp_ms=record.timestamp_ms,
                headers=record.headers or None,
            )
            waiting.append(sent)
            if len(waiting) > _IN_FLIGHT:
                count += _awaited(waiting.popleft(), count)
            progress.advance()
        with suppress(ClientError):
            producer.flush()
        while waiting:
            count += _awaited(waiting.popleft(), count)
    return count


def _awaited(delivery: "SyncDelivery", count: int) -> int:
    try:
        delivery.result()
    except ClientError as error:
        raise partly_failed(f"stopped after {count} records: {error}") from error
    return 1


def _lines(source: "IO[bytes]") -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source, 2):
        if line.strip():
            try:
                yield number, line.decode()
            except UnicodeDecodeError:
                raise Failure(f"line {number}: not UTF-8") from None


def _opened(path: str, mode: str, name: str) -> "IO[bytes]":
    """Compressed by the name that the file will have."""
    if name.endswith(".gz"):
        return gzip.open(path, mode)  # type: ignore[return-value]
    return open(path, mode)
