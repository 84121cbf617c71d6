"""Tiered storage. Read and shown, so that a Kafka file starts; Ottla keeps all data local."""

from ottla.config.checks import at_least, between, non_empty
from ottla.config.option import OptionSet
from ottla.config.rows import (
    CLUSTER_WIDE,
    LOW,
    MAX_LONG,
    MIB,
    boolean_option,
    double_option,
    int_option,
    long_option,
    string_option,
)


class BrokerRemoteOptions(OptionSet):
    """Rows of BrokerOptions about tiered storage."""

    follower_fetch_last_tiered_offset_enable = boolean_option(
        "follower.fetch.last.tiered.offset.enable",
        False,
        "Whether a new follower starts from the last offset in tiered storage.",
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_fetch_max_wait_ms = int_option(
        "remote.fetch.max.wait.ms",
        500,
        "How long a fetch waits for data in tiered storage.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_list_offsets_request_timeout_ms = long_option(
        "remote.list.offsets.request.timeout.ms",
        30_000,
        "How long a look for offsets in tiered storage may take.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_index_file_cache_total_size_bytes = long_option(
        "remote.log.index.file.cache.total.size.bytes",
        1024 * MIB,
        "Disk space for indexes fetched from tiered storage.",
        check=at_least(1),
        importance=LOW,
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_index_file_cache_ttl_ms = long_option(
        "remote.log.index.file.cache.ttl.ms",
        900_000,
        "How long an index fetched from tiered storage is kept after its last use.",
        check=at_least(-1),
        importance=LOW,
        internal=True,
        effect=False,
    )
    remote_log_manager_copier_thread_pool_size = int_option(
        "remote.log.manager.copier.thread.pool.size",
        10,
        "Threads that copy segments to tiered storage.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_manager_copy_max_bytes_per_second = long_option(
        "remote.log.manager.copy.max.bytes.per.second",
        MAX_LONG,
        "Max bytes copied to tiered storage per second.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_manager_copy_quota_window_num = int_option(
        "remote.log.manager.copy.quota.window.num",
        11,
        "Samples kept to measure copies to tiered storage.",
        check=at_least(1),
        effect=False,
    )
    remote_log_manager_copy_quota_window_size_seconds = int_option(
        "remote.log.manager.copy.quota.window.size.seconds",
        1,
        "Length of one sample when measuring copies to tiered storage.",
        check=at_least(1),
        effect=False,
    )
    remote_log_manager_expiration_thread_pool_size = int_option(
        "remote.log.manager.expiration.thread.pool.size",
        10,
        "Threads that delete old segments from tiered storage.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_manager_fetch_max_bytes_per_second = long_option(
        "remote.log.manager.fetch.max.bytes.per.second",
        MAX_LONG,
        "Max bytes fetched from tiered storage per second.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_manager_fetch_quota_window_num = int_option(
        "remote.log.manager.fetch.quota.window.num",
        11,
        "Samples kept to measure fetches from tiered storage.",
        check=at_least(1),
        effect=False,
    )
    remote_log_manager_fetch_quota_window_size_seconds = int_option(
        "remote.log.manager.fetch.quota.window.size.seconds",
        1,
        "Length of one sample when measuring fetches from tiered storage.",
        check=at_least(1),
        effect=False,
    )
    remote_log_manager_follower_thread_pool_size = int_option(
        "remote.log.manager.follower.thread.pool.size",
        2,
        "Threads with which followers read about tiered storage.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_manager_task_interval_ms = long_option(
        "remote.log.manager.task.interval.ms",
        30_000,
        "How often segments are looked at for tiered storage.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    remote_log_manager_task_retry_backoff_max_ms = long_option(
        "remote.log.manager.task.retry.backoff.max.ms",
        30_000,
        "Max pause before a failed request to tiered storage is repeated.",
        check=at_least(1),
        importance=LOW,
        internal=True,
        effect=False,
    )
    remote_log_manager_task_retry_backoff_ms = long_option(
        "remote.log.manager.task.retry.backoff.ms",
        500,
        "First pause before a failed request to tiered storage is repeated.",
        check=at_least(1),
        importance=LOW,
        internal=True,
        effect=False,
    )
    remote_log_manager_task_retry_jitter = double_option(
        "remote.log.manager.task.retry.jitter",
        0.2,
        "Random part of the pause before a request to tiered storage is repeated.",
        check=between(0, 0.5),
        importance=LOW,
        internal=True,
        effect=False,
    )
    remote_log_manager_thread_pool_size = int_option(
        "remote.log.manager.thread.pool.size",
        2,
        "Threads that schedule the work of tiered storage.",
        check=at_least(1),
        effect=False,
    )
    remote_log_metadata_custom_metadata_max_bytes = int_option(
        "remote.log.metadata.custom.metadata.max.bytes",
        128,
        "Largest data a storage plug-in may keep per segment.",
        check=at_least(0),
        importance=LOW,
        effect=False,
    )
    remote_log_metadata_manager_class_name = string_option(
        "remote.log.metadata.manager.class.name",
        "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager",
        "Java class that keeps the list of segments in tiered storage.",
        check=non_empty(),
        effect=False,
    )
    remote_log_metadata_manager_class_path = string_option(
        "remote.log.metadata.manager.class.path", None, "Where that class is looked for.", effect=False
    )
    remote_log_metadata_manager_impl_prefix = string_option(
        "remote.log.metadata.manager.impl.prefix",
        "rlmm.config.",
        "Prefix of the settings handed to that class.",
        check=non_empty(),
        effect=False,
    )
    remote_log_metadata_manager_listener_name = string_option(
        "remote.log.metadata.manager.listener.name",
        None,
        "Listener that class uses to reach the brokers.",
        check=non_empty(),
        effect=False,
    )
    remote_log_reader_max_pending_tasks = int_option(
        "remote.log.reader.max.pending.tasks",
        100,
        "Max reads from tiered storage waiting at a time.",
        check=at_least(1),
        effect=False,
    )
    remote_log_reader_threads = int_option(
        "remote.log.reader.threads",
        10,
        "Threads that read from tiered storage.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        effect=False,
    )
    remote_log_storage_manager_class_name = string_option(
        "remote.log.storage.manager.class.name",
        None,
        "Java class that stores segments elsewhere.",
        check=non_empty(),
        effect=False,
    )
    remote_log_storage_manager_class_path = string_option(
        "remote.log.storage.manager.class.path", None, "Where the storage class is looked for.", effect=False
    )
    remote_log_storage_manager_impl_prefix = string_option(
        "remote.log.storage.manager.impl.prefix",
        "rsm.config.",
        "Prefix of the settings handed to the storage class.",
        check=non_empty(),
        effect=False,
    )
    remote_log_storage_system_enable = boolean_option(
        "remote.log.storage.system.enable", False, "Whether tiered storage is switched on.", effect=False
    )
