"""Listeners, connections, requests and the threads Kafka gives them."""

from ottla.config.checks import at_least, no_blank_entries
from ottla.config.option import OptionSet
from ottla.config.rows import (
    CLUSTER_WIDE,
    HIGH,
    LOW,
    MAX_INT,
    MIB,
    PER_BROKER,
    int_option,
    list_option,
    long_option,
    string_option,
)


class BrokerNetworkOptions(OptionSet):
    """Rows of BrokerOptions about the network."""

    advertised_listeners = list_option("advertised.listeners", None, "", check=no_blank_entries(), importance=HIGH)
    background_threads = int_option(
        "background.threads", 10, "", check=at_least(1), importance=HIGH, update=CLUSTER_WIDE
    )
    config_providers = list_option(
        "config.providers", (), "", check=no_blank_entries(), importance=LOW, update=CLUSTER_WIDE
    )
    connections_max_idle_ms = long_option("connections.max.idle.ms", 600_000, "")
    delete_records_purgatory_purge_interval_requests = int_option(
        "delete.records.purgatory.purge.interval.requests", 1, ""
    )
    early_start_listeners = list_option("early.start.listeners", None, "", check=no_blank_entries(), importance=HIGH)
    fetch_max_bytes = int_option("fetch.max.bytes", 55 * MIB, "", check=at_least(1024))
    fetch_purgatory_purge_interval_requests = int_option("fetch.purgatory.purge.interval.requests", 1000, "")
    inter_broker_listener_name = string_option("inter.broker.listener.name", None, "")
    listener_security_protocol_map = string_option(
        "listener.security.protocol.map",
        "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "",
        importance=LOW,
        update=PER_BROKER,
    )
    listeners = list_option(
        "listeners", ("PLAINTEXT://:9092",), "", check=no_blank_entries(), importance=HIGH, update=PER_BROKER
    )
    max_connection_creation_rate = int_option(
        "max.connection.creation.rate", MAX_INT, "", check=at_least(0), update=CLUSTER_WIDE
    )
    max_connections = int_option("max.connections", MAX_INT, "", check=at_least(0), update=CLUSTER_WIDE)
    max_connections_per_ip = int_option("max.connections.per.ip", MAX_INT, "", check=at_least(0), update=CLUSTER_WIDE)
    max_connections_per_ip_overrides = string_option("max.connections.per.ip.overrides", "", "", update=CLUSTER_WIDE)
    max_incremental_fetch_session_cache_slots = int_option(
        "max.incremental.fetch.session.cache.slots", 1000, "", check=at_least(0)
    )
    num_io_threads = int_option("num.io.threads", 8, "", check=at_least(1), importance=HIGH, update=CLUSTER_WIDE)
    num_network_threads = int_option(
        "num.network.threads", 3, "", check=at_least(1), importance=HIGH, update=CLUSTER_WIDE
    )
    producer_purgatory_purge_interval_requests = int_option("producer.purgatory.purge.interval.requests", 1000, "")
    queued_max_request_bytes = long_option("queued.max.request.bytes", -1, "")
    queued_max_requests = int_option("queued.max.requests", 500, "", check=at_least(1), importance=HIGH)
    request_timeout_ms = int_option("request.timeout.ms", 30_000, "", importance=HIGH)
    socket_connection_setup_timeout_max_ms = long_option("socket.connection.setup.timeout.max.ms", 30_000, "")
    socket_connection_setup_timeout_ms = long_option("socket.connection.setup.timeout.ms", 10_000, "")
    socket_listen_backlog_size = int_option("socket.listen.backlog.size", 50, "", check=at_least(1))
    socket_receive_buffer_bytes = int_option("socket.receive.buffer.bytes", 102_400, "", importance=HIGH)
    socket_request_max_bytes = int_option("socket.request.max.bytes", 100 * MIB, "", check=at_least(1), importance=HIGH)
    socket_send_buffer_bytes = int_option("socket.send.buffer.bytes", 102_400, "", importance=HIGH)
