"""`validate`: the file, then its topics where the broker can be reached, then SQL, types and stream operations."""

from typing import TYPE_CHECKING, Any

from ottla.pipeline.brokers import connected
from ottla.pipeline.connect import own_session
from ottla.pipeline.model import FileSource, JdbcSource, Pipeline, TopicSource
from ottla.pipeline.plan import build
from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid, Problem, Problems
from ottla.pipeline.queries import check_stream
from ottla.pipeline.views import RAW_SCHEMA, file_view, jdbc_reader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def check_topics(pipeline: Pipeline) -> tuple[list[Problem], str | None]:
    """Problems, and a note where the broker cannot be reached."""
    if not pipeline.topic_sources and not pipeline.topic_sinks:
        return [], None
    try:
        with connected(pipeline) as brokers:
            brokers.check_topics()
    except PipelineFileInvalid as error:
        return error.problems, None
    except PipelineFailed as error:
        return [], f"{error}; topics are not checked"
    return [], None


class EmptySources:
    """No rows and no broker: topics are empty streams with the right columns. Databases are asked for the columns."""

    def __init__(self, spark: "SparkSession") -> None:
        self._spark = spark

    def topic(self, source: TopicSource) -> "DataFrame":
        from pyspark.sql import functions as f

        columns: Any = self._spark.createDataFrame([], RAW_SCHEMA).schema
        rate = self._spark.readStream.format("rate").load()
        typed = [f.lit(None).cast(field.dataType).alias(field.name) for field in columns]
        return rate.select(*typed)

    def files(self, source: FileSource) -> "DataFrame":
        return file_view(self._spark, source)

    def jdbc(self, source: JdbcSource) -> "DataFrame":
        return jdbc_reader(self._spark, source, source.table)


def check_plan(pipeline: Pipeline, spark: "SparkSession") -> list[Problem]:
    with own_session(spark) as session:
        return _plan_problems(pipeline, session)


def _plan_problems(pipeline: Pipeline, session: "SparkSession") -> list[Problem]:
    try:
        plan = build(pipeline, session, EmptySources(session))
    except PipelineFileInvalid as error:
        return error.problems
    problems = Problems(pipeline.path)
    for sink in pipeline.sinks:
        view = plan.views[sink.view]

        def say(message: str, line: int = sink.line) -> None:
            problems.add(line, message)

        check_stream(sink, view, say)
        if not view.isStreaming and not pipeline.increments:
            say(f"sink {sink.name}: {sink.view} has no stream in it; read a topic or files")
    return problems.found
