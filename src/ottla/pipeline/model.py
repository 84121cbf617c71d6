"""A pipeline as values: what its file says, checked and with paths resolved. Nothing here knows Spark or YAML."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

#: Columns that every view of a topic has beside those of its value. Sinks leave them out; rename one to keep it.
METADATA_COLUMNS = ("_key", "_topic", "_partition", "_offset", "_timestamp", "_headers")
DEAD_LETTER = "dead_letter"

Offsets: TypeAlias = Mapping[str, Mapping[int, int]]
#: `earliest`, `latest`, a time in milliseconds, or offsets by topic and partition.
Start: TypeAlias = str | int | Offsets
Otherwise: TypeAlias = Literal["dead_letter", "drop", "fail"]
Mode: TypeAlias = Literal["append", "update", "complete"]
AVAILABLE_NOW = "available-now"
ASAP = "asap"


@dataclass(frozen=True)
class Watermark:
    column: str
    delay: str


@dataclass(frozen=True)
class TopicSource:
    """A stream of the records of one or more topics: `topics`, or those that `pattern` matches."""

    name: str
    line: int
    topics: tuple[str, ...]
    pattern: str | None
    start: Start
    decode: Literal["json", "text", "bytes"]
    schema: str | None
    watermark: Watermark | None
    max_records_per_trigger: int | None
    isolation: str
    fails_on_data_loss: bool
    client: Mapping[str, str]
    options: Mapping[str, str]
    is_stream = True


@dataclass(frozen=True)
class FileSource:
    """Files: those that arrive (`is_stream`), or a table that is read again after `refresh_ms`."""

    name: str
    line: int
    path: str
    format: str
    schema: str | None
    header: bool
    watermark: Watermark | None
    is_stream: bool
    refresh_ms: int | None
    options: Mapping[str, str]


@dataclass(frozen=True)
class JdbcSource:
    """A database table: whole, or with `increment` the rows that are new since the last batch."""

    name: str
    line: int
    url: str
    table: str
    increment: str | None
    lag_ms: int
    refresh_ms: int | None
    properties: Mapping[str, str]
    is_stream = False


Source: TypeAlias = TopicSource | FileSource | JdbcSource


@dataclass(frozen=True)
class Rule:
    view: str
    name: str
    expect: str
    otherwise: Otherwise
    line: int


@dataclass(frozen=True)
class Step:
    """One of `sql` and `function`: (file, name) of a Python function."""

    name: str
    line: int
    sql: str | None = None
    function: tuple[Path, str] | None = None


@dataclass(frozen=True)
class NewTopicSettings:
    partitions: int
    replication_factor: int
    configs: Mapping[str, str]


@dataclass(frozen=True)
class TopicSink:
    name: str
    view: str
    line: int
    topic: str
    mode: Mode
    key: str | None = None
    #: A list of columns, or one expression; none is all columns.
    value: tuple[str, ...] | str | None = None
    encode: Literal["json", "text", "bytes"] = "json"
    headers: Mapping[str, str] = field(default_factory=dict)
    partition: str | None = None
    tombstone_when: str | None = None
    guarantee: str = "exactly-once"
    create: NewTopicSettings | None = None
    client: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FileSink:
    """`format` is one of Spark's; delta and iceberg need their jars."""

    name: str
    view: str
    line: int
    mode: Mode
    format: str
    path: str
    partition_by: tuple[str, ...]
    options: Mapping[str, str]


@dataclass(frozen=True)
class JdbcSink:
    name: str
    view: str
    line: int
    mode: Mode
    url: str
    table: str
    upsert_by: tuple[str, ...]
    properties: Mapping[str, str]


Sink: TypeAlias = TopicSink | FileSink | JdbcSink


@dataclass(frozen=True)
class Case:
    """A test of the file: rows that sources have, and rows that views must have then."""

    line: int
    given: Mapping[str, Path]
    expect: Mapping[str, Path]


@dataclass(frozen=True)
class Pipeline:
    name: str
    path: Path
    group: str
    client: Mapping[str, str]
    master: str
    spark: Mapping[str, str]
    checkpoint: str
    trigger: int | str
    sources: Mapping[str, Source]
    rules: tuple[Rule, ...]
    dead_letter: TopicSink | None
    steps: tuple[Step, ...]
    sinks: tuple[Sink, ...]
    cases: tuple[Case, ...]

    @property
    def topic_sources(self) -> list[TopicSource]:
        return [source for source in self.sources.values() if isinstance(source, TopicSource)]

    @property
    def topic_sinks(self) -> list[TopicSink]:
        sinks = [sink for sink in self.sinks if isinstance(sink, TopicSink)]
        return sinks if self.dead_letter is None else [*sinks, self.dead_letter]

    @property
    def increments(self) -> list[JdbcSource]:
        """Sources that are read by a loop of batches: at most one."""
        return [s for s in self.sources.values() if isinstance(s, JdbcSource) and s.increment is not None]

    @property
    def refresh_ms(self) -> int | None:
        """How often the queries are started again to read static tables anew."""
        given = [s.refresh_ms for s in self.sources.values() if not isinstance(s, TopicSource)]
        return min((ms for ms in given if ms is not None), default=None)

    @property
    def driver_key(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Pipelines with equal keys may share a driver."""
        return self.master, tuple(sorted(self.spark.items()))
