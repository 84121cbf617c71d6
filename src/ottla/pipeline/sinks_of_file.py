"""Sections `sinks` and `dead_letter` of a pipeline file."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, cast

from ottla.pipeline.model import DEAD_LETTER, FileSink, JdbcSink, Mode, NewTopicSettings, Sink, TopicSink
from ottla.pipeline.section import Section
from ottla.pipeline.sources_of_file import jdbc_properties, resolved

FILE_FORMATS: Final = ("parquet", "json", "csv", "orc", "delta", "iceberg")
KINDS: Final = ("topic", *FILE_FORMATS, "jdbc")
_MODES: Final = ("append", "update", "complete")


def read_sinks(root: Section, folder: Path, client: Mapping[str, str]) -> tuple[Sink, ...]:
    sinks: list[Sink] = []
    for section in root.sections("sinks", "sink"):
        sink = _read_sink(section, folder, client)
        section.finish()
        if sink is None:
            continue
        if sink.name in {other.name for other in sinks} or sink.name == DEAD_LETTER:
            section.problem(f"the name {sink.name!r} is taken; give each sink a name of its own")
        sinks.append(sink)
    if not sinks and not root.has("sinks"):
        root.problem("sinks is missing: give at least one, for example `sinks: [{from: orders, topic: copy}]`")
    return tuple(sinks)


def read_dead_letter(root: Section, client: Mapping[str, str]) -> TopicSink | None:
    topic = root.text(DEAD_LETTER)
    if topic is None:
        return None
    return TopicSink(
        DEAD_LETTER, DEAD_LETTER, root.line_of(DEAD_LETTER), topic, "append", encode="bytes", client=client
    )


def _read_sink(section: Section, folder: Path, client: Mapping[str, str]) -> Sink | None:
    view = section.required("from", "orders")
    mode = cast(Mode, section.one_of("mode", _MODES, "append"))
    kind = section.exactly_one(KINDS, "where it writes")
    if kind is None:
        section.all_keys()
        return None
    target = section.required("table", "orders") if kind == "jdbc" else section.text(kind) or ""
    name = section.text("name") or re.sub(r"[^\w.-]+", "-", f"{kind}-{target}").strip("-")
    if not re.fullmatch(r"[\w][\w.-]*", name):
        section.problem(f"{name!r} becomes a folder of the checkpoint: use letters, digits, '.', '_' and '-'", "name")
    if kind == "topic":
        return _topic_sink(section, name, view, mode, client)
    if kind == "jdbc":
        return _jdbc_sink(section, name, view, mode, target)
    if mode == "update" or (mode == "complete" and kind not in ("delta",)):
        section.problem(f"{mode} rewrites rows, and files are only appended to; use a topic or jdbc sink", "mode")
    return FileSink(
        name=name,
        view=view,
        line=section.line,
        mode=mode,
        format=kind,
        path=target if kind == "iceberg" else resolved(target, folder),
        partition_by=section.texts("partition_by"),
        options=section.pairs("options"),
    )


def _topic_sink(section: Section, name: str, view: str, mode: Mode, client: Mapping[str, str]) -> TopicSink:
    settings = {**client, **section.pairs("kafka")}
    bootstrap = section.text("bootstrap")
    if bootstrap is not None:
        settings["bootstrap.servers"] = bootstrap
    return TopicSink(
        name=name,
        view=view,
        line=section.line,
        topic=section.text("topic") or "",
        mode=mode,
        key=section.text("key"),
        value=section.texts("value") if section.is_list("value") else section.text("value"),
        encode=cast(Literal["json", "text", "bytes"], section.one_of("encode", ("json", "text", "bytes"), "json")),
        headers=section.pairs("headers"),
        partition=section.text("partition"),
        tombstone_when=section.text("tombstone_when"),
        guarantee=section.one_of("guarantee", ("exactly-once", "at-least-once"), "exactly-once"),
        create=_new_topic(section),
        client=settings,
    )


def _new_topic(section: Section) -> NewTopicSettings | None:
    create = section.section("create")
    if create is None:
        return None
    settings = NewTopicSettings(
        create.whole("partitions", 1) or -1, create.whole("replication_factor", 1) or -1, create.pairs("configs")
    )
    create.finish()
    return settings


def _jdbc_sink(section: Section, name: str, view: str, mode: Mode, table: str) -> JdbcSink:
    url = section.text("jdbc") or ""
    if not url.startswith("jdbc:"):
        section.problem(f"{url!r} must be a JDBC address such as jdbc:postgresql://localhost/shop", "jdbc")
    keys = section.texts("upsert_by")
    if mode != "append" and not keys:
        section.problem(f"{mode} changes rows: give upsert_by, the columns that identify a row", "mode")
    return JdbcSink(name, view, section.line, mode, url, table, keys, jdbc_properties(section, url))
