"""Transactions, producer ids and their internal topic."""

from ottla.config.checks import at_least
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, HIGH, LOW, MIB, boolean_option, int_option, short_option


class BrokerTransactionOptions(OptionSet):
    """Rows of BrokerOptions about transactions."""

    add_partitions_to_txn_retry_backoff_max_ms = int_option(
        "add.partitions.to.txn.retry.backoff.max.ms", 100, "", check=at_least(0), importance=HIGH
    )
    add_partitions_to_txn_retry_backoff_ms = int_option(
        "add.partitions.to.txn.retry.backoff.ms", 20, "", check=at_least(1), importance=HIGH
    )
    producer_id_expiration_check_interval_ms = int_option(
        "producer.id.expiration.check.interval.ms", 600_000, "", check=at_least(1), importance=LOW, internal=True
    )
    producer_id_expiration_ms = int_option(
        "producer.id.expiration.ms", 86_400_000, "", check=at_least(1), importance=LOW, update=CLUSTER_WIDE
    )
    transaction_abort_timed_out_transaction_cleanup_interval_ms = int_option(
        "transaction.abort.timed.out.transaction.cleanup.interval.ms", 10_000, "", check=at_least(1), importance=LOW
    )
    transaction_max_timeout_ms = int_option(
        "transaction.max.timeout.ms", 900_000, "", check=at_least(1), importance=HIGH
    )
    transaction_partition_verification_enable = boolean_option(
        "transaction.partition.verification.enable", True, "", importance=LOW, update=CLUSTER_WIDE
    )
    transaction_remove_expired_transaction_cleanup_interval_ms = int_option(
        "transaction.remove.expired.transaction.cleanup.interval.ms", 3_600_000, "", check=at_least(1), importance=LOW
    )
    transaction_state_log_load_buffer_size = int_option(
        "transaction.state.log.load.buffer.size", 5 * MIB, "", check=at_least(1), importance=HIGH
    )
    transaction_state_log_min_isr = int_option(
        "transaction.state.log.min.isr", 2, "", check=at_least(1), importance=HIGH
    )
    transaction_state_log_num_partitions = int_option(
        "transaction.state.log.num.partitions", 50, "", check=at_least(1), importance=HIGH
    )
    transaction_state_log_replication_factor = short_option(
        "transaction.state.log.replication.factor", 3, "", check=at_least(1), importance=HIGH
    )
    transaction_state_log_segment_bytes = int_option(
        "transaction.state.log.segment.bytes", 100 * MIB, "", check=at_least(1), importance=HIGH
    )
    transaction_two_phase_commit_enable = boolean_option(
        "transaction.two.phase.commit.enable", False, "", importance=LOW
    )
    transactional_id_expiration_ms = int_option(
        "transactional.id.expiration.ms", 604_800_000, "", check=at_least(1), importance=HIGH
    )
