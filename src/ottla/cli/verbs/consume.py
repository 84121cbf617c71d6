"""`ottla consume`: records of a topic. Lines for people on a terminal, JSON lines in a pipe."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from ottla.cli.failures import usage
from ottla.cli.records.expressions import Evaluate, matches, parse_expression
from ottla.cli.records.json_lines import record_document, record_line
from ottla.cli.records.places import END, START, Place, parse_place
from ottla.cli.records.reading import Wanted, assigned, check_topic, read
from ottla.cli.records.templates import CONSUME_TOKENS, template, terminal_line
from ottla.cli.run import Run
from ottla.cli.tool import verb

if TYPE_CHECKING:
    from ottla.client import Consumer, ConsumerRecord

#: Output is flushed after so many records, and when no more are at hand.
_FLUSH_EVERY = 500


@verb("consume")
@click.argument("topic")
@click.option("-n", "--count", type=click.IntRange(1), metavar="N", help="Stop after N records.")
@click.option("-f", "--follow", is_flag=True, help="Wait for new records; starts at the end unless --from is given.")
@click.option("--from", "start", metavar="PLACE", help="start, end, 1200, -100, @-1h, @2026-01-01T10:00Z, p3:1200.")
@click.option("--to", "stop", metavar="PLACE", help="Stop before this place; the end of now unless given.")
@click.option("-g", "--group", metavar="GROUP", help="Read as a member of this group and commit.")
@click.option("--where", metavar="EXPRESSION", help="Only records for which this is true: 'value.total > 10'.")
@click.option("--format", "form", metavar="FORMAT", help="e.g. '%t %p %o %k %v\\n'; also %T %h %K %S.")
@click.option("--committed", is_flag=True, help="Only records of committed transactions.")
def consume(
    run: Run,
    topic: str,
    count: int | None,
    follow: bool,
    start: str | None,
    stop: str | None,
    group: str | None,
    where: str | None,
    form: str | None,
    committed: bool,
) -> int:
    """Print the records of TOPIC, from its start to its end of now.

    \b
    ottla consume orders -f                        new records, as they come
    ottla consume orders --from -10                the last ten of each partition
    ottla consume a | ottla produce b -i jsonl     copies a topic
    ottla consume orders --where 'value.total > 10 && key.startsWith("a")'

    In a pipe each record is a line of JSON.
    """
    if follow and stop is not None:
        raise usage("--follow and --to exclude each other")
    if group is not None and (start is not None or stop is not None):
        raise usage("--group reads on from its committed offsets", "ottla group seek moves them")
    if run.output == "json" and follow:
        raise usage("-o json needs an end", "-o jsonl prints a line for each record")
    places = parse_place(start) if start is not None else [Place(END if follow else START)]
    condition = parse_expression(where) if where is not None else None
    # With a condition, `-n` counts records that match.
    limit = None if condition is not None else count
    wanted = Wanted(places, parse_place(stop) if stop is not None else None, limit, follow)
    show = printer(run, form)
    check_topic(run, topic)
    from ottla.client import Consumer
    from ottla.config.consumer_options import ConsumerOptions

    level = "read_committed" if committed else "read_uncommitted"
    settings = run.settings(ConsumerOptions, client_id="ottla-consume", isolation_level=level)
    settings.setdefault("auto.offset.reset", "earliest")
    if group is not None:
        settings["group.id"] = group
    else:
        settings["enable.auto.commit"] = "false"
    with Consumer(settings) as consumer:
        found = _records(consumer, topic, wanted, group)
        show(_first(filter(_test(condition), found), count if condition is not None else None))
    return 0


def _records(consumer: "Consumer", topic: str, wanted: Wanted, group: str | None) -> "Iterator[ConsumerRecord]":
    if group is None:
        yield from read(consumer, wanted, assigned(consumer, topic, wanted))
        return
    from ottla.cli.records.reading import partitions_of

    stops = {} if wanted.follow else dict(consumer.end_offsets(partitions_of(consumer, topic)))
    consumer.subscribe([topic])
    left = wanted.limit
    while left != 0:
        records = consumer.poll(500, max_records=left)
        yield from records
        left = None if left is None else left - len(records)
        mine = consumer.assignment()
        if stops and mine and all(consumer.position(each) >= stops.get(each, 0) for each in mine):
            return


def _first(records: "Iterable[ConsumerRecord]", count: int | None) -> "Iterator[ConsumerRecord]":
    for number, record in enumerate(records, 1):
        yield record
        if number == count:
            return


def _test(condition: Evaluate | None) -> "Callable[[ConsumerRecord], bool]":
    if condition is None:
        return lambda record: True
    return lambda record: matches(condition, names_of(record))


def names_of(record: "ConsumerRecord") -> dict[str, Any]:
    """What an expression can ask for."""
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": record.timestamp_ms,
        "key": _content(record.key),
        "value": _content(record.value),
        "headers": {
            name: None if value is None else value.decode("utf-8", "replace") for name, value in record.headers
        },
    }


def _content(data: bytes | None) -> Any:
    """JSON if it is an object, a list or a number; text otherwise."""
    if data is None:
        return None
    if data[:1] in b'{[-0123456789"tfn' and data:
        try:
            return json.loads(data)
        except ValueError:
            pass
    return data.decode("utf-8", "replace")


def printer(run: Run, form: str | None) -> "Callable[[Iterable[ConsumerRecord]], None]":
    if run.output == "json":
        return _print_document
    if form is not None:
        return lambda records: _print(records, template(form, CONSUME_TOKENS))
    if run.output in (None, "table", "wide") and (sys.stdout.isatty() or run.output is not None):
        return lambda records: _print(records, lambda record: terminal_line(record, run.style).encode() + b"\n")
    return lambda records: _print(records, record_line)


def _print_document(records: "Iterable[ConsumerRecord]") -> None:
    items = [record_document(record) for record in records]
    print(json.dumps({"kind": "records", "items": items}, ensure_ascii=False, indent=2))


def _print(records: "Iterable[ConsumerRecord]", show: "Callable[[ConsumerRecord], bytes]") -> None:
    out = sys.stdout.buffer
    is_terminal = sys.stdout.isatty()
    for number, record in enumerate(records, 1):
        out.write(show(record))
        if is_terminal or number % _FLUSH_EVERY == 0:
            out.flush()
    out.flush()
