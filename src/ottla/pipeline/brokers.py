"""What a pipeline asks of its clusters: topics, their partitions and ends, the group that shows its position."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final, NamedTuple

from ottla.client import Admin, NewTopic, OffsetAndMetadata, OffsetSpec
from ottla.client.errors import ClientError, RequestRefused
from ottla.config.admin_options import AdminOptions
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.pipeline.model import Pipeline, TopicSink, TopicSource
from ottla.pipeline.problems import PipelineFailed, Problems, suggestion

_REACH_TIMEOUT_MS: Final = 5_000
_BOOTSTRAP: Final = "bootstrap.servers"


class GroupInUse(PipelineFailed):
    """Somebody else uses the pipeline's group."""


class Cluster(NamedTuple):
    admin: Admin
    #: Partition counts by topic, as they were when the pipeline started.
    topics: Mapping[str, int]


class Brokers:
    """The clusters of one pipeline: one for all of its topics, unless a source or sink has settings of its own."""

    def __init__(self, pipeline: Pipeline, clusters: Mapping[str, Cluster]) -> None:
        self._pipeline = pipeline
        self._clusters = clusters
        self._metadata = f"ottla pipeline {pipeline.name}"

    # topics

    def check_topics(self) -> None:
        """Raises PipelineFileInvalid with all topics that do not exist; those with `create:` need not."""
        problems = Problems(self._pipeline.path)
        for source in self._pipeline.topic_sources:
            topics = self._cluster(source).topics
            for topic in source.topics:
                if topic not in topics:
                    near = suggestion(topic, topics)
                    problems.add(source.line, f"source {source.name}: there is no topic {topic!r}{near}")
        for sink in self._pipeline.topic_sinks:
            topics = self._cluster(sink).topics
            if sink.topic not in topics and sink.create is None:
                near = suggestion(sink.topic, topics) or "; create it, or add `create: {partitions: 3}` to the sink"
                if sink is self._pipeline.dead_letter:
                    near = suggestion(sink.topic, topics) or "; create it first"
                problems.add(sink.line, f"{_called(sink)}: there is no topic {sink.topic!r}{near}")
        problems.raise_if_any()

    def create_topics(self) -> list[str]:
        """Those that sinks ask for with `create:` and that do not exist; their names."""
        created = []
        for sink in self._pipeline.topic_sinks:
            cluster = self._cluster(sink)
            if sink.create is None or sink.topic in cluster.topics:
                continue
            new = NewTopic(sink.topic, sink.create.partitions, sink.create.replication_factor, sink.create.configs)
            try:
                cluster.admin.create_topics([new])
            except RequestRefused as error:
                if error.code != ErrorCode.TOPIC_ALREADY_EXISTS:
                    raise
            created.append(sink.topic)
        return created

    def partitions_of(self, source: TopicSource) -> dict[str, int]:
        """By topic; of a pattern, all topics: the source itself chooses."""
        topics = self._cluster(source).topics
        return {topic: topics[topic] for topic in (source.topics or topics) if topic in topics}

    # positions

    def check_group(self) -> None:
        """Raises GroupInUse if the group has members, or offsets that this pipeline did not write."""
        for cluster in self._source_clusters():
            members = self._members(cluster)
            if members:
                raise GroupInUse(
                    f"group {self._pipeline.group} has {members} members: a pipeline needs a group of its own; "
                    "set `group:` to another name"
                )
            foreign = [
                str(partition)
                for partition, committed in cluster.admin.list_group_offsets(self._pipeline.group).items()
                if committed.metadata != self._metadata
            ]
            if foreign:
                raise GroupInUse(
                    f"group {self._pipeline.group} has offsets that this pipeline did not write "
                    f"({', '.join(sorted(foreign)[:3])}): set `group:` to another name, or delete the group"
                )

    def _members(self, cluster: Cluster) -> int:
        try:
            return len(cluster.admin.describe_groups([self._pipeline.group])[self._pipeline.group].members)
        except RequestRefused as error:
            if error.code == ErrorCode.GROUP_ID_NOT_FOUND:
                return 0
            raise

    def check_reachable(self) -> None:
        """Raises ClientError where a cluster does not respond."""
        for cluster in self._clusters.values():
            cluster.admin.describe_cluster(timeout_ms=_REACH_TIMEOUT_MS)

    def commit(self, positions: Mapping[TopicPartition, int]) -> None:
        """Publishes the position of the pipeline as offsets of its group."""
        for cluster in self._source_clusters():
            own = {
                partition: OffsetAndMetadata(offset, self._metadata)
                for partition, offset in positions.items()
                if partition.topic in cluster.topics
            }
            if own:
                cluster.admin.alter_group_offsets(self._pipeline.group, own, timeout_ms=_REACH_TIMEOUT_MS)

    def committed(self) -> dict[TopicPartition, int]:
        found: dict[TopicPartition, int] = {}
        for cluster in self._source_clusters():
            offsets = cluster.admin.list_group_offsets(self._pipeline.group)
            found |= {partition: committed.offset for partition, committed in offsets.items()}
        return found

    def offsets_at(self, when: int, partitions: Iterable[TopicPartition] | None = None) -> dict[TopicPartition, int]:
        """The first offset at or after a time, or of OffsetSpec; the end where no record is that young."""
        chosen = None if partitions is None else set(partitions)
        found: dict[TopicPartition, int] = {}
        for source in self._pipeline.topic_sources:
            if source.topics or chosen is not None:
                found |= self._offsets_of(source, when, chosen)
        return found

    def _offsets_of(
        self, source: TopicSource, when: int, chosen: Container[TopicPartition] | None = None
    ) -> dict[TopicPartition, int]:
        admin = self._cluster(source).admin
        own = [TopicPartition(t, number) for t, count in self.partitions_of(source).items() for number in range(count)]
        wanted = [partition for partition in own if chosen is None or partition in chosen]
        listed = _listed(admin, wanted, when)
        ends = _listed(admin, [partition for partition, offset in listed.items() if offset < 0], OffsetSpec.LATEST)
        return {**listed, **ends}

    def starts(self) -> dict[TopicPartition, int] | None:
        """Where new queries begin. None where only Spark knows: at the latest record by then, or by a pattern."""
        found: dict[TopicPartition, int] = {}
        for source in self._pipeline.topic_sources:
            if source.start == "latest" or not source.topics:
                return None
            when = source.start if isinstance(source.start, int) else OffsetSpec.EARLIEST
            given = source.start if isinstance(source.start, Mapping) else {}
            for partition, offset in self._offsets_of(source, when).items():
                found[partition] = given.get(partition.topic, {}).get(partition.partition, offset)
        return found

    def lag(self, positions: Mapping[TopicPartition, int]) -> int:
        ends = self.offsets_at(OffsetSpec.LATEST, positions)
        return sum(max(0, end - positions[partition]) for partition, end in ends.items())

    def _source_clusters(self) -> list[Cluster]:
        found = {_key(source.client): self._cluster(source) for source in self._pipeline.topic_sources}
        return list(found.values())

    def _cluster(self, user: TopicSource | TopicSink) -> Cluster:
        return self._clusters[_key(user.client)]


def _called(sink: TopicSink) -> str:
    return "dead_letter" if sink.name == "dead_letter" else f"sink {sink.name}"


def _listed(admin: Admin, partitions: Sequence[TopicPartition], when: int) -> dict[TopicPartition, int]:
    """-1 where no record is that young."""
    if not partitions:
        return {}
    found = admin.list_offsets(dict.fromkeys(partitions, when), timeout_ms=_REACH_TIMEOUT_MS)
    return {partition: row.offset for partition, row in found.items()}


def _key(client: Mapping[str, str]) -> str:
    return repr(sorted(client.items()))


@contextmanager
def connected(pipeline: Pipeline) -> Iterator[Brokers]:
    """Raises PipelineFailed where a cluster cannot be reached."""
    users: list[TopicSource | TopicSink] = [*pipeline.topic_sources, *pipeline.topic_sinks]
    clusters: dict[str, Cluster] = {}
    with ExitStack() as stack:
        for client in {_key(user.client): user.client for user in users}.values():
            settings = {n: value for n, value in client.items() if n in AdminOptions.rows or n == _BOOTSTRAP}
            try:
                admin = stack.enter_context(Admin(settings))
                names = [topic.name for topic in admin.list_topics(timeout_ms=_REACH_TIMEOUT_MS)]
                described = admin.describe_topics(names) if names else {}
            except ClientError as error:
                raise PipelineFailed(f"no broker responds at {client[_BOOTSTRAP]}: {error}") from error
            counts = {name: len(topic.partitions) for name, topic in described.items()}
            clusters[_key(client)] = Cluster(admin, counts)
        yield Brokers(pipeline, clusters)
