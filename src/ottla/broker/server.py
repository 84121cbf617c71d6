"""Runs one node as a process: the real world, signals, limits of the process, an orderly end."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Callable
from typing import NamedTuple

from ottla.broker.node import BrokerNode
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import ListenerPlan
from ottla.doors.world import World
from ottla.metadata.broker_registration import Endpoint
from ottla.runtime.clock import OsClock
from ottla.runtime.disk import OsDisk
from ottla.runtime.early_sockets import EarlySockets
from ottla.runtime.event_loop import new_event_loop
from ottla.runtime.executor import OsExecutor
from ottla.runtime.network import SocketNetwork
from ottla.runtime.process import this_machine
from ottla.runtime.rng import OsRng
from ottla.runtime.stop_signals import call_on_signals, interrupt_on_signals

_log = logging.getLogger(__name__)
_SWITCH_INTERVAL_S = 0.0005


class NodeFailed(Exception):
    """The node had to stop; the reason is for the operator."""


class ReadyInfo(NamedTuple):
    """What is logged once the node serves."""

    node_id: int
    cluster_id: str
    endpoints: list[Endpoint]
    directories: list[str]


async def serve(
    options: BrokerOptions, listeners: ListenerPlan, early: EarlySockets, *, on_ready: Callable[[ReadyInfo], None]
) -> None:
    """Serves until SIGTERM, SIGINT or SIGHUP, then shuts down. Raises StartInterrupted for one that comes before."""
    interrupt_on_signals()
    # Loading makes many objects and no garbage: until the node serves, looking for some only costs time.
    gc.disable()
    executor = OsExecutor()
    world = World(OsClock(), OsRng(), OsDisk(), socket_network(options, early), executor, this_machine())
    try:
        node = BrokerNode(options, listeners, world)
        await node.start()
        call_on_signals(node.has_ended.set)
        early.close()
        _quiet_collector()
        on_ready(
            ReadyInfo(node.node_id, node.image.cluster_id, node.advertised_endpoints(), node.store.directory_paths())
        )
        await node.has_ended.wait()
        _log.info("stopping")
        await node.stop()
        if node.failure is not None:
            raise NodeFailed(node.failure)
    finally:
        executor.close()


def run(
    options: BrokerOptions, listeners: ListenerPlan, early: EarlySockets, *, on_ready: Callable[[ReadyInfo], None]
) -> None:
    """Runs `serve` on an event loop of its own."""
    # Threads decode and encode large messages: the loop gets the interpreter back after this time, not after 5 ms.
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(serve(options, listeners, early, on_ready=on_ready))


def socket_network(options: BrokerOptions, early: EarlySockets | None = None) -> SocketNetwork:
    """Socket buffers are left to the kernel unless somebody sets them: a fixed 100 KiB costs half the throughput."""
    send, receive = options.socket_send_buffer_bytes, options.socket_receive_buffer_bytes
    return SocketNetwork(
        early=early,
        send_buffer_bytes=send if options.is_set("socket.send.buffer.bytes") else -1,
        receive_buffer_bytes=receive if options.is_set("socket.receive.buffer.bytes") else -1,
    )


def _quiet_collector() -> None:
    """What exists at the start lives as long as the process: the collector need not look at it again and again."""
    gc.freeze()
    # A large response has a million objects: the middle generation must not grow to that before it is looked at.
    gc.set_threshold(50_000, 1, 500)
    gc.enable()
