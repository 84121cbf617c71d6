"""`validate`: the file, then its topics where the broker can be reached, then SQL, types and stream operations."""

from typing import TYPE_CHECKING

from ottla.pipeline.brokers import connected
from ottla.pipeline.empty_sources import EmptySources
from ottla.pipeline.model import Pipeline
from ottla.pipeline.plan import build
from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid, Problem, Problems
from ottla.pipeline.queries import check_stream

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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


def check_plan(pipeline: Pipeline, spark: "SparkSession") -> list[Problem]:
    session = spark.newSession()
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
