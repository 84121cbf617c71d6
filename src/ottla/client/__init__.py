"""The client library: producer, consumer, admin client, for asyncio and without it. See docs/client.md.

What is public is here, and in the table of that page. Names are loaded when they are first used, so that importing the
package costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ottla.client.admin.acls import Acl as Acl
    from ottla.client.admin.acls import AclFilter as AclFilter
    from ottla.client.admin.acls import AclOperation as AclOperation
    from ottla.client.admin.acls import AclPermission as AclPermission
    from ottla.client.admin.acls import PatternType as PatternType
    from ottla.client.admin.acls import ResourceType as ResourceType
    from ottla.client.admin.admin import AsyncAdmin as AsyncAdmin
    from ottla.client.admin.cluster import ClusterDescription as ClusterDescription
    from ottla.client.admin.cluster import EndpointType as EndpointType
    from ottla.client.admin.cluster import FeatureChange as FeatureChange
    from ottla.client.admin.cluster import Features as Features
    from ottla.client.admin.cluster import QuorumDescription as QuorumDescription
    from ottla.client.admin.cluster import QuorumReplica as QuorumReplica
    from ottla.client.admin.cluster import ServedVersions as ServedVersions
    from ottla.client.admin.configs import ConfigChange as ConfigChange
    from ottla.client.admin.configs import ConfigEntry as ConfigEntry
    from ottla.client.admin.configs import ConfigOperation as ConfigOperation
    from ottla.client.admin.configs import ConfigResource as ConfigResource
    from ottla.client.admin.configs import ConfigResourceType as ConfigResourceType
    from ottla.client.admin.configs import ConfigSource as ConfigSource
    from ottla.client.admin.groups import GroupDescription as GroupDescription
    from ottla.client.admin.groups import GroupListing as GroupListing
    from ottla.client.admin.groups import MemberDescription as MemberDescription
    from ottla.client.admin.offsets import ListedOffset as ListedOffset
    from ottla.client.admin.offsets import OffsetSpec as OffsetSpec
    from ottla.client.admin.replicas import LogDirectory as LogDirectory
    from ottla.client.admin.replicas import Reassignment as Reassignment
    from ottla.client.admin.replicas import ReplicaSize as ReplicaSize
    from ottla.client.admin.topics import EligibleLeaders as EligibleLeaders
    from ottla.client.admin.topics import NewTopic as NewTopic
    from ottla.client.admin.topics import TopicDescription as TopicDescription
    from ottla.client.admin.topics import TopicListing as TopicListing
    from ottla.client.admin.transactions import ProducerState as ProducerState
    from ottla.client.admin.transactions import TransactionDescription as TransactionDescription
    from ottla.client.admin.transactions import TransactionListing as TransactionListing
    from ottla.client.admin.users import ScramCredential as ScramCredential
    from ottla.client.arrow.reading import read_range as read_range
    from ottla.client.arrow.reading import read_topic as read_topic
    from ottla.client.consumer.consumer import AsyncConsumer as AsyncConsumer
    from ottla.client.consumer.health import ConsumerHealth as ConsumerHealth
    from ottla.client.consumer.health import HealthFinding as HealthFinding
    from ottla.client.consumer.health import HealthReason as HealthReason
    from ottla.client.consumer.rebalance_listener import RebalanceListener as RebalanceListener
    from ottla.client.consumer.record import ConsumerRecord as ConsumerRecord
    from ottla.client.consumer.record import OffsetAndTimestamp as OffsetAndTimestamp
    from ottla.client.consumer.record import TimestampType as TimestampType
    from ottla.client.errors import AuthenticationFailed as AuthenticationFailed
    from ottla.client.errors import AuthorizationFailed as AuthorizationFailed
    from ottla.client.errors import BufferFull as BufferFull
    from ottla.client.errors import ClientClosed as ClientClosed
    from ottla.client.errors import ClientError as ClientError
    from ottla.client.errors import CommitFailed as CommitFailed
    from ottla.client.errors import ConnectionFailed as ConnectionFailed
    from ottla.client.errors import CorruptRecords as CorruptRecords
    from ottla.client.errors import InvalidConfig as InvalidConfig
    from ottla.client.errors import InvalidOffset as InvalidOffset
    from ottla.client.errors import LogTruncated as LogTruncated
    from ottla.client.errors import NoOffset as NoOffset
    from ottla.client.errors import OffsetOutOfRange as OffsetOutOfRange
    from ottla.client.errors import ProducerFenced as ProducerFenced
    from ottla.client.errors import RecordTooLarge as RecordTooLarge
    from ottla.client.errors import RequestRefused as RequestRefused
    from ottla.client.errors import SerializationFailed as SerializationFailed
    from ottla.client.errors import TimedOut as TimedOut
    from ottla.client.errors import TransactionAborted as TransactionAborted
    from ottla.client.errors import UnknownTopic as UnknownTopic
    from ottla.client.errors import UnsupportedByBroker as UnsupportedByBroker
    from ottla.client.interceptors import ConsumerInterceptor as ConsumerInterceptor
    from ottla.client.interceptors import ProducerInterceptor as ProducerInterceptor
    from ottla.client.interceptors import ProducerRecord as ProducerRecord
    from ottla.client.metadata import Node as Node
    from ottla.client.metadata import PartitionView as PartitionView
    from ottla.client.offsets import ConsumerGroupMetadata as ConsumerGroupMetadata
    from ottla.client.offsets import OffsetAndMetadata as OffsetAndMetadata
    from ottla.client.processing.deduplicator import Deduplicator as Deduplicator
    from ottla.client.processing.parallel_consumer import ParallelConsumer as ParallelConsumer
    from ottla.client.processing.retry_policy import RetryPolicy as RetryPolicy
    from ottla.client.producer.delivery import Delivery as Delivery
    from ottla.client.producer.outcome import RecordMetadata as RecordMetadata
    from ottla.client.producer.producer import AsyncProducer as AsyncProducer
    from ottla.client.producer.row_sender import SentRows as SentRows
    from ottla.client.producer.transaction_handle import TransactionHandle as TransactionHandle
    from ottla.client.sync import Admin as Admin
    from ottla.client.sync_consumer import Consumer as Consumer
    from ottla.client.sync_producer import Producer as Producer
    from ottla.client.sync_producer import SyncDelivery as SyncDelivery
    from ottla.client.telemetry import OpenTelemetryInterceptor as OpenTelemetryInterceptor
    from ottla.model.error_codes import ErrorCode as ErrorCode
    from ottla.model.topic import TopicPartition as TopicPartition

#: Module -> the public names that it has.
_MODULES = {
    "ottla.client.admin.acls": "Acl AclFilter AclOperation AclPermission PatternType ResourceType",
    "ottla.client.admin.admin": "AsyncAdmin",
    "ottla.client.admin.cluster": (
        "ClusterDescription EndpointType FeatureChange Features QuorumDescription QuorumReplica ServedVersions"
    ),
    "ottla.client.admin.configs": (
        "ConfigChange ConfigEntry ConfigOperation ConfigResource ConfigResourceType ConfigSource"
    ),
    "ottla.client.admin.groups": "GroupDescription GroupListing MemberDescription",
    "ottla.client.admin.offsets": "ListedOffset OffsetSpec",
    "ottla.client.admin.replicas": "LogDirectory Reassignment ReplicaSize",
    "ottla.client.admin.topics": "EligibleLeaders NewTopic TopicDescription TopicListing",
    "ottla.client.admin.transactions": "ProducerState TransactionDescription TransactionListing",
    "ottla.client.admin.users": "ScramCredential",
    "ottla.client.arrow.reading": "read_range read_topic",
    "ottla.client.consumer.consumer": "AsyncConsumer",
    "ottla.client.consumer.health": "ConsumerHealth HealthFinding HealthReason",
    "ottla.client.consumer.rebalance_listener": "RebalanceListener",
    "ottla.client.consumer.record": "ConsumerRecord OffsetAndTimestamp TimestampType",
    "ottla.client.errors": (
        "AuthenticationFailed AuthorizationFailed BufferFull ClientClosed ClientError CommitFailed ConnectionFailed "
        "CorruptRecords InvalidConfig InvalidOffset LogTruncated NoOffset OffsetOutOfRange ProducerFenced "
        "RecordTooLarge RequestRefused SerializationFailed TimedOut TransactionAborted UnknownTopic UnsupportedByBroker"
    ),
    "ottla.client.interceptors": "ConsumerInterceptor ProducerInterceptor ProducerRecord",
    "ottla.client.metadata": "Node PartitionView",
    "ottla.client.offsets": "ConsumerGroupMetadata OffsetAndMetadata",
    "ottla.client.processing.deduplicator": "Deduplicator",
    "ottla.client.processing.parallel_consumer": "ParallelConsumer",
    "ottla.client.processing.retry_policy": "RetryPolicy",
    "ottla.client.producer.delivery": "Delivery",
    "ottla.client.producer.outcome": "RecordMetadata",
    "ottla.client.producer.producer": "AsyncProducer",
    "ottla.client.producer.row_sender": "SentRows",
    "ottla.client.producer.transaction_handle": "TransactionHandle",
    "ottla.client.sync": "Admin",
    "ottla.client.sync_consumer": "Consumer",
    "ottla.client.sync_producer": "Producer SyncDelivery",
    "ottla.client.telemetry": "OpenTelemetryInterceptor",
    "ottla.model.error_codes": "ErrorCode",
    "ottla.model.topic": "TopicPartition",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
