"""`reset-offsets`: a new checkpoint that starts somewhere else. The old one is moved aside, never deleted."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from ottla.client import OffsetSpec
from ottla.model.topic import TopicPartition
from ottla.pipeline.brokers import Brokers
from ottla.pipeline.connect import is_connect_address
from ottla.pipeline.model import Offsets, Pipeline
from ottla.pipeline.positions import committed_position, lowest
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.sources_of_file import milliseconds
from ottla.pipeline.status import read_json, write_json

_FILE = "start.json"


def start_of_reset(pipeline: Pipeline) -> Offsets | None:
    """Where a reset has left the pipeline; used by queries that have no position of their own yet."""
    if "://" in pipeline.checkpoint or is_connect_address(pipeline.master):
        return None
    found = read_json(Path(pipeline.checkpoint) / _FILE)
    return None if found is None else {t: {int(n): o for n, o in ps.items()} for t, ps in found.items()}


def positions_for(pipeline: Pipeline, brokers: Brokers, to: str) -> dict[TopicPartition, int]:
    """Raises PipelineFailed where `to` is nothing that is known."""
    if to == "current":
        return _current(pipeline, brokers)
    if to in ("earliest", "latest"):
        return brokers.offsets_at(OffsetSpec.EARLIEST if to == "earliest" else OffsetSpec.LATEST)
    try:
        return brokers.offsets_at(milliseconds(to))
    except ValueError as error:
        raise PipelineFailed(f"--to {to}: must be earliest, latest, current or a timestamp") from error


def _current(pipeline: Pipeline, brokers: Brokers) -> dict[TopicPartition, int]:
    folders = [Path(pipeline.checkpoint) / sink.name for sink in (*pipeline.sinks, *pipeline.topic_sinks)]
    positions = [position for folder in folders if (position := committed_position(folder)) is not None]
    current = {**brokers.committed(), **lowest(positions)}
    if not current:
        raise PipelineFailed(f"pipeline {pipeline.name} has no position yet: it has not run")
    return current


def reset(pipeline: Pipeline, positions: Mapping[TopicPartition, int]) -> Path | None:
    """Moves the checkpoint aside; where it is now. The caller holds the pipeline's lock."""
    if "://" in pipeline.checkpoint or is_connect_address(pipeline.master):
        raise PipelineFailed(f"the checkpoint {pipeline.checkpoint} is not on this machine: move it, and set start:")
    checkpoint = Path(pipeline.checkpoint)
    aside = None
    if checkpoint.exists():
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        aside = checkpoint.with_name(f"{checkpoint.name}.before-{moment}")
        checkpoint.rename(aside)
    by_topic: dict[str, dict[str, int]] = {}
    for partition, offset in sorted(positions.items()):
        by_topic.setdefault(partition.topic, {})[str(partition.partition)] = offset
    write_json(checkpoint / _FILE, by_topic)
    return aside
