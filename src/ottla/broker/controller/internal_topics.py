"""The topics that the brokers create for themselves, as they are created on first use."""

from ottla.config.broker_options import BrokerOptions
from ottla.model.topic import CONSUMER_OFFSETS, TRANSACTION_STATE
from ottla.protocol.generated.create_topics_request import Configs, Topics


def definition(name: str, options: BrokerOptions, alive_count: int) -> Topics | None:
    """None when `name` is no internal topic. The replication factor is what the live brokers can carry."""
    if name == CONSUMER_OFFSETS:
        return _consumer_offsets(options, alive_count)
    if name == TRANSACTION_STATE:
        return _transaction_state(options, alive_count)
    return None


def _consumer_offsets(options: BrokerOptions, alive_count: int) -> Topics:
    return _internal_topic(
        CONSUMER_OFFSETS,
        options.offsets_topic_num_partitions,
        max(1, min(options.offsets_topic_replication_factor, alive_count)),
        {
            "cleanup.policy": "compact",
            "compression.type": "producer",
            "segment.bytes": str(options.offsets_topic_segment_bytes),
            # A committed offset must survive power loss (docs/durability.md): a visible setting, not a hidden rule.
            "flush.messages": "1",
        },
    )


def _transaction_state(options: BrokerOptions, alive_count: int) -> Topics:
    replication_factor = max(1, min(options.transaction_state_log_replication_factor, alive_count))
    return _internal_topic(
        TRANSACTION_STATE,
        options.transaction_state_log_num_partitions,
        replication_factor,
        {
            "cleanup.policy": "compact",
            "compression.type": "uncompressed",
            "min.insync.replicas": str(min(options.transaction_state_log_min_isr, replication_factor)),
            "segment.bytes": str(options.transaction_state_log_segment_bytes),
            "unclean.leader.election.enable": "false",
            "flush.messages": "1",
        },
    )


def _internal_topic(name: str, partition_count: int, replication_factor: int, configs: dict[str, str]) -> Topics:
    return Topics(
        name=name,
        num_partitions=partition_count,
        replication_factor=replication_factor,
        configs=[Configs(name=key, value=value) for key, value in configs.items()],
    )
