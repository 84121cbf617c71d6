"""What `ottla cat` does in each of kcat's modes."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, TypedDict

from ottla.cli.failures import Failure, not_found, usage
from ottla.cli.records.json_lines import record_document
from ottla.cli.records.places import BEFORE_END, END, OFFSET, START, TIME, Place
from ottla.cli.records.reading import Wanted, assigned, check_topic, read
from ottla.cli.records.templates import CAT_TOKENS, template, unescaped
from ottla.cli.run import Run
from ottla.client.errors import ClientError
from ottla.records.record import Headers

if TYPE_CHECKING:
    from ottla.client import Consumer, ConsumerRecord

_READ_BYTES = 1 << 16
_POLL_MS = 500


class CatFlags(TypedDict):
    """The flags that are the same in all modes."""

    partition: int | None
    offset: str | None
    exit_at_end: bool
    count: int | None
    key_delimiter: str | None
    key: str | None
    delimiter: str
    headers: tuple[str, ...]
    empty_is_null: bool
    codec: str | None
    form: str | None
    as_json: bool
    by_line: bool
    tee: bool
    unbuffered: bool


# produce


def produce(run: Run, topic: str, files: Sequence[str], flags: CatFlags) -> int:
    run.require_reachable()
    from ottla.client import Producer
    from ottla.config.producer_options import ProducerOptions

    settings = run.settings(ProducerOptions, client_id="ottla-cat")
    if flags["codec"]:
        settings["compression.type"] = flags["codec"]
    headers = _headers(flags["headers"])
    partition = flags["partition"] if (flags["partition"] or 0) >= 0 else None
    left = flags["count"]
    with Producer(settings) as producer:
        deliveries = []
        for data in _input(files, flags):
            if left == 0:
                break
            left = None if left is None else left - 1
            key, value = _split(data, flags)
            deliveries.append(producer.send(topic, value, key, partition=partition, headers=headers or None))
            if flags["tee"]:
                sys.stdout.buffer.write(data + unescaped(flags["delimiter"]).encode())
            if len(deliveries) > 10_000:
                deliveries = [each for each in deliveries if not (each.done() and each.result())]
        with suppress(ClientError):
            producer.flush()
        for delivery in deliveries:
            delivery.result()
    return 0


def _split(data: bytes, flags: CatFlags) -> tuple[bytes | None, bytes | None]:
    key = None if flags["key"] is None else flags["key"].encode()
    if flags["key_delimiter"]:
        first, found, rest = data.partition(unescaped(flags["key_delimiter"]).encode())
        if found:
            key, data = first, rest
    if flags["empty_is_null"]:
        return key or None, data or None
    return key, data


def _headers(pairs: Sequence[str]) -> Headers:
    found = []
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name:
            raise usage(f"{pair!r} is no header", "give NAME=VALUE")
        found.append((name, value.encode() if equals else None))
    return tuple(found)


def _input(files: Sequence[str], flags: CatFlags) -> Iterator[bytes]:
    """Records of stdin by delimiter; whole files, or with -l their lines."""
    delimiter = unescaped(flags["delimiter"]).encode()
    if not files:
        yield from _delimited(sys.stdin.buffer, delimiter)
    for path in files:
        with open(path, "rb") as file:
            if flags["by_line"]:
                yield from _delimited(file, delimiter)
            else:
                yield file.read()


def _delimited(source: BinaryIO, delimiter: bytes) -> Iterator[bytes]:
    if delimiter == b"\n":
        yield from (line.removesuffix(b"\n") for line in source if line != b"\n")
        return
    rest = b""
    while chunk := source.read(_READ_BYTES):
        *records, rest = (rest + chunk).split(delimiter)
        yield from filter(None, records)
    if rest.removesuffix(b"\n"):
        yield rest.removesuffix(b"\n")


# consume


def consume(run: Run, topic: str, flags: CatFlags) -> int:
    check_topic(run, topic)
    show = _printer(flags)
    places = [_place(flags["offset"] or "beginning", flags["partition"])]
    wanted = Wanted(places, None, flags["count"], follow=not flags["exit_at_end"])
    with _consumer(run, group=None) as consumer:
        stops = assigned(consumer, topic, wanted)
        _print(read(consumer, wanted, stops), show)
    if flags["exit_at_end"]:
        run.note(f"% Reached end of topic {topic}: exiting")
    return 0


def consume_as_group(run: Run, group: str, topics: Sequence[str], flags: CatFlags) -> int:
    run.require_reachable()
    show = _printer(flags)
    with _consumer(run, group=group) as consumer:
        patterns = [topic for topic in topics if topic.startswith("^")]
        if patterns:
            consumer.subscribe(pattern="|".join(f"({each[1:].removesuffix('$')})" for each in patterns))
        else:
            consumer.subscribe(list(topics))
        _print(_polled(consumer, flags), show)
    return 0


def _polled(consumer: "Consumer", flags: CatFlags) -> "Iterator[ConsumerRecord]":
    left = flags["count"]
    while left != 0:
        records = consumer.poll(_POLL_MS, max_records=left)
        yield from records
        left = None if left is None else left - len(records)
        mine = consumer.assignment()
        if flags["exit_at_end"] and mine and not records:
            ends = consumer.end_offsets(list(mine))
            if all(consumer.position(each) >= ends[each] for each in mine):
                return


def _consumer(run: Run, group: str | None) -> "Consumer":
    from ottla.client import Consumer
    from ottla.config.consumer_options import ConsumerOptions

    settings = run.settings(ConsumerOptions, client_id="ottla-cat")
    if group is not None:
        settings["group.id"] = group
        settings.setdefault("auto.offset.reset", "earliest")
    else:
        settings["enable.auto.commit"] = "false"
    return Consumer(settings)


def _place(text: str, partition: int | None) -> Place:
    words = {"beginning": Place(START), "end": Place(END), "stored": Place(START)}
    place = words.get(text)
    if place is None:
        kind, number = OFFSET, text
        if text.startswith("s@"):
            kind, number = TIME, text[2:]
        elif text.startswith("-"):
            kind, number = BEFORE_END, text[1:]
        if not number.isdigit():
            raise usage(f"-o {text} is not known", "beginning, end, stored, N, -N or s@TIMESTAMP")
        place = Place(kind, int(number))
    return place._replace(partition=partition if (partition or 0) >= 0 else None)


def _printer(flags: CatFlags) -> "Callable[[ConsumerRecord], bytes]":
    if flags["as_json"]:
        return lambda record: json.dumps(_kcat_document(record), ensure_ascii=False).encode() + b"\n"
    if flags["form"] is not None:
        return template(flags["form"], CAT_TOKENS, null=b"NULL" if flags["empty_is_null"] else b"")
    end = unescaped(flags["delimiter"])
    start = "" if flags["key_delimiter"] is None else "%k" + unescaped(flags["key_delimiter"]).replace("%", "%%")
    form = f"{start}%s{end.replace('%', '%%')}"
    return template(form, CAT_TOKENS, null=b"NULL" if flags["empty_is_null"] else b"")


def _kcat_document(record: "ConsumerRecord") -> dict[str, Any]:
    """kcat's fields; bytes that are no text as in `consume`."""
    plain = record_document(record)
    document: dict[str, Any] = {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "tstype": "logappend" if record.timestamp_type else "create",
        "ts": record.timestamp_ms,
        "broker": -1,
        "key": plain["key"],
        "payload": plain["value"],
    }
    if plain["headers"]:
        document["headers"] = [text for each in plain["headers"] for text in (each["key"], each["value"])]
    return document


def _print(records: "Iterator[ConsumerRecord]", show: "Callable[[ConsumerRecord], bytes]") -> None:
    out = sys.stdout.buffer
    for record in records:
        out.write(show(record))
        out.flush()


# list and query


def list_cluster(run: Run, topic: str | None, *, as_json: bool) -> int:
    with run.admin() as admin:
        cluster = admin.describe_cluster()
        names = sorted(listing.name for listing in admin.list_topics(include_internal=True))
        if topic is not None:
            if topic not in names:
                raise not_found("topic", topic, names)
            names = [topic]
        topics = admin.describe_topics(names) if names else {}
    brokers = [{"id": node.id, "name": f"{node.host}:{node.port}"} for node in cluster.nodes]
    controller = cluster.controller_id
    shown = [
        {
            "topic": name,
            "partitions": [
                {
                    "partition": view.partition,
                    "leader": view.leader_id,
                    "replicas": [{"id": each} for each in view.replicas],
                    "isrs": [{"id": each} for each in view.in_sync_replicas],
                }
                for view in topics[name].partitions
            ],
        }
        for name in names
    ]
    if as_json:
        document = {"controllerid": controller, "brokers": brokers, "topics": shown}
        print(json.dumps(document, ensure_ascii=False))
        return 0
    print("\n".join(_listing(run.connection.servers, brokers, controller, shown)))
    return 0


def _listing(
    servers: str, brokers: list[dict[str, Any]], controller: int, topics: list[dict[str, Any]]
) -> Iterator[str]:
    yield f"Metadata for all topics (from broker -1: {servers}/bootstrap):"
    yield f" {len(brokers)} brokers:"
    for broker in brokers:
        yield f"  broker {broker['id']} at {broker['name']}{' (controller)' if broker['id'] == controller else ''}"
    yield f" {len(topics)} topics:"
    for topic in topics:
        yield f'  topic "{topic["topic"]}" with {len(topic["partitions"])} partitions:'
        for view in topic["partitions"]:
            replicas = ",".join(str(each["id"]) for each in view["replicas"])
            in_sync = ",".join(str(each["id"]) for each in view["isrs"])
            yield f"    partition {view['partition']}, leader {view['leader']}, replicas: {replicas}, isrs: {in_sync}"


def query(run: Run, places: Sequence[str]) -> int:
    """`-t TOPIC:PARTITION:TIMESTAMP`, several of them; -1 is the end, -2 the start."""
    from ottla.client import TopicPartition

    wanted = {}
    for text in places:
        name, *numbers = text.rsplit(":", 2)
        if len(numbers) != 2 or not all(each.lstrip("-").isdigit() for each in numbers):
            raise usage(f"-t {text} is no TOPIC:PARTITION:TIMESTAMP")
        wanted[TopicPartition(name, int(numbers[0]))] = int(numbers[1])
    with run.admin() as admin:
        found = admin.list_offsets(wanted)
    for partition in wanted:
        row = found.get(partition)
        if row is None:
            raise Failure(f"no offset for {partition}")
        print(f"{partition.topic} [{partition.partition}] offset {row.offset}")
    return 0
