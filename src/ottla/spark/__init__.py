"""Spark through PySpark: `format("ottla")` reads and writes topics. See docs/spark.md.

Needs the extra `ottla[spark]`. Names are loaded when they are first used: `session` must be able to set up Java before
anything of Spark starts.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ottla.spark.java import JavaNotFound as JavaNotFound
    from ottla.spark.session import session as session

_HOMES = {
    "JavaNotFound": "ottla.spark.java",
    "session": "ottla.spark.session",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
