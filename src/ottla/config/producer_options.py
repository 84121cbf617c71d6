"""Settings of a producer."""

from collections.abc import Iterable

from ottla.config.checks import at_least, between, between_or, non_empty, one_of
from ottla.config.client_options import ClientOptions
from ottla.config.rows import (
    HIGH,
    KIB,
    LOW,
    MAX_INT,
    MIB,
    boolean_option,
    class_option,
    int_option,
    list_option,
    long_option,
    string_option,
)

#: With more in flight per connection, a broker could not recognize duplicates of an idempotent producer.
MAX_IN_FLIGHT_IDEMPOTENT = 5


class ProducerOptions(ClientOptions):
    """What a producer does with its records."""

    acks = string_option(
        "acks",
        "all",
        "How many replicas must have a record: 0, 1 (the leader), all (those in sync).",
        importance=LOW,
        check=one_of("all", "-1", "0", "1"),
    )
    batch_size = int_option(
        "batch.size", 16 * KIB, "A batch of one partition is sent when it has this many bytes.", check=at_least(0)
    )
    buffer_memory = long_option(
        "buffer.memory",
        32 * MIB,
        "Bytes of records that may wait; then `send` waits.",
        importance=HIGH,
        check=at_least(0),
    )
    compression_gzip_level = int_option(
        "compression.gzip.level", -1, "Level of gzip; -1 is its default.", check=between_or(1, 9, -1)
    )
    compression_lz4_level = int_option("compression.lz4.level", 9, "Level of lz4.", check=between(1, 17))
    compression_type = string_option(
        "compression.type",
        "none",
        "Codec of the batches.",
        importance=HIGH,
        check=one_of("none", "gzip", "snappy", "lz4", "zstd"),
    )
    compression_zstd_level = int_option("compression.zstd.level", 3, "Level of zstd.", check=between(-131_072, 22))
    delivery_timeout_ms = int_option(
        "delivery.timeout.ms", 120_000, "A record that is not acknowledged after this time fails.", check=at_least(0)
    )
    enable_idempotence = boolean_option(
        "enable.idempotence", True, "Retries write no record twice and keep the order.", importance=LOW
    )
    enable_metrics_push = boolean_option(
        "enable.metrics.push", True, "Pushes metrics to the broker.", importance=LOW, effect=False
    )
    interceptor_classes = list_option(
        "interceptor.classes", (), "`package.module:name` of interceptors; or pass objects.", importance=LOW
    )
    key_serializer = class_option(
        "key.serializer", "bytes", "bytes, str, json, or a callable: how a key becomes bytes.", importance=HIGH
    )
    linger_ms = long_option(
        "linger.ms", 5, "A batch that is not full waits this long for more records.", check=at_least(0)
    )
    max_block_ms = long_option(
        "max.block.ms",
        60_000,
        "How long `send` waits for metadata or memory, and a transaction for its coordinator.",
        check=at_least(0),
    )
    max_in_flight_requests_per_connection = int_option(
        "max.in.flight.requests.per.connection",
        5,
        "Requests per node that wait for their response.",
        importance=LOW,
        check=at_least(1),
    )
    max_request_size = int_option(
        "max.request.size", MIB, "Largest request, and so the largest record.", check=at_least(0)
    )
    metadata_max_idle_ms = long_option(
        "metadata.max.idle.ms",
        300_000,
        "Metadata of a topic without records for this long is dropped.",
        importance=LOW,
        check=at_least(5000),
    )
    partitioner_adaptive_partitioning_enable = boolean_option(
        "partitioner.adaptive.partitioning.enable",
        True,
        "Records without key go more often to partitions whose node is faster.",
        importance=LOW,
    )
    partitioner_availability_timeout_ms = long_option(
        "partitioner.availability.timeout.ms",
        0,
        "A partition whose node takes nothing for this long gets no records without key; 0: no limit.",
        importance=LOW,
        check=at_least(0),
    )
    partitioner_class = class_option(
        "partitioner.class", None, "default, roundrobin, murmur2, consistent or a callable: how a partition is chosen."
    )
    partitioner_ignore_keys = boolean_option(
        "partitioner.ignore.keys", False, "Whether records with a key are spread like those without."
    )
    receive_buffer_bytes = int_option(
        "receive.buffer.bytes",
        32 * KIB,
        "Size of the socket's receive buffer; unless set, the system chooses.",
        check=at_least(-1),
    )
    retries = int_option(
        "retries",
        MAX_INT,
        "How often a batch is sent again; `delivery.timeout.ms` is the better limit.",
        importance=HIGH,
        check=between(0, MAX_INT),
    )
    transaction_timeout_ms = int_option(
        "transaction.timeout.ms",
        60_000,
        "The coordinator aborts a transaction that is open for longer.",
        importance=LOW,
    )
    transactional_id = string_option(
        "transactional.id",
        None,
        "Turns transactions on; the same id over restarts fences the old producer.",
        importance=LOW,
        check=non_empty(),
    )
    value_serializer = class_option(
        "value.serializer", "bytes", "bytes, str, json, or a callable: how a value becomes bytes.", importance=HIGH
    )

    @property
    def required_acks(self) -> int:
        return -1 if self.acks == "all" else int(self.acks)

    @property
    def is_idempotent(self) -> bool:
        """On by default, and off where other settings cannot have it, unless it was asked for."""
        if self.is_set("enable.idempotence") or self.transactional_id is not None:
            return self.enable_idempotence
        return not self._idempotence_problems()

    def _idempotence_problems(self) -> list[str]:
        problems = []
        if self.required_acks != -1:
            problems.append(f"acks={self.acks}: an idempotent producer needs acks=all")
        if not self.retries:
            problems.append("retries=0: an idempotent producer needs retries")
        if self.max_in_flight_requests_per_connection > MAX_IN_FLIGHT_IDEMPOTENT:
            problems.append(
                f"max.in.flight.requests.per.connection={self.max_in_flight_requests_per_connection}: "
                f"an idempotent producer may have at most {MAX_IN_FLIGHT_IDEMPOTENT}"
            )
        return problems

    def _contradictions(self) -> Iterable[str]:
        yield from super()._contradictions()
        wants = self.transactional_id is not None or (self.enable_idempotence and self.is_set("enable.idempotence"))
        if wants:
            yield from self._idempotence_problems()
        if self.transactional_id is not None and not self.enable_idempotence:
            yield "enable.idempotence=false: a transactional.id needs idempotence"
        least_ms = self.linger_ms + self.request_timeout_ms
        if self.is_set("delivery.timeout.ms") and self.delivery_timeout_ms < least_ms:
            yield (
                f"delivery.timeout.ms={self.delivery_timeout_ms}: must be at least linger.ms + request.timeout.ms, "
                f"which is {least_ms}"
            )
