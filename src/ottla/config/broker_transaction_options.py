"""Transactions, producer ids and their internal topic."""

from ottla.config.checks import at_least
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, HIGH, LOW, MIB, boolean_option, int_option, short_option


class BrokerTransactionOptions(OptionSet):
    """Rows of BrokerOptions about transactions."""

    add_partitions_to_txn_retry_backoff_max_ms = int_option(
        "add.partitions.to.txn.retry.backoff.max.ms",
        100,
        "How long a request waits for the markers of the producer's last transaction before it is refused.",
        check=at_least(0),
        importance=HIGH,
    )
    add_partitions_to_txn_retry_backoff_ms = int_option(
        "add.partitions.to.txn.retry.backoff.ms",
        20,
        "Pause between two attempts of a broker to verify a partition of a transaction.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    producer_id_expiration_check_interval_ms = int_option(
        "producer.id.expiration.check.interval.ms",
        600_000,
        "How often unused producer ids are looked for.",
        check=at_least(1),
        importance=LOW,
        internal=True,
    )
    producer_id_expiration_ms = int_option(
        "producer.id.expiration.ms",
        86_400_000,
        "How long a partition remembers an idempotent producer that stopped writing.",
        check=at_least(1),
        importance=LOW,
        update=CLUSTER_WIDE,
    )
    transaction_abort_timed_out_transaction_cleanup_interval_ms = int_option(
        "transaction.abort.timed.out.transaction.cleanup.interval.ms",
        10_000,
        "How often transactions that took too long are looked for.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    transaction_max_timeout_ms = int_option(
        "transaction.max.timeout.ms",
        900_000,
        "Max timeout a transactional producer may ask for.",
        check=at_least(1),
        importance=HIGH,
    )
    transaction_partition_verification_enable = boolean_option(
        "transaction.partition.verification.enable",
        True,
        "Whether a broker asks the coordinator if a partition belongs to the transaction that writes to it.",
        importance=LOW,
        update=CLUSTER_WIDE,
    )
    transaction_remove_expired_transaction_cleanup_interval_ms = int_option(
        "transaction.remove.expired.transaction.cleanup.interval.ms",
        3_600_000,
        "How often unused transactional ids are looked for.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    transaction_state_log_load_buffer_size = int_option(
        "transaction.state.log.load.buffer.size",
        5 * MIB,
        "Bytes read at a time when the state of transactions is loaded.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    transaction_state_log_min_isr = int_option(
        "transaction.state.log.min.isr",
        2,
        "In-sync replicas the topic of transaction state needs; unless set, not more than it has replicas.",
        check=at_least(1),
        importance=HIGH,
    )
    transaction_state_log_num_partitions = int_option(
        "transaction.state.log.num.partitions",
        50,
        "Partitions of the topic of transaction state; must not change once it exists.",
        check=at_least(1),
        importance=HIGH,
    )
    transaction_state_log_replication_factor = short_option(
        "transaction.state.log.replication.factor",
        3,
        "Replicas of the topic of transaction state; unless set, not more than there are brokers.",
        check=at_least(1),
        importance=HIGH,
    )
    transaction_state_log_segment_bytes = int_option(
        "transaction.state.log.segment.bytes",
        100 * MIB,
        "Segment size of the topic of transaction state.",
        check=at_least(1),
        importance=HIGH,
    )
    transaction_two_phase_commit_enable = boolean_option(
        "transaction.two.phase.commit.enable",
        False,
        "Whether producers may take part in two-phase commits.",
        importance=LOW,
        effect=False,
    )
    transactional_id_expiration_ms = int_option(
        "transactional.id.expiration.ms",
        604_800_000,
        "How long an unused transactional id is remembered.",
        check=at_least(1),
        importance=HIGH,
    )
