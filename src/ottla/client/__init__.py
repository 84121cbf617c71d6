"""The client library: producer, consumer, admin client, for asyncio and without it. See docs/client.md.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ottla.client.admin.admin import AsyncAdmin
    from ottla.client.producer.producer import AsyncProducer
    from ottla.client.sync import Admin
    from ottla.client.sync_producer import Producer

#: Public name -> module that has it. The table in docs/client.md is the same.
_HOMES = {
    "Admin": "ottla.client.sync",
    "AsyncAdmin": "ottla.client.admin.admin",
    "AsyncProducer": "ottla.client.producer.producer",
    "Producer": "ottla.client.sync_producer",
}

__all__ = ["Admin", "AsyncAdmin", "AsyncProducer", "Producer"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
