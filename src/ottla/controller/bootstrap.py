"""The first records of a new cluster: the feature levels it starts with."""

from collections.abc import Mapping
from typing import Any

from ottla.controller.feature_levels import FIRST_LEVELS
from ottla.protocol.generated.begin_transaction_record import BeginTransactionRecord
from ottla.protocol.generated.end_transaction_record import EndTransactionRecord
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord


def bootstrap_records(levels: Mapping[str, int] = FIRST_LEVELS) -> list[Any]:
    """What `bootstrap.checkpoint` holds. `metadata.version` comes first: it says how to read the rest."""
    return [FeatureLevelRecord(name=name, feature_level=level) for name, level in levels.items()]


def first_records(bootstrap: list[Any]) -> list[Any]:
    """What the first controller writes into the empty metadata log: all of it, or nothing."""
    return [BeginTransactionRecord(name="Bootstrap records"), *bootstrap, EndTransactionRecord()]
