"""A broker that does as it is told: speaks Kafka's protocol with our codec, on the simulated network.

For what a real broker does rarely or never: throttling, odd errors, late, missing and wrong responses.
"""

import asyncio
import struct
from collections.abc import Callable
from typing import Any

from ottla.protocol.api_keys import ApiKey, api
from ottla.protocol.exchange import decode_request, encode_response
from ottla.protocol.generated import metadata_response, produce_response
from ottla.protocol.generated.api_versions_response import ApiKeys, ApiVersionsResponse, FinalizedFeatures
from ottla.protocol.generated.init_producer_id_response import InitProducerIdResponse
from ottla.protocol.header import RequestHeader, read_request_header
from ottla.protocol.message import Message
from ottla.records.batch import BatchHeader, read_header
from ottla.sim.network import SimNetwork
from ottla.sim.process import SimProcess
from ottla.sim.world import SimWorld

#: Gives the response, None for the usual one, or SILENCE.
Script = Callable[[RequestHeader, Any], Message | None]
SILENCE: Any = object()
HOST, PORT = "scripted", 9092
TOPIC_ID = bytes([7] * 16)


class ScriptedBroker:
    """One node, which leads partition 0 of every topic that is asked for. `scripts`: by API key, what to respond."""

    def __init__(self, world: SimWorld, host: str = HOST, node_id: int = 1) -> None:
        self._world = world
        self.host = host
        self.node_id = node_id
        self.scripts: dict[int, Script] = {}
        self.versions: dict[int, tuple[int, int]] = {}
        self.features: dict[str, int] = {"transaction.version": 2}
        self.requests: list[tuple[float, RequestHeader, Any]] = []
        self.connections: list[_Connection] = []
        self.batches: list[BatchHeader] = []
        self.next_offset = 0

    async def start(self) -> "ScriptedBroker":
        network = SimNetwork(self._world.net, self.host, SimProcess(self.host, self._world.loop))
        listener = await network.listen("", PORT, lambda: _Connection(self))
        await listener.start()
        return self

    def count(self, api_key: ApiKey) -> int:
        return sum(header.api_key == api_key for _, header, _ in self.requests)

    def times(self, api_key: ApiKey) -> list[float]:
        return [when for when, header, _ in self.requests if header.api_key == api_key]

    def respond(self, header: RequestHeader, request: Any) -> Message | None:
        self.requests.append((self._world.loop.time(), header, request))
        script = self.scripts.get(header.api_key)
        response = script(header, request) if script is not None else None
        return response if response is not None else self._usual(header, request)

    def _usual(self, header: RequestHeader, request: Any) -> Message | None:
        usual: dict[int, Callable[[Any], Message]] = {
            ApiKey.API_VERSIONS: self._api_versions,
            ApiKey.METADATA: self.metadata,
            ApiKey.PRODUCE: self.produced,
            ApiKey.INIT_PRODUCER_ID: lambda _: InitProducerIdResponse(producer_id=77, producer_epoch=0),
        }
        return usual[header.api_key](request)

    def _api_versions(self, request: Any) -> Message:
        served = [ApiKey.API_VERSIONS, ApiKey.METADATA, ApiKey.PRODUCE, ApiKey.INIT_PRODUCER_ID, *self.scripts]
        keys = []
        for key in dict.fromkeys(served):
            low, high = self.versions.get(key, (api(key).min_version, api(key).last_stable))
            keys.append(ApiKeys(key, low, high))
        features = [FinalizedFeatures(name, level, 1) for name, level in self.features.items()]
        return ApiVersionsResponse(api_keys=keys, finalized_features=features, finalized_features_epoch=1)

    def metadata(
        self, request: Any, *, leader: int | None = None, epoch: int = 0
    ) -> metadata_response.MetadataResponse:
        part = metadata_response.Partitions(
            leader_id=self.node_id if leader is None else leader, leader_epoch=epoch, replica_nodes=[1], isr_nodes=[1]
        )
        return metadata_response.MetadataResponse(
            brokers=[metadata_response.Brokers(self.node_id, self.host, PORT)],
            cluster_id="scripted",
            controller_id=self.node_id,
            topics=[
                metadata_response.Topics(name=topic.name, topic_id=TOPIC_ID, partitions=[part])
                for topic in request.topics or ()
            ],
        )

    def produced(self, request: Any, code: int = 0, **fields: Any) -> produce_response.ProduceResponse:
        """Takes the batches, or refuses all of them with a code."""
        topics = []
        for topic in request.topic_data:
            rows = []
            for part in topic.partition_data:
                header = read_header(part.records)
                base_offset = self.next_offset if not code else -1
                if not code:
                    self.batches.append(header)
                    self.next_offset += header.record_count
                rows.append(produce_response.PartitionResponses(part.index, code, base_offset, **fields))
            topics.append(produce_response.Responses(topic.topic_id, topic.name, rows))
        return produce_response.ProduceResponse(responses=topics)


class _Connection(asyncio.BufferedProtocol):
    def __init__(self, broker: ScriptedBroker) -> None:
        self._broker = broker
        self._buffer = bytearray(65536)
        self._received = bytearray()
        self.transport: Any = None
        broker.connections.append(self)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._received += self._buffer[:nbytes]
        while len(self._received) >= 4:
            (size,) = struct.unpack_from(">i", self._received)
            if len(self._received) < 4 + size:
                return
            frame = bytes(self._received[4 : 4 + size])
            del self._received[: 4 + size]
            self._on_frame(frame)

    def _on_frame(self, frame: bytes) -> None:
        header, position = read_request_header(frame)
        request = decode_request(header.api_key, header.api_version, frame, position)
        response = self._broker.respond(header, request)
        if response is not SILENCE and response is not None:
            self.transport.send(encode_response(header.correlation_id, header.api_key, header.api_version, response))
