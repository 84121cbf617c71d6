"""`ottla produce`: records from the lines of stdin or a file, as they are or as JSON."""

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

import click

from ottla.cli.failures import Failure, failure_of, partly_failed, usage
from ottla.cli.records.json_lines import ParsedRecord, parse_record
from ottla.cli.run import Run
from ottla.cli.tool import verb
from ottla.client.errors import ClientError
from ottla.records.record import Headers

if TYPE_CHECKING:
    from ottla.client import Producer, RecordMetadata, SyncDelivery

#: So many places are printed one by one; after that only the sum.
_SHOWN_PLACES = 10
_LINES, _JSON_LINES, _WHOLE = "lines", "jsonl", "whole"


@verb("produce")
@click.argument("topic")
@click.argument("file", required=False, type=click.Path(dir_okay=False))
@click.option(
    "-i",
    "--input",
    "form",
    type=click.Choice([_LINES, _JSON_LINES, _WHOLE]),
    default=_LINES,
    help="A record for each line, for each line of JSON as consume prints it, or one for the whole input.",
)
@click.option("-k", "--key", metavar="KEY", help="The key of all records.")
@click.option("-H", "--header", "headers", multiple=True, metavar="NAME=VALUE", help="A header; repeatable.")
@click.option("-p", "--partition", type=click.IntRange(0), metavar="N", help="The partition of all records.")
@click.option("-z", "--compress", metavar="CODEC", help="gzip, snappy, lz4 or zstd.")
@click.option("--tombstone", is_flag=True, help="Send one record without a value; needs --key.")
@click.option("--keep-partitions", is_flag=True, help="With -i jsonl: the partitions that the lines name.")
def produce(
    run: Run,
    topic: str,
    file: str | None,
    form: str,
    key: str | None,
    headers: tuple[str, ...],
    partition: int | None,
    compress: str | None,
    tombstone: bool,
    keep_partitions: bool,
) -> int:
    """Send the lines of stdin, or of FILE, to TOPIC.

    \b
    echo '{"id": 1}' | ottla produce orders -k alice
    ottla consume a | ottla produce b -i jsonl
    ottla produce orders -k alice --tombstone
    """
    if tombstone and key is None:
        raise usage("--tombstone needs --key: it deletes what the key names")
    own_headers = _headers(headers)
    run.require_reachable()
    from ottla.client import Producer
    from ottla.config.producer_options import ProducerOptions

    settings = run.settings(ProducerOptions, client_id="ottla-produce")
    if compress is not None:
        settings["compression.type"] = compress
    report = _Report(run, topic)
    with Producer(settings) as producer:
        source = [ParsedRecord(None, None)] if tombstone else _records(file, form)
        for record in source:
            given = None if key is None else key.encode()
            where = partition if partition is not None else record.partition if keep_partitions else None
            delivery = producer.send(
                topic,
                record.value,
                given if given is not None else record.key,
                partition=where,
                timestamp_ms=record.timestamp_ms,
                headers=(*record.headers, *own_headers) or None,
            )
            report.add(delivery)
        _flush(producer)
        return report.finish()


def _flush(producer: "Producer") -> None:
    with suppress(ClientError):  # the report has it
        producer.flush()


def _headers(pairs: tuple[str, ...]) -> Headers:
    found = []
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name:
            raise usage(f"{pair!r} is no header", "give NAME=VALUE")
        found.append((name, value.encode() if equals else None))
    return tuple(found)


def _records(file: str | None, form: str) -> Iterator[ParsedRecord]:
    if file is None:
        if sys.stdin.isatty():
            print("a record for each line; Ctrl-D ends", file=sys.stderr)
        yield from _parsed(sys.stdin.buffer, form)
        return
    with open(file, "rb") as source:
        yield from _parsed(source, form)


def _parsed(source: BinaryIO, form: str) -> Iterator[ParsedRecord]:
    if form == _WHOLE:
        yield ParsedRecord(None, source.read())
        return
    for number, line in enumerate(source, 1):
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        if form == _LINES:
            yield ParsedRecord(None, line)
        elif line.strip():
            try:
                yield parse_record(line.decode(), number)
            except UnicodeDecodeError:
                raise Failure(f"line {number}: not UTF-8") from None


class _Report:
    """What became of the records: the first places, progress, a sum."""

    def __init__(self, run: Run, topic: str) -> None:
        self._run = run
        self._topic = topic
        self._waiting: deque[SyncDelivery] = deque()
        self._written = 0
        self._failed = 0
        self._first_error = ""
        self._progress = run.progress(topic)

    def add(self, delivery: "SyncDelivery") -> None:
        self._waiting.append(delivery)
        while self._waiting and self._waiting[0].done():
            self._settle()

    def finish(self) -> int:
        """Waits for what is left. Raises Failure when records were not delivered."""
        while self._waiting:
            self._settle()
        if self._failed:
            message = (
                f"{self._failed} of {self._failed + self._written} records were not delivered: {self._first_error}"
            )
            raise partly_failed(message) if self._written else Failure(message)
        if self._written > _SHOWN_PLACES:
            self._run.note(f"{self._topic}  {self._written} records")
        return 0

    def _settle(self) -> None:
        try:
            self._show(self._waiting.popleft().result())
        except ClientError as error:
            self._failed += 1
            self._first_error = self._first_error or failure_of(error).message

    def _show(self, written: "RecordMetadata") -> None:
        self._written += 1
        if self._written <= _SHOWN_PLACES:
            self._run.note(f"{written.topic}  p{written.partition} @ {written.offset}")
        else:
            self._progress.advance()
