"""All views of a pipeline in one session: sources first, then each step on top of what is there.

`RawSources` decides where rows come from: topics and files for a run, nothing for a check, files of rows for a test.
"""

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ottla.pipeline.jars import missing_jars
from ottla.pipeline.model import FileSource, JdbcSource, Pipeline, Rule, Source, Step, TopicSource
from ottla.pipeline.problems import Problems, suggestion
from ottla.pipeline.spark_errors import spark_exceptions, summary
from ottla.pipeline.views import topic_views, with_rules

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class RawSources(Protocol):
    def topic(self, source: TopicSource) -> "DataFrame":
        """With the columns of `format("ottla")`."""

    def files(self, source: FileSource) -> "DataFrame": ...

    def jdbc(self, source: JdbcSource) -> "DataFrame": ...


@dataclass
class Plan:
    """Views by name, and the rows for the dead-letter topic, if there can be any."""

    views: dict[str, "DataFrame"]
    refused: "DataFrame | None"


def build(pipeline: Pipeline, spark: "SparkSession", raw: RawSources) -> Plan:
    """Raises PipelineFileInvalid with the problems of all views: wrong SQL, columns and types, missing jars."""
    return _Builder(pipeline, spark, raw).build()


class _Builder:
    def __init__(self, pipeline: Pipeline, spark: "SparkSession", raw: RawSources) -> None:
        self._pipeline = pipeline
        self._spark = spark
        self._raw = raw
        self._problems = Problems(pipeline.path)
        self._views: dict[str, DataFrame] = {}
        self._refused: list[DataFrame] = []

    def build(self) -> Plan:
        for source in self._pipeline.sources.values():
            self._add(source.name, source.line, f"source {source.name}", lambda source=source: self._source(source))
        for step in self._pipeline.steps:
            # A step on top of a view that is wrong would only repeat the problem.
            if not self._problems.found:
                self._add(step.name, step.line, f"step {step.name}", lambda step=step: self._step(step))
        for sink in self._pipeline.sinks:
            missing = missing_jars(sink, self._spark)
            if missing is not None:
                self._problems.add(sink.line, f"sink {sink.name}: {missing}")
        self._problems.raise_if_any()
        refused = self._refused[0] if self._refused else None
        for more in self._refused[1:]:
            assert refused is not None
            refused = refused.unionByName(more)
        return Plan(self._views, refused if self._pipeline.dead_letter is not None else None)

    def _rules(self, view: str) -> list[Rule]:
        return [rule for rule in self._pipeline.rules if rule.view == view]

    def _add(self, name: str, line: int, what: str, view: Any) -> None:
        try:
            frame = view()
            frame.schema  # noqa: B018 - analysis happens here, also where Spark puts it off
        except spark_exceptions() as error:
            self._problems.add(line, f"{what}: {summary(error)}{self._near(error)}")
            return
        except _ViewFailed as error:
            self._problems.add(line, f"{what}: {error}")
            return
        if frame is not None:
            frame.createOrReplaceTempView(name)
            self._views[name] = frame

    def _near(self, error: Exception) -> str:
        text = summary(error)
        if "TABLE_OR_VIEW_NOT_FOUND" not in text:
            return ""
        wanted = text.partition("`")[2].partition("`")[0]
        return suggestion(wanted, self._views) or f"; views here are {', '.join(self._views)}"

    def _source(self, source: Source) -> "DataFrame":
        missing = missing_jars(source, self._spark)
        if missing is not None:
            raise _ViewFailed(missing)
        rules = self._checked_rules(source)
        if isinstance(source, TopicSource):
            has_dead_letter = self._pipeline.dead_letter is not None
            views = topic_views(source, self._raw.topic(source), rules, has_dead_letter=has_dead_letter)
            self._refused.append(views.refused)
            return views.accepted
        frame = self._raw.files(source) if isinstance(source, FileSource) else self._raw.jdbc(source)
        return with_rules(source.name, frame, rules)

    def _checked_rules(self, source: Source) -> list[Rule]:
        """Those that can be analysed; the others are reported at their own lines."""
        rules = self._rules(source.name)
        if not rules:
            return []
        if isinstance(source, TopicSource):
            bare = topic_views(source, self._raw.topic(source), (), has_dead_letter=True).accepted
        else:
            bare = self._raw.files(source) if isinstance(source, FileSource) else self._raw.jdbc(source)
        return [rule for rule in rules if self._is_right(rule, bare)]

    def _is_right(self, rule: Rule, frame: "DataFrame") -> bool:
        from pyspark.sql import functions as f

        try:
            frame.where(f.expr(rule.expect).cast("boolean")).schema  # noqa: B018
        except spark_exceptions() as error:
            self._problems.add(rule.line, f"rule {rule.name}: expect: {summary(error)}")
            return False
        return True

    def _step(self, step: Step) -> "DataFrame":
        if step.sql is not None:
            frame = self._spark.sql(step.sql)
        else:
            assert step.function is not None
            frame = self._call(step.function)
        rules = [rule for rule in self._rules(step.name) if self._is_right(rule, frame)]
        return with_rules(step.name, frame, rules)

    def _call(self, place: tuple[Path, str]) -> "DataFrame":
        path, name = place
        try:
            frame = getattr(_module(path), name)(dict(self._views), self._spark)
        except spark_exceptions():
            raise
        except Exception as error:
            # The user's own code: whatever it raises is reported as its mistake.
            raise _ViewFailed(f"{path.name}:{name} raised {type(error).__name__}: {error}") from error
        if not hasattr(frame, "createOrReplaceTempView"):
            raise _ViewFailed(f"{path.name}:{name} must return a DataFrame, not {type(frame).__name__}")
        checked: DataFrame = frame
        return checked


class _ViewFailed(Exception):
    """A source without its jars; a Python step that raised, or returned something else than a DataFrame."""


def _module(path: Path) -> Any:
    """Loaded anew each time, so that the next run sees the file as it is; its folder can be imported from."""
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(f"ottla_pipeline_step_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Functions that Spark sends to its workers are pickled by value only when their module cannot be imported there.
    spec.loader.exec_module(module)
    return module
