"""Ottla: Kafka's little sister. An event-streaming platform in Python that speaks Apache Kafka's wire protocol.

The clients are here too (`ottla.Producer`); they are loaded when they are first used.
"""

import os
from importlib import import_module
from typing import Any

from ottla.version import VERSION

__version__ = VERSION
_OF_THE_CLIENT = (
    "Admin",
    "AsyncAdmin",
    "AsyncConsumer",
    "AsyncProducer",
    "Consumer",
    "Producer",
    "TopicPartition",
    "read_topic",
)

if os.environ.get("OTTLA_PURE") or os.path.exists(os.path.join(os.path.dirname(__file__), "..", "..", "setup.py")):
    # Before anything else of the package is imported (ADR 0027). In a checkout, sources may be newer than their builds.
    from ottla.compiled import avoid_compiled_code

    avoid_compiled_code()


def __getattr__(name: str) -> Any:
    if name in _OF_THE_CLIENT:
        return getattr(import_module("ottla.client"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_OF_THE_CLIENT])
