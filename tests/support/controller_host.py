"""A controller shard with a log in memory: runs operations as the broker's host does, replays the log to compare."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ottla.config.broker_options import BrokerOptions
from ottla.controller.feature_levels import SUPPORTED_FEATURES
from ottla.controller.shard import ControllerShard
from ottla.coordination.shard import Decision, Now, RecordOrigin
from ottla.coordination.timers import KeyedTimers
from ottla.metadata.image import MetadataImage
from ottla.metadata.partition_registration import PartitionRegistration
from ottla.metadata.record_frame import MetadataRecordCodec
from ottla.model.steps import Steps, finished
from ottla.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from ottla.protocol.generated.broker_heartbeat_response import BrokerHeartbeatResponse
from ottla.protocol.generated.broker_registration_request import BrokerRegistrationRequest, Features, Listeners
from ottla.protocol.generated.create_topics_request import Configs, CreateTopicsRequest, Topics
from ottla.protocol.generated.create_topics_response import Topics as TopicResult
from ottla.sim.rng import SimRng

R = TypeVar("R")
CLUSTER_ID = "a-cluster"


class ControllerHost:
    """Keeps the encoded log. `check_replay` proves that the state is the replay of the log and nothing else."""

    def __init__(self, options: Mapping[str, str] | None = None) -> None:
        self._options = BrokerOptions(dict(options or {}))
        self.shard = self._new_shard()
        self.codec = MetadataRecordCodec()
        self.log: list[bytes] = []
        self.timers = KeyedTimers()
        self.now = Now(1_000_000, 0)
        self.carry_out(self.shard.on_loaded(self.now))

    @property
    def image(self) -> MetadataImage:
        return self.shard.image

    def run(self, operation: Callable[[ControllerShard, Now], Decision[R] | Steps[Decision[R]]]) -> R:
        """The operation must not change the image by itself."""
        before = self.shard.image
        decided = operation(self.shard, self.now)
        decision = decided if isinstance(decided, Decision) else finished(decided)
        assert self.shard.image is before, "an operation changed hard state"
        self.carry_out(decision)
        assert decision.response is not None
        return decision.response

    def carry_out(self, decision: Decision[Any]) -> None:
        for record in decision.records:
            value = self.codec.encode(record)[1]
            self.shard.apply(record, RecordOrigin(len(self.log), self.now.wall_ms))
            self.log.append(value)
        for order in decision.timers:
            self.timers.carry_out(order, self.now.monotonic_ms)

    def time_passes(self, span_ms: int) -> None:
        self.now = Now(self.now.wall_ms + span_ms, self.now.monotonic_ms + span_ms)
        while (operation := self.timers.take_due(self.now.monotonic_ms)) is not None:
            self.carry_out(operation(self.now))

    def replayed(self) -> MetadataImage:
        shard = self._new_shard()
        for offset, value in enumerate(self.log):
            shard.apply(self.codec.decode(None, value), RecordOrigin(offset, self.now.wall_ms))
        return shard.image

    def check_replay(self) -> None:
        assert self.replayed()._replace(timestamp_ms=0) == self.image._replace(timestamp_ms=0)

    def last_records(self, count: int) -> list[Any]:
        return [self.codec.decode(None, value) for value in self.log[-count:]] if count else []

    # -- words of the stories

    def start_node(self, broker_id: int = 1, *, previous_epoch: int = -1) -> int:
        request = registration(broker_id, previous_epoch=previous_epoch)
        return self.run(lambda shard, now: shard.start_single_node(request, now)).broker_epoch

    def join(self, *broker_ids: int, racks: Mapping[int, str] | None = None) -> None:
        """Brokers register and are unfenced by their first heartbeat."""
        for broker_id in broker_ids:
            self._register(registration(broker_id, rack=(racks or {}).get(broker_id)))
            self.beat(broker_id)

    def _register(self, request: BrokerRegistrationRequest) -> None:
        assert self.run(lambda shard, now: shard.register_broker(request, now)).error_code == 0

    def beat(
        self, broker_id: int, *, want_fence: bool = False, want_shut_down: bool = False
    ) -> BrokerHeartbeatResponse:
        request = BrokerHeartbeatRequest(
            broker_id=broker_id,
            broker_epoch=self.image.brokers[broker_id].epoch,
            current_metadata_offset=self.image.offset,
            want_fence=want_fence,
            want_shut_down=want_shut_down,
        )
        return self.run(lambda shard, now: shard.heartbeat(request, now))

    def create(self, name: str, count: int = 1, factor: int = 1, version: int = 7, **configs: str) -> TopicResult:
        rows = [Configs(key.replace("_", "."), value) for key, value in configs.items()]
        return self.create_all(Topics(name, count, factor, configs=rows), version=version)[0]

    def create_all(self, *topics: Topics, version: int = 7, validate_only: bool = False) -> list[TopicResult]:
        request = CreateTopicsRequest(topics=list(topics), validate_only=validate_only)
        return self.run(lambda shard, now: shard.create_topics(request, version)).topics

    def partition(self, name: str, index: int = 0) -> PartitionRegistration:
        found = self.image.partition(name, index)
        assert found is not None
        return found

    def _new_shard(self) -> ControllerShard:
        return ControllerShard(node_id=1, cluster_id=CLUSTER_ID, options=self._options, rng=SimRng(7))


def registration(
    broker_id: int, *, rack: str | None = None, previous_epoch: int = -1, incarnation: int = 0
) -> BrokerRegistrationRequest:
    return BrokerRegistrationRequest(
        broker_id=broker_id,
        cluster_id=CLUSTER_ID,
        incarnation_id=bytes([broker_id, incarnation]) * 8,
        listeners=[Listeners("PLAINTEXT", "127.0.0.1", 9000 + broker_id, 0)],
        features=[Features(name, *versions) for name, versions in SUPPORTED_FEATURES.items()],
        rack=rack,
        log_dirs=[bytes([broker_id]) * 16],
        previous_broker_epoch=previous_epoch,
    )
