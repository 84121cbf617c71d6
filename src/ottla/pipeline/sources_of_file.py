"""Section `sources` of a pipeline file."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, cast

from ottla.pipeline.model import FileSource, JdbcSource, Source, Start, TopicSource, Watermark
from ottla.pipeline.section import Section, duration_ms

FILE_FORMATS: Final = ("parquet", "json", "csv", "orc", "text", "xml")
_VIEW_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LATER: Final = ("avro", "protobuf")
_LAG_DEFAULT_MS: Final = 0
_JDBC_DRIVERS: Final = {
    "postgresql": "org.postgresql.Driver",
    "mysql": "com.mysql.cj.jdbc.Driver",
    "mariadb": "org.mariadb.jdbc.Driver",
    "sqlite": "org.sqlite.JDBC",
    "sqlserver": "com.microsoft.sqlserver.jdbc.SQLServerDriver",
    "oracle": "oracle.jdbc.OracleDriver",
}


def resolved(path: str, folder: Path) -> str:
    """Relative paths start at the pipeline file; addresses such as s3a://… stay as they are."""
    return path if "://" in path or Path(path).is_absolute() else str(folder / path)


def is_view_name(name: str) -> bool:
    return bool(_VIEW_NAME.match(name))


def read_sources(root: Section, folder: Path, client: Mapping[str, str], *, is_here: bool) -> dict[str, Source]:
    """`is_here`: files of tables are on this machine, where they can be looked for."""
    parent = root.section("sources")
    if parent is None:
        root.problem("sources is missing: give at least one, for example `sources: {orders: {topic: orders}}`")
        return {}
    sources: dict[str, Source] = {}
    for name in parent.all_keys():
        section = parent.section(name)
        if section is None:
            parent.problem("is empty", name)
            continue
        section.name = f"source {name}"
        if not is_view_name(name):
            section.problem("a source becomes a view: its name must be letters, digits and _")
        source = _read_source(section, name, folder, client)
        if is_here and isinstance(source, FileSource):
            _check_table(section, source)
        section.finish()
        if source is not None:
            sources[name] = source
    return sources


def _read_source(section: Section, name: str, folder: Path, client: Mapping[str, str]) -> Source | None:
    if section.has("jdbc"):
        return _jdbc_source(section, name)
    kind = section.exactly_one(("topic", "topics", "pattern", "files", "table"), "what it reads (or jdbc)")
    if kind is None:
        for key in ("topic", "topics", "pattern", "files", "table"):
            section.text(key)
        section.all_keys()
        return None
    if kind in ("files", "table"):
        return _file_source(section, name, folder, is_stream=kind == "files")
    return _topic_source(section, name, client)


def _topic_source(section: Section, name: str, client: Mapping[str, str]) -> TopicSource:
    topics = (*section.texts("topic"), *section.texts("topics"))
    decode = _decode(section)
    schema = section.text("schema")
    if decode == "json" and not schema:
        section.problem("decode: json needs a schema, for example `schema: id STRING, amount DOUBLE`")
    if decode != "json" and schema:
        section.problem(f"decode: {decode} gives one column, value; schema is for decode: json", "schema")
    return TopicSource(
        name=name,
        line=section.line,
        topics=topics,
        pattern=section.text("pattern"),
        start=_start(section),
        decode=decode,
        schema=schema,
        watermark=_watermark(section),
        max_records_per_trigger=section.whole("max_records_per_trigger", 1),
        isolation=section.one_of("isolation", ("read_committed", "read_uncommitted"), "read_committed"),
        fails_on_data_loss=section.one_of("on_data_loss", ("fail", "earliest"), "fail") == "fail",
        client=_client_settings(section, client),
        options=section.pairs("options"),
    )


def _decode(section: Section) -> Literal["json", "text", "bytes"]:
    def parse(value: str) -> str:
        if value in _LATER:
            raise ValueError("is not supported yet; use bytes, and decode in a step")
        if value not in ("json", "text", "bytes"):
            raise ValueError("must be one of json, text, bytes")
        return value

    return cast(Literal["json", "text", "bytes"], section.parsed("decode", parse, "json"))


def _client_settings(section: Section, inherited: Mapping[str, str]) -> dict[str, str]:
    settings = {**inherited, **section.pairs("kafka")}
    bootstrap = section.text("bootstrap")
    return settings if bootstrap is None else {**settings, "bootstrap.servers": bootstrap}


def _start(section: Section) -> Start:
    if section.is_mapping("start"):
        return _start_offsets(section)
    default: Start = "latest"
    return section.parsed("start", _start_of_text, default)


def _start_of_text(text: str) -> Start:
    if text in ("earliest", "latest"):
        return text
    try:
        return milliseconds(text)
    except ValueError as error:
        raise ValueError("must be latest, earliest, a timestamp or offsets such as {orders: {0: 42}}") from error


def milliseconds(text: str) -> int:
    """Of a timestamp: ISO 8601 (UTC where no zone is given), or milliseconds since 1970. Raises ValueError."""
    if text.isdecimal():
        return int(text)
    moment = datetime.fromisoformat(text)
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def _start_offsets(section: Section) -> Start:
    offsets: dict[str, dict[int, int]] = {}
    by_topic = section.section("start")
    for topic in by_topic.all_keys() if by_topic else ():
        given = by_topic.pairs(topic) if by_topic else {}
        if not all(number.isdecimal() and offset.isdecimal() for number, offset in given.items()):
            section.problem(f"{topic}: must be offsets by partition such as {{0: 42, 1: 17}}", "start")
            continue
        offsets[topic] = {int(number): int(offset) for number, offset in given.items()}
    return offsets


def _watermark(section: Section) -> Watermark | None:
    def parse(value: str) -> Watermark | None:
        column, comma, delay = (part.strip() for part in value.partition(","))
        if not column or not comma:
            raise ValueError("must be a column and a duration such as `at, 10 minutes`")
        duration_ms(delay)
        return Watermark(column, f"{duration_ms(delay)} milliseconds")

    return section.parsed("watermark", parse, None)


def _file_source(section: Section, name: str, folder: Path, *, is_stream: bool) -> FileSource:
    path = section.text("files" if is_stream else "table") or ""
    source_format = section.one_of("format", FILE_FORMATS, _format_by_name(path))
    schema = section.text("schema")
    if is_stream and not schema and source_format != "text":
        section.problem("a stream of files needs a schema, for example `schema: id STRING, amount DOUBLE`")
    return FileSource(
        name=name,
        line=section.line,
        path=resolved(path, folder),
        format=source_format,
        schema=schema,
        header=section.flag("header", False),
        watermark=_watermark(section) if is_stream else None,
        is_stream=is_stream,
        refresh_ms=None if is_stream else section.parsed("refresh", duration_ms, None),
        options=section.pairs("options"),
    )


def _check_table(section: Section, source: FileSource) -> None:
    path = source.path
    if not source.is_stream and "://" not in path and not any(c in path for c in "*?[{") and not Path(path).exists():
        section.problem(f"{path} does not exist", "table")


def _format_by_name(path: str) -> str:
    ending = path.rpartition(".")[2].lower()
    return {"jsonl": "json", "txt": "text"}.get(ending, ending if ending in FILE_FORMATS else "parquet")


def _jdbc_source(section: Section, name: str) -> JdbcSource:
    increment = section.text("increment")
    lag_ms = section.parsed("lag", duration_ms, _LAG_DEFAULT_MS)
    refresh_ms = section.parsed("refresh", duration_ms, None)
    if increment is None and section.has("lag"):
        section.problem("is for a continuous import: give increment, the column that grows", "lag")
    if increment is not None and refresh_ms is not None:
        section.problem("is for a whole table; with increment, new rows are read in every batch", "refresh")
    return JdbcSource(
        name=name,
        line=section.line,
        url=_jdbc_url(section),
        table=section.required("table", "orders"),
        increment=increment,
        lag_ms=lag_ms,
        refresh_ms=refresh_ms,
        properties=jdbc_properties(section, section.text("jdbc") or ""),
    )


def _jdbc_url(section: Section) -> str:
    url = section.text("jdbc") or ""
    if url and not url.startswith("jdbc:"):
        section.problem(f"{url!r} must be a JDBC address such as jdbc:postgresql://localhost/shop", "jdbc")
    return url


def jdbc_properties(section: Section, url: str) -> dict[str, str]:
    """Of the connection: user, password, driver, and what `options` adds.

    Java finds the drivers of the class path by themselves, those of `spark.jars` by the name of their class only.
    """
    driver = _JDBC_DRIVERS.get(url.split(":")[1] if url.count(":") else "")
    given = {
        "user": section.text("user"),
        "password": section.text("password"),
        "driver": section.text("driver", driver),
    }
    return {**section.pairs("options"), **{key: value for key, value in given.items() if value}}
