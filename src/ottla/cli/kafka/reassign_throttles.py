"""Limits of the traffic of moves: settings of brokers and topics, set at the start and cleared at the end."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ottla.client import ConfigResource, ConfigResourceType, TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

_RATES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
_LOG_DIRS_RATE = "replica.alter.log.dirs.io.max.bytes.per.second"
_REPLICAS = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")


def set_throttles(
    admin: "Admin",
    plan: Mapping[TopicPartition, Sequence[int]],
    current: Mapping[TopicPartition, Sequence[int]],
    rate: int | None,
    log_dirs_rate: int | None,
) -> list[str]:
    """Lines that say what was set. Leaders are throttled where replicas come from, followers where they go."""
    if rate is None and log_dirs_rate is None:
        return []
    values: dict[str, str | None] = {}
    lines = [
        "Warning: You must run --verify periodically, until the reassignment completes, to ensure the throttle is "
        "removed."
    ]
    changes: dict[ConfigResource, dict[str, str | None]] = {}
    if rate is not None:
        values.update(dict.fromkeys(_RATES, str(rate)))
        lines.append(f"The inter-broker throttle limit was set to {rate} B/s")
        for topic in sorted({partition.topic for partition in plan}):
            changes[ConfigResource(ConfigResourceType.TOPIC, topic)] = _throttled_replicas(topic, plan, current)
    if log_dirs_rate is not None:
        values[_LOG_DIRS_RATE] = str(log_dirs_rate)
        lines.append(f"The replica-alter-dir throttle limit was set to {log_dirs_rate} B/s")
    brokers = {each for partition, replicas in plan.items() for each in (*replicas, *current[partition])}
    for broker in sorted(brokers):
        changes[ConfigResource(ConfigResourceType.BROKER, str(broker))] = dict(values)
    admin.alter_configs(changes)
    return lines


def _throttled_replicas(
    topic: str, plan: Mapping[TopicPartition, Sequence[int]], current: Mapping[TopicPartition, Sequence[int]]
) -> dict[str, str | None]:
    leaders: list[str] = []
    followers: list[str] = []
    for partition, replicas in sorted(plan.items()):
        if partition.topic == topic:
            leaders += [f"{partition.partition}:{each}" for each in current[partition]]
            followers += [f"{partition.partition}:{each}" for each in replicas if each not in current[partition]]
    return {_REPLICAS[0]: ",".join(leaders), _REPLICAS[1]: ",".join(followers)}


def clear_throttles(admin: "Admin", topics: set[str]) -> list[str]:
    brokers = [str(node.id) for node in admin.describe_cluster().nodes]
    rates: dict[str, str | None] = dict.fromkeys((*_RATES, _LOG_DIRS_RATE))
    replicas: dict[str, str | None] = dict.fromkeys(_REPLICAS)
    changes = {ConfigResource(ConfigResourceType.BROKER, broker): rates for broker in brokers}
    changes |= {ConfigResource(ConfigResourceType.TOPIC, topic): replicas for topic in sorted(topics)}
    admin.alter_configs(changes)
    return [
        f"Clearing broker-level throttles on broker{'s' if len(brokers) != 1 else ''} {','.join(brokers)}",
        f"Clearing topic-level throttles on topic{'s' if len(topics) != 1 else ''} {','.join(sorted(topics))}",
    ]
