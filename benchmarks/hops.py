"""Own functions entered between the arrival of a request and what it writes or sends: `python -m benchmarks.hops`.

Counts for produce (until the write to the log), fetch (until sendfile) and OffsetCommit (until the write to the log of
the group's coordinator), each repeated until caches are warm. Prints a table, and with `--names` the functions.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from types import FrameType
from typing import Any

from ottla.broker.network.connection import Connection
from ottla.broker.node import BrokerNode
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import plan_listeners
from ottla.doors.world import World
from ottla.protocol.generated import create_topics_request, fetch_request, offset_commit_request
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.message import Message
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.runtime.channel import Channel
from ottla.runtime.clock import OsClock
from ottla.runtime.disk import OsDisk
from ottla.runtime.event_loop import new_event_loop
from ottla.runtime.executor import OsExecutor
from ottla.runtime.network import SocketNetwork
from ottla.runtime.rng import OsRng

_REPEATS = 20
_RECORD_BYTES = 40_000
#: The system calls that end a count: a write, compiled or not, and sendfile.
_WRITE = ("write_at", "pwrite")
_SENDFILE = ("sendfile",)


class Recorder:
    """A profile function: notes the functions of this package from a server's read to the system call that is named."""

    def __init__(self, last_calls: tuple[str, ...]) -> None:
        self._last_calls = last_calls
        self._current: list[str] | None = None
        self.hops: list[list[str]] = []

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            if "/ottla/" not in code.co_filename:
                return
            if code.co_name == "on_readable":
                owner = frame.f_locals["self"]._owner
                self._current = [] if isinstance(owner, Connection) else None
            if self._current is not None:
                self._current.append(f"{os.path.basename(code.co_filename)[:-3]}.{code.co_qualname}")
        elif event == "c_call" and self._current is not None and argument.__name__ in self._last_calls:
            self.hops.append(self._current)
            self._current = None


async def _ready(channel: Channel, node: BrokerNode) -> None:
    topic = create_topics_request.Topics(name="orders", num_partitions=1, replication_factor=1)
    await channel.ask(create_topics_request.CreateTopicsRequest(topics=[topic], timeout_ms=5000))
    while True:
        found = await channel.ask(FindCoordinatorRequest(key_type=0, coordinator_keys=["g"]), 4)
        commit = await channel.ask(_commit(0), 8)
        if not found.coordinators[0].error_code and not commit.topics[0].partitions[0].error_code:
            return
        await asyncio.sleep(0.05)


def _produce(number: int) -> Message:
    batch = build_batch([Record(0, 1_794_000_000_000, b"k", b"v" * _RECORD_BYTES)])
    topics = [TopicData(name="orders", partition_data=[PartitionData(index=0, records=batch)])]
    return ProduceRequest(acks=1, timeout_ms=5000, topic_data=topics)


def _fetch(number: int) -> Message:
    partition = fetch_request.Partitions(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    topics = [fetch_request.Topics(topic="orders", partitions=[partition])]
    return fetch_request.FetchRequest(max_wait_ms=0, min_bytes=1, max_bytes=1 << 20, session_epoch=-1, topics=topics)


def _commit(number: int) -> Message:
    partition = offset_commit_request.Partitions(partition_index=0, committed_offset=number)
    topics = [offset_commit_request.Topics(name="orders", partitions=[partition])]
    return offset_commit_request.OffsetCommitRequest(group_id="g", topics=topics)


async def _measure(
    channel: Channel, request: Callable[[int], Message], version: int, last_calls: tuple[str, ...]
) -> list[list[str]]:
    recorder = Recorder(last_calls)
    sys.setprofile(recorder)
    try:
        for number in range(_REPEATS):
            await channel.ask(request(number), version)
    finally:
        sys.setprofile(None)
    return recorder.hops


async def _run(show_names: bool) -> None:
    with tempfile.TemporaryDirectory() as directory:
        options = BrokerOptions({"log.dirs": directory, "listeners": "PLAINTEXT://127.0.0.1:0", "node.id": "1"})
        world = World(OsClock(), OsRng(), OsDisk(), SocketNetwork(), OsExecutor())
        node = BrokerNode(options, plan_listeners(options), world)
        await node.start()
        channel = await Channel.connect(world.network, "127.0.0.1", node.advertised_endpoints()[0].port)
        await _ready(channel, node)
        rows = [("produce", _produce, 9, _WRITE), ("fetch", _fetch, 12, _SENDFILE), ("commit", _commit, 8, _WRITE)]
        for name, request, version, last_calls in rows:
            hops = await _measure(channel, request, version, last_calls)
            print(f"{name:10}{len(hops[-1]):4} own functions before {last_calls[0]}")
            if show_names:
                print("".join(f"    {each}\n" for each in hops[-1]), end="")
        channel.abort()
        await node.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", action="store_true", help="list the functions")
    arguments = parser.parse_args()
    loop = new_event_loop()
    try:
        loop.run_until_complete(_run(arguments.names))
    finally:
        loop.close()


if __name__ == "__main__":
    main()
