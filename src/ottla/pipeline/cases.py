"""`ottla pipeline test`: rows of files in the place of sources, and what the views must have then."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ottla.pipeline.batch_sinks import without_metadata
from ottla.pipeline.connect import own_session
from ottla.pipeline.model import Case, FileSource, JdbcSource, Pipeline, Source, TopicSource
from ottla.pipeline.plan import build
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.views import RAW_SCHEMA, file_view, jdbc_reader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class GivenRows:
    """Each line of a file is the value of a record, or a row of a table as JSON. Topics without a file are empty."""

    def __init__(self, spark: "SparkSession", case: Case) -> None:
        self._spark = spark
        self._given = case.given

    def topic(self, source: TopicSource) -> "DataFrame":
        path = self._given.get(source.name)
        lines = [] if path is None else _lines(path)
        topic = source.topics[0] if source.topics else source.name
        rows: list[Any] = [
            (None, bytearray(line.encode()), topic, 0, offset, None, 0, []) for offset, line in enumerate(lines)
        ]
        return self._spark.createDataFrame(rows, RAW_SCHEMA)

    def files(self, source: FileSource) -> "DataFrame":
        if source.name not in self._given:
            return file_view(self._spark, source, as_stream=False)
        return self._table(source, source.schema)

    def jdbc(self, source: JdbcSource) -> "DataFrame":
        if source.name not in self._given:
            return jdbc_reader(self._spark, source, source.table)
        return self._table(source, None)

    def _table(self, source: Source, schema: str | None) -> "DataFrame":
        reader: Any = self._spark.read.option("mode", "FAILFAST")
        reader = reader.schema(schema) if schema else reader
        frame: DataFrame = reader.json(str(self._given[source.name]))
        return frame


def run_case(pipeline: Pipeline, case: Case, spark: "SparkSession") -> list[str]:
    """The differences, one line each; none when the case holds."""
    differences = []
    with own_session(spark) as session:
        views = build(pipeline, session, GivenRows(session, case)).views
        for name, path in case.expect.items():
            expected = [_row(line, path) for line in _lines(path)]
            found = [json.loads(row[0]) for row in _as_json(without_metadata(views[name])).collect()]
            differences += [f"{name}: {text}" for text in compare(expected, found)]
    return differences


def _as_json(frame: "DataFrame") -> "DataFrame":
    from pyspark.sql import functions as f

    return frame.select(f.to_json(f.struct(*(f"`{name}`" for name in frame.columns))))


def compare(expected: list[Any], found: list[Any]) -> list[str]:
    """Rows in any order; a field that is null equals one that is missing."""
    left, right = Counter(map(_canonical, expected)), Counter(map(_canonical, found))
    missing = [f"missing    {row}" for row in (left - right).elements()]
    return missing + [f"unexpected {row}" for row in (right - left).elements()]


def _canonical(value: Any) -> str:
    return json.dumps(_without_nulls(value), sort_keys=True, ensure_ascii=False)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _row(line: str, path: Path) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise PipelineFailed(f"{path}: {line[:80]!r} is not JSON: {error}") from error
