"""Topics: how they are made and what they take by default."""

from ottla.config.checks import at_least, between, between_or, one_of
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, HIGH, LOW, boolean_option, class_option, int_option, string_option


class BrokerTopicOptions(OptionSet):
    """Rows of BrokerOptions about topics."""

    alter_config_policy_class_name = class_option(
        "alter.config.policy.class.name",
        None,
        "Java class that may veto changes of settings; Ottla loads no Java classes.",
        importance=LOW,
        effect=False,
    )
    auto_create_topics_enable = boolean_option(
        "auto.create.topics.enable",
        True,
        "Whether a topic is made when a client asks for one that does not exist.",
        importance=HIGH,
    )
    compression_gzip_level = int_option(
        "compression.gzip.level",
        -1,
        "Level of gzip when the broker itself compresses with it; -1 is the codec's own choice.",
        check=between_or(1, 9, -1),
        update=CLUSTER_WIDE,
    )
    compression_lz4_level = int_option(
        "compression.lz4.level",
        9,
        "Level of lz4 when the broker itself compresses with it.",
        check=between(1, 17),
        update=CLUSTER_WIDE,
    )
    compression_type = string_option(
        "compression.type",
        "producer",
        "Codec in which topics are kept by default; `producer` keeps what the producer sent.",
        check=one_of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        importance=HIGH,
        update=CLUSTER_WIDE,
    )
    compression_zstd_level = int_option(
        "compression.zstd.level",
        3,
        "Level of zstd when the broker itself compresses with it.",
        check=between(-131_072, 22),
        update=CLUSTER_WIDE,
    )
    create_topic_policy_class_name = class_option(
        "create.topic.policy.class.name",
        None,
        "Java class that may veto new topics; Ottla loads no Java classes.",
        importance=LOW,
        effect=False,
    )
    delete_topic_enable = boolean_option("delete.topic.enable", True, "Whether topics may be deleted.", importance=HIGH)
    max_request_partition_size_limit = int_option(
        "max.request.partition.size.limit",
        2000,
        "Max partitions in one response of DescribeTopicPartitions.",
        check=at_least(1),
    )
    message_max_bytes = int_option(
        "message.max.bytes",
        1_048_588,
        "Default of max.message.bytes for topics.",
        check=at_least(0),
        importance=HIGH,
        update=CLUSTER_WIDE,
    )
    num_partitions = int_option(
        "num.partitions", 1, "Partitions of a topic that is made without a number.", check=at_least(1)
    )
