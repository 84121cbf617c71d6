"""The test kit: a real broker for tests of applications, with faults. See docs/testing.md.

Names are loaded when they are first used; pytest is needed by the plug-in only (`ottla.testing.plugin`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ottla.testing.broker import AsyncBroker as AsyncBroker
    from ottla.testing.broker import Broker as Broker
    from ottla.testing.clock import BrokerClock as BrokerClock
    from ottla.testing.errors import NotReceived as NotReceived
    from ottla.testing.errors import StartFailed as StartFailed
    from ottla.testing.errors import UnsupportedHere as UnsupportedHere
    from ottla.testing.faults import Fault as Fault
    from ottla.testing.received import ANY as ANY
    from ottla.testing.received import PartitionOffsets as PartitionOffsets
    from ottla.testing.received import Received as Received
    from ottla.testing.recording import RecordedRequest as RecordedRequest

_HOMES = {
    "ANY": "received",
    "AsyncBroker": "broker",
    "Broker": "broker",
    "BrokerClock": "clock",
    "Fault": "faults",
    "NotReceived": "errors",
    "PartitionOffsets": "received",
    "Received": "received",
    "RecordedRequest": "recording",
    "StartFailed": "errors",
    "UnsupportedHere": "errors",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"ottla.testing.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
