"""The module by whose name Spark finds `format("ottla")`. The data source itself is in `ottla.spark`."""

from ottla.spark.source import OttlaSource as DefaultSource

__all__ = ["DefaultSource"]
