"""Who a client is: SASL, delegation tokens, principals, authorizer."""

from ottla.config.checks import at_least, no_blank_entries, non_null, one_of
from ottla.config.option import OptionSet
from ottla.config.rows import (
    HIGH,
    LOW,
    PER_BROKER,
    class_option,
    double_option,
    int_option,
    list_option,
    long_option,
    password_option,
    string_option,
)


class BrokerLoginOptions(OptionSet):
    """Rows of BrokerOptions about authentication and authorization."""

    authorizer_class_name = string_option(
        "authorizer.class.name",
        "",
        "Name of the authorizer; Kafka's standard name switches access control on, empty leaves it off.",
        check=non_null(),
        importance=LOW,
        effect=False,
    )
    connection_failed_authentication_delay_ms = int_option(
        "connection.failed.authentication.delay.ms",
        100,
        "Time a connection is kept open after a failed login, to slow down guessing.",
        check=at_least(0),
        importance=LOW,
        effect=False,
    )
    connections_max_reauth_ms = long_option(
        "connections.max.reauth.ms",
        0,
        "Time after which a client has to log in again; 0 never asks for it.",
        effect=False,
    )
    delegation_token_expiry_check_interval_ms = long_option(
        "delegation.token.expiry.check.interval.ms",
        3_600_000,
        "How often expired delegation tokens are removed.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    delegation_token_expiry_time_ms = long_option(
        "delegation.token.expiry.time.ms",
        86_400_000,
        "How long a delegation token is valid without being renewed.",
        check=at_least(1),
        effect=False,
    )
    delegation_token_max_lifetime_ms = long_option(
        "delegation.token.max.lifetime.ms",
        604_800_000,
        "How long a delegation token can be renewed at all.",
        check=at_least(1),
        effect=False,
    )
    delegation_token_secret_key = password_option(
        "delegation.token.secret.key",
        "Secret with which delegation tokens are signed; the same on every node.",
        effect=False,
    )
    principal_builder_class = class_option(
        "principal.builder.class",
        "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
        "Java class that names the user of a connection; Ottla builds Kafka's standard names.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_client_callback_handler_class = class_option(
        "sasl.client.callback.handler.class",
        None,
        "Java class for SASL client logins; Ottla loads no Java classes.",
        effect=False,
    )
    sasl_enabled_mechanisms = list_option(
        "sasl.enabled.mechanisms",
        ("GSSAPI",),
        "SASL mechanisms clients may use; SCRAM when a SASL listener exists and nothing is set.",
        check=no_blank_entries(),
        update=PER_BROKER,
        effect=False,
    )
    sasl_jaas_config = password_option(
        "sasl.jaas.config", "Login settings of a SASL listener in JAAS form.", update=PER_BROKER, effect=False
    )
    sasl_kerberos_kinit_cmd = string_option(
        "sasl.kerberos.kinit.cmd", "/usr/bin/kinit", "Path of the kinit program.", update=PER_BROKER, effect=False
    )
    sasl_kerberos_min_time_before_relogin = long_option(
        "sasl.kerberos.min.time.before.relogin",
        60_000,
        "Least time between two Kerberos logins.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_kerberos_principal_to_local_rules = list_option(
        "sasl.kerberos.principal.to.local.rules",
        ("DEFAULT",),
        "Rules that map Kerberos principals to user names.",
        check=no_blank_entries(),
        update=PER_BROKER,
        effect=False,
    )
    sasl_kerberos_service_name = string_option(
        "sasl.kerberos.service.name", None, "Kerberos name of the service.", update=PER_BROKER, effect=False
    )
    sasl_kerberos_ticket_renew_jitter = double_option(
        "sasl.kerberos.ticket.renew.jitter",
        0.05,
        "Random part of the time at which a Kerberos ticket is renewed.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_kerberos_ticket_renew_window_factor = double_option(
        "sasl.kerberos.ticket.renew.window.factor",
        0.8,
        "Part of a Kerberos ticket's life after which it is renewed.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_mechanism_controller_protocol = string_option(
        "sasl.mechanism.controller.protocol",
        "GSSAPI",
        "SASL mechanism towards controllers.",
        importance=HIGH,
        effect=False,
    )
    sasl_mechanism_inter_broker_protocol = string_option(
        "sasl.mechanism.inter.broker.protocol",
        "GSSAPI",
        "SASL mechanism between brokers.",
        update=PER_BROKER,
        effect=False,
    )
    sasl_server_callback_handler_class = class_option(
        "sasl.server.callback.handler.class",
        None,
        "Java class that checks logins; Ottla loads no Java classes.",
        effect=False,
    )
    sasl_server_max_receive_size = int_option(
        "sasl.server.max.receive.size", 524_288, "Largest message of a login.", effect=False
    )
    security_inter_broker_protocol = string_option(
        "security.inter.broker.protocol",
        "PLAINTEXT",
        "Security protocol between brokers, when inter.broker.listener.name is not set.",
        check=one_of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
        effect=False,
    )
    security_providers = string_option(
        "security.providers",
        None,
        "Java security providers; Ottla loads no Java classes.",
        importance=LOW,
        effect=False,
    )
