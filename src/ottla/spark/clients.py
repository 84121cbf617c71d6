"""Clients that a Python process of Spark keeps: the next task of the same worker finds them connected.

Workers are forked before their first task, so a client never outlives the process that has created it. No process needs
all kinds, and Spark waits while a new one imports: so each is imported when it is created.
"""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ottla.client.arrow.reading import ArrowSession
    from ottla.client.sync import Admin
    from ottla.client.sync_producer import Producer

T = TypeVar("T")
_kept: dict[tuple[Any, ...], Any] = {}


def kept_admin(config: Mapping[str, Any]) -> "Admin":
    from ottla.client.sync import Admin

    return _keep("admin", config, lambda: Admin(dict(config)))


def kept_producer(config: Mapping[str, Any]) -> "Producer":
    """Without transactions."""
    from ottla.client.sync_producer import Producer

    return _keep("producer", config, lambda: Producer(dict(config)))


def kept_session(config: Mapping[str, Any]) -> "ArrowSession":
    return _keep("arrow", config, lambda: _started_session(dict(config)))


def _keep(kind: str, config: Mapping[str, Any], create: Callable[[], T]) -> T:
    key = (os.getpid(), kind, *sorted((name, str(value)) for name, value in config.items()))
    if key not in _kept:
        _kept[key] = create()
    found: T = _kept[key]
    return found


def _started_session(config: dict[str, Any]) -> "ArrowSession":
    from ottla.client.arrow.reading import ArrowSession

    session = ArrowSession(config, {}, None)
    session.run(session.start())
    return session
