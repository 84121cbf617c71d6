"""Spark through PySpark: `format("ottla")` reads and writes topics. See docs/spark.md.

Needs the extra `ottla[spark]`. Names are loaded when they are first used: `session` must be able to set up Java before
anything of Spark starts.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ottla.spark.foreach_batch import topic_writer as topic_writer
    from ottla.spark.java import JavaNotFound as JavaNotFound
    from ottla.spark.progress import attach as attach
    from ottla.spark.spark_session import session as session
    from ottla.spark.tables import table as table

_HOMES = {
    "JavaNotFound": "ottla.spark.java",
    "attach": "ottla.spark.progress",
    "session": "ottla.spark.spark_session",
    "table": "ottla.spark.tables",
    "topic_writer": "ottla.spark.foreach_batch",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(_HOMES)
