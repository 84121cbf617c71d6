"""Listeners, connections, requests and the threads Kafka gives them."""

from ottla.config.checks import at_least, connection_limits, no_blank_entries
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

    advertised_listeners = list_option(
        "advertised.listeners",
        None,
        "Addresses that clients connect to; the listeners themselves when not set.",
        check=no_blank_entries(),
        importance=HIGH,
    )
    background_threads = int_option(
        "background.threads",
        10,
        "Threads Kafka uses for background work.",
        check=at_least(1),
        importance=HIGH,
        update=CLUSTER_WIDE,
        effect=False,
    )
    config_providers = list_option(
        "config.providers",
        (),
        "Java classes that look values of settings up elsewhere; Ottla has none.",
        check=no_blank_entries(),
        importance=LOW,
        update=CLUSTER_WIDE,
        effect=False,
    )
    connections_max_idle_ms = long_option(
        "connections.max.idle.ms", 600_000, "Time without a request after which a connection is closed."
    )
    delete_records_purgatory_purge_interval_requests = int_option(
        "delete.records.purgatory.purge.interval.requests",
        1,
        "After how many finished DeleteRecords requests Kafka clears its waiting list.",
        effect=False,
    )
    early_start_listeners = list_option(
        "early.start.listeners",
        None,
        "Listeners that open before the authorizer has loaded.",
        check=no_blank_entries(),
        importance=HIGH,
        effect=False,
    )
    fetch_max_bytes = int_option(
        "fetch.max.bytes", 55 * MIB, "Max bytes in the response to one fetch of a client.", check=at_least(1024)
    )
    fetch_purgatory_purge_interval_requests = int_option(
        "fetch.purgatory.purge.interval.requests",
        1000,
        "After how many finished fetches Kafka clears its waiting list.",
        effect=False,
    )
    inter_broker_listener_name = string_option(
        "inter.broker.listener.name", None, "Listener that brokers use among themselves."
    )
    listener_security_protocol_map = string_option(
        "listener.security.protocol.map",
        "SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "Security protocol of each listener, as NAME:PROTOCOL.",
        importance=LOW,
        update=PER_BROKER,
    )
    listeners = list_option(
        "listeners",
        ("PLAINTEXT://:9092",),
        "Addresses the node listens on, as NAME://host:port; an empty host is every address of the machine.",
        check=no_blank_entries(),
        importance=HIGH,
        update=PER_BROKER,
    )
    max_connection_creation_rate = int_option(
        "max.connection.creation.rate",
        MAX_INT,
        "Max new connections per second.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    max_connections = int_option(
        "max.connections", MAX_INT, "Max connections at a time.", check=at_least(0), update=CLUSTER_WIDE
    )
    max_connections_per_ip = int_option(
        "max.connections.per.ip",
        MAX_INT,
        "Max connections from one address at a time.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    max_connections_per_ip_overrides = string_option(
        "max.connections.per.ip.overrides",
        "",
        "Other limits for single addresses, as address:number.",
        check=connection_limits(),
        update=CLUSTER_WIDE,
    )
    max_incremental_fetch_session_cache_slots = int_option(
        "max.incremental.fetch.session.cache.slots",
        1000,
        "Max incremental fetch sessions that are kept.",
        check=at_least(0),
    )
    num_io_threads = int_option(
        "num.io.threads",
        8,
        "Threads Kafka uses to work on requests.",
        check=at_least(1),
        importance=HIGH,
        update=CLUSTER_WIDE,
        effect=False,
    )
    num_network_threads = int_option(
        "num.network.threads",
        3,
        "Threads Kafka uses per listener for sockets.",
        check=at_least(1),
        importance=HIGH,
        update=CLUSTER_WIDE,
        effect=False,
    )
    producer_purgatory_purge_interval_requests = int_option(
        "producer.purgatory.purge.interval.requests",
        1000,
        "After how many finished produce requests Kafka clears its waiting list.",
        effect=False,
    )
    queued_max_request_bytes = long_option(
        "queued.max.request.bytes",
        -1,
        "Max bytes of requests waiting at a time; -1 is no limit by this setting.",
    )
    queued_max_requests = int_option(
        "queued.max.requests",
        500,
        "Max requests waiting at a time before reading stops.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    request_timeout_ms = int_option(
        "request.timeout.ms",
        30_000,
        "How long this node waits for the response to a request of its own.",
        importance=HIGH,
    )
    socket_connection_setup_timeout_max_ms = long_option(
        "socket.connection.setup.timeout.max.ms",
        30_000,
        "Max time setting up an outgoing connection may take after repeated failures.",
        effect=False,
    )
    socket_connection_setup_timeout_ms = long_option(
        "socket.connection.setup.timeout.ms",
        10_000,
        "Time setting up an outgoing connection may take at first.",
        effect=False,
    )
    socket_listen_backlog_size = int_option(
        "socket.listen.backlog.size", 50, "Connections that may wait to be accepted.", check=at_least(1)
    )
    socket_receive_buffer_bytes = int_option(
        "socket.receive.buffer.bytes",
        102_400,
        "Receive buffer of client sockets; -1 leaves it to the system.",
        importance=HIGH,
    )
    socket_request_max_bytes = int_option(
        "socket.request.max.bytes", 100 * MIB, "Largest request.", check=at_least(1), importance=HIGH
    )
    socket_send_buffer_bytes = int_option(
        "socket.send.buffer.bytes",
        102_400,
        "Send buffer of client sockets; -1 leaves it to the system.",
        importance=HIGH,
    )
