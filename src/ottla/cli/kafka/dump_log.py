"""`ottla dump-log` (kafka-dump-log.sh): what is in the files of a log, Kafka's and ours."""

import os
import sys
from collections.abc import Iterator
from typing import Final

import click

from ottla.cli.dump import decoders, indexes
from ottla.cli.dump.segments import NO_LIMIT, Findings, LogOptions, dump_log
from ottla.cli.failures import Failure, usage
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.log.segments import log_directory as file_names

_CHECKPOINT: Final = ".checkpoint"
_DEFAULT_DECODER: Final = "org.apache.kafka.tools.api.StringDecoder"
_DEFAULT_MESSAGE_BYTES: Final = 5 * 1024 * 1024


@kafka_tool("dump-log", connects=False)
@click.option("--files", required=True, metavar="FILE,FILE,…", help="Segments, indexes, snapshots.")
@click.option("--print-data-log", is_flag=True, help="Print keys and values; the decoders below imply it.")
@click.option("--deep-iteration", is_flag=True, help="Print records, not only batches; --print-data-log implies it.")
@click.option("--skip-record-metadata", is_flag=True, help="Of records, print keys and values only.")
@click.option("--verify-index-only", is_flag=True, help="Compare indexes with the log; do not print them.")
@click.option("--index-sanity-check", is_flag=True, help="Check indexes as a broker does when it starts.")
@click.option(
    "--max-message-size", type=int, default=_DEFAULT_MESSAGE_BYTES, metavar="BYTES", help="Accepted, without effect."
)
@click.option("--max-bytes", type=int, default=NO_LIMIT, metavar="BYTES", help="Read only the first bytes of a log.")
@click.option(
    "--key-decoder-class", metavar="CLASS", help="StringDecoder, IntegerDecoder, LongDecoder, DefaultDecoder."
)
@click.option("--value-decoder-class", metavar="CLASS", help="As --key-decoder-class, for values.")
@click.option("--offsets-decoder", is_flag=True, help="The log is of __consumer_offsets.")
@click.option("--transaction-log-decoder", is_flag=True, help="The log is of __transaction_state.")
@click.option("--cluster-metadata-decoder", is_flag=True, help="The log is of __cluster_metadata.")
@click.option("--remote-log-metadata-decoder", is_flag=True, help="The log is of __remote_log_metadata.")
@click.option("--share-group-state-decoder", is_flag=True, help="The log is of __share_group_state.")
def dump_log_command(
    run: Run,
    files: str,
    print_data_log: bool,
    deep_iteration: bool,
    skip_record_metadata: bool,
    verify_index_only: bool,
    index_sanity_check: bool,
    max_message_size: int,
    max_bytes: int,
    key_decoder_class: str | None,
    value_decoder_class: str | None,
    **internal: bool,
) -> int:
    """Print what is in files of a log: batches, records, index entries, producers (kafka-dump-log.sh)."""
    decoder = _decoder(print_data_log, key_decoder_class, value_decoder_class, internal)
    options = LogOptions(decoder, decoder is not None or deep_iteration, skip_record_metadata, max_bytes)
    findings = Findings()
    for path in filter(None, (part.strip() for part in files.split(","))):
        print(f"Dumping {path}")
        lines = _lines(path, options, findings, sanity_only=index_sanity_check, verify_only=verify_index_only)
        for line in lines:
            print(line)
    sys.stdout.flush()
    for line in findings.lines():
        print(line, file=sys.stderr)
    return 1 if findings.failures else 0


def _decoder(
    print_data_log: bool, key_class: str | None, value_class: str | None, internal: dict[str, bool]
) -> decoders.Decoder | None:
    """None: contents are not printed."""
    makers = {
        "offsets_decoder": decoders.offsets_decoder,
        "transaction_log_decoder": decoders.transaction_decoder,
        "cluster_metadata_decoder": decoders.metadata_decoder,
        "remote_log_metadata_decoder": decoders.remote_log_decoder,
        "share_group_state_decoder": decoders.share_state_decoder,
    }
    for name, maker in makers.items():
        if internal[name]:
            return maker()
    if not (print_data_log or key_class or value_class):
        return None
    try:
        return decoders.plain_decoder(
            decoders.plain_decoder_named(key_class or _DEFAULT_DECODER),
            decoders.plain_decoder_named(value_class or _DEFAULT_DECODER),
        )
    except ValueError as error:
        raise usage(str(error)) from None


def _lines(
    path: str, options: LogOptions, findings: Findings, *, sanity_only: bool, verify_only: bool
) -> Iterator[str]:
    name = os.path.basename(path)
    suffix = os.path.splitext(name)[1]
    try:
        if suffix in (file_names.LOG, _CHECKPOINT):
            yield from dump_log(path, options, findings)
        elif suffix == file_names.OFFSET_INDEX:
            yield from indexes.dump_offset_index(path, findings, sanity_only=sanity_only, verify_only=verify_only)
        elif suffix == file_names.TIME_INDEX:
            yield from indexes.dump_time_index(path, findings, sanity_only=sanity_only, verify_only=verify_only)
        elif suffix == file_names.SNAPSHOT:
            yield from indexes.dump_producer_snapshot(path, findings)
        elif suffix == file_names.TRANSACTION_INDEX:
            yield from indexes.dump_transaction_index(path, findings)
        elif name == file_names.LEADER_EPOCHS:
            yield from indexes.dump_leader_epochs(path, findings)
        else:
            print(f"Ignoring unknown file {path}", file=sys.stderr)
    except OSError as error:
        raise Failure(f"{error.filename or path}: {error.strerror}") from error
    except ValueError as error:
        raise Failure(str(error)) from error
