"""The first records of a new cluster: the feature levels it starts with, and how many replicas must be in sync."""

from collections.abc import Mapping
from typing import Any

from ottla.controller.feature_levels import FIRST_LEVELS
from ottla.metadata.image import BROKER_RESOURCE
from ottla.protocol.generated.begin_transaction_record import BeginTransactionRecord
from ottla.protocol.generated.config_record import ConfigRecord
from ottla.protocol.generated.end_transaction_record import EndTransactionRecord
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord


def bootstrap_records(levels: Mapping[str, int] = FIRST_LEVELS) -> list[Any]:
    """What `bootstrap.checkpoint` holds. `metadata.version` comes first: it determines how to read the rest."""
    return [FeatureLevelRecord(name=name, feature_level=level) for name, level in levels.items()]


def first_records(bootstrap: list[Any], min_in_sync_replicas: int) -> list[Any]:
    """What the first controller writes into the empty metadata log: all of it, or nothing.

    As in Kafka, min.insync.replicas becomes a setting of the whole cluster: brokers that disagree on it could not agree
    on who may lead.
    """
    in_sync = ConfigRecord(
        resource_type=BROKER_RESOURCE, resource_name="", name="min.insync.replicas", value=str(min_in_sync_replicas)
    )
    return [BeginTransactionRecord(name="Bootstrap records"), *bootstrap, in_sync, EndTransactionRecord()]
