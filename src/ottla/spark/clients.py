"""Clients that a Python process of Spark keeps: the next task of the same worker finds them connected.

Workers are forked before their first task, so a client never outlives the process that has created it.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ottla.client.arrow.reading import ArrowSession
from ottla.client.sync import Admin
from ottla.client.sync_producer import Producer

T = TypeVar("T")
_kept: dict[tuple[Any, ...], Any] = {}


def kept_admin(config: Mapping[str, Any]) -> Admin:
    return _keep("admin", config, lambda: Admin(dict(config)))


def kept_producer(config: Mapping[str, Any]) -> Producer:
    """Without transactions."""
    return _keep("producer", config, lambda: Producer(dict(config)))


def kept_session(config: Mapping[str, Any]) -> ArrowSession:
    return _keep("arrow", config, lambda: _started(ArrowSession(dict(config), {}, None)))


def _keep(kind: str, config: Mapping[str, Any], create: Callable[[], T]) -> T:
    key = (os.getpid(), kind, *sorted((name, str(value)) for name, value in config.items()))
    if key not in _kept:
        _kept[key] = create()
    found: T = _kept[key]
    return found


def _started(session: ArrowSession) -> ArrowSession:
    session.run(session.start())
    return session
