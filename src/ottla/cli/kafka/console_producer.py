"""`ottla console-producer` (kafka-console-producer.sh): a record for each line of stdin."""

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from ottla.cli.console.line_reader import LineReader
from ottla.cli.failures import Failure, failure_of
from ottla.cli.kafka.actions import tool_properties
from ottla.cli.old_flags import BROKER_LIST, renamed
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client.errors import ClientError

if TYPE_CHECKING:
    from ottla.client import Producer, SyncDelivery

_OLD = (
    *BROKER_LIST,
    renamed("--property", "--reader-property"),
    renamed("--producer-property", "--command-property"),
    renamed("--producer.config", "--command-config"),
    renamed("--max-partition-memory-bytes", "--batch-size"),
)
_LINE_READER = "LineMessageReader"
#: Errors beyond this number are counted only.
_SHOWN_ERRORS = 5


@kafka_tool("console-producer", old=_OLD)
@click.option("--topic", required=True, metavar="TOPIC", help="Where the records go.")
@click.option("--sync", is_flag=True, help="Wait for each record before the next line is read.")
@click.option(
    "--compression-codec",
    is_flag=False,
    flag_value="gzip",
    metavar="[CODEC]",
    help="none, gzip, snappy, lz4 or zstd; gzip without a name.",
)
@click.option("--batch-size", type=int, default=16384, metavar="BYTES", help="Max size of a batch.")
@click.option("--message-send-max-retries", type=int, metavar="COUNT", help="Retries of a failed request [3].")
@click.option("--retry-backoff-ms", type=int, default=100, metavar="MS", help="Back-off before a retry.")
@click.option("--timeout", "linger_ms", type=int, default=1000, metavar="MS", help="How long a batch may linger.")
@click.option("--request-required-acks", default="-1", metavar="ACKS", help="0, 1, -1 or all.")
@click.option("--request-timeout-ms", type=int, default=1500, metavar="MS", help="Timeout of a request.")
@click.option("--metadata-expiry-ms", type=int, default=300_000, metavar="MS", help="When metadata is refreshed.")
@click.option("--max-block-ms", type=int, default=60_000, metavar="MS", help="How long to wait for metadata and room.")
@click.option("--max-memory-bytes", type=int, default=33_554_432, metavar="BYTES", help="Memory for unsent records.")
@click.option("--socket-buffer-size", type=int, default=102_400, metavar="BYTES", help="Size of the send buffer.")
@click.option("--line-reader", default=_LINE_READER, metavar="CLASS", help="Only Kafka's LineMessageReader.")
@click.option("--reader-config", metavar="FILE", help="A file of reader properties.")
@click.option("--reader-property", "reader_properties", multiple=True, metavar="NAME=VALUE", help="A reader property.")
def console_producer(
    run: Run,
    topic: str,
    sync: bool,
    line_reader: str,
    reader_config: str | None,
    reader_properties: tuple[str, ...],
    **settings: str | int | None,
) -> int:
    """Send each line of stdin as a record (kafka-console-producer.sh).

    Reader properties: parse.key, key.separator, parse.headers, headers.delimiter, headers.separator,
    headers.key.separator, null.marker, ignore.error.
    """
    if line_reader.rpartition(".")[2] != _LINE_READER:
        raise Failure(f"there is no line reader {line_reader}; only {_LINE_READER} is known")
    reader = LineReader(tool_properties(reader_properties, reader_config))
    run.require_reachable()
    from ottla.client import Producer
    from ottla.config.producer_options import ProducerOptions

    deliveries = Deliveries()
    with Producer(run.settings(ProducerOptions, **_producer_settings(settings))) as producer:
        for line in input_lines(prompt=">"):
            record = reader.read(line)
            delivery = producer.send(topic, record.value, record.key, headers=record.headers)
            deliveries.add(delivery)
            if sync:
                _flush(producer)
        _flush(producer)
        return deliveries.finish()


def _flush(producer: "Producer") -> None:
    """Failures are reported by their deliveries."""
    with suppress(ClientError):
        producer.flush()


def _producer_settings(flags: dict[str, str | int | None]) -> dict[str, object]:
    """The flags as client properties; properties of the user count more."""
    found: dict[str, object] = {
        "client_id": "console-producer",
        "acks": flags["request_required_acks"],
        "batch_size": flags["batch_size"],
        "linger_ms": flags["linger_ms"],
        "retry_backoff_ms": flags["retry_backoff_ms"],
        "request_timeout_ms": flags["request_timeout_ms"],
        "metadata_max_age_ms": flags["metadata_expiry_ms"],
        "max_block_ms": flags["max_block_ms"],
        "buffer_memory": flags["max_memory_bytes"],
        "send_buffer_bytes": flags["socket_buffer_size"],
    }
    if flags["message_send_max_retries"] is not None:
        found["retries"] = flags["message_send_max_retries"]
    if flags["compression_codec"]:
        found["compression_type"] = flags["compression_codec"]
    return found


def input_lines(prompt: str = "") -> Iterator[str]:
    """The lines of stdin without their breaks; bytes that are not UTF-8 pass unchanged."""
    shows_prompt = bool(prompt) and sys.stdin.isatty()
    source = sys.stdin.buffer
    while True:
        if shows_prompt:
            print(prompt, end="", flush=True)
        line = source.readline()
        if not line:
            return
        yield line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")


class Deliveries:
    """Records that were sent and not decided, in order. The first few errors are printed, all are counted."""

    def __init__(self) -> None:
        self._waiting: deque[SyncDelivery] = deque()
        self._failed = 0

    def add(self, delivery: "SyncDelivery") -> None:
        self._waiting.append(delivery)
        while self._waiting and self._waiting[0].done():
            self._settle()

    def finish(self) -> int:
        """Waits for all that is left; the exit code."""
        while self._waiting:
            self._settle()
        if self._failed > 1:
            print(f"error: {self._failed} records were not delivered", file=sys.stderr)
        return 1 if self._failed else 0

    def _settle(self) -> None:
        try:
            self._waiting.popleft().result()
        except ClientError as error:
            self._failed += 1
            if self._failed <= _SHOWN_ERRORS:
                print(f"error: a record was not delivered: {failure_of(error).message}", file=sys.stderr)
