"""The receive buffer of a connection."""

import gc
import sys
import weakref
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ottla.broker.inbox import Inbox
from ottla.broker.produce_lane import ProduceLane


class Buffer(bytearray):
    """One that can be watched."""


def test_a_buffer_in_a_circle_of_garbage_is_freed_without_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lane knows its broker, which knows its connections, which know their inboxes."""
    complaints: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    buffer = Buffer(100)
    inbox = Inbox(10, 1000)
    inbox.use(buffer, 0)
    broker = SimpleNamespace(partitions=SimpleNamespace(leaders={}), clock=SimpleNamespace(now_ms=int), inbox=inbox)
    context = SimpleNamespace(broker=broker, version=7)
    lane: Any = ProduceLane(
        cast(Any, context), 1, cast(Any, SimpleNamespace(topic_partition=("t", 0))), bytearray(60), 30
    )
    inbox.open_lane(b"envelope", lane)
    watched = weakref.ref(buffer)

    del buffer, inbox, broker, context, lane
    gc.collect()

    assert watched() is None
    assert complaints == []


def test_a_buffer_that_is_replaced_is_let_go() -> None:
    buffer = Buffer(100)
    watched = weakref.ref(buffer)
    inbox = Inbox(10, 1000)
    inbox.use(buffer, 7)
    assert (inbox.start, inbox.end, len(inbox.view)) == (0, 7, 100)

    inbox.use(bytearray(5), 2)
    del buffer

    assert watched() is None
    assert (inbox.start, inbox.end, len(inbox.view)) == (0, 2, 5)


def test_a_request_is_held_for_each_of_three_reasons() -> None:
    inbox = Inbox(10, 1000)
    assert not inbox.is_held
    for name in ("is_busy", "is_congested", "is_closed"):
        setattr(inbox, name, True)
        assert inbox.is_held
        setattr(inbox, name, False)
