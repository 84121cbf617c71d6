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

    authorizer_class_name = string_option("authorizer.class.name", "", "", check=non_null(), importance=LOW)
    connection_failed_authentication_delay_ms = int_option(
        "connection.failed.authentication.delay.ms", 100, "", check=at_least(0), importance=LOW
    )
    connections_max_reauth_ms = long_option("connections.max.reauth.ms", 0, "")
    delegation_token_expiry_check_interval_ms = long_option(
        "delegation.token.expiry.check.interval.ms", 3_600_000, "", check=at_least(1), importance=LOW
    )
    delegation_token_expiry_time_ms = long_option("delegation.token.expiry.time.ms", 86_400_000, "", check=at_least(1))
    delegation_token_max_lifetime_ms = long_option(
        "delegation.token.max.lifetime.ms", 604_800_000, "", check=at_least(1)
    )
    delegation_token_secret_key = password_option("delegation.token.secret.key", "")
    principal_builder_class = class_option(
        "principal.builder.class",
        "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
        "",
        update=PER_BROKER,
    )
    sasl_client_callback_handler_class = class_option("sasl.client.callback.handler.class", None, "")
    sasl_enabled_mechanisms = list_option(
        "sasl.enabled.mechanisms", ("GSSAPI",), "", check=no_blank_entries(), update=PER_BROKER
    )
    sasl_jaas_config = password_option("sasl.jaas.config", "", update=PER_BROKER)
    sasl_kerberos_kinit_cmd = string_option("sasl.kerberos.kinit.cmd", "/usr/bin/kinit", "", update=PER_BROKER)
    sasl_kerberos_min_time_before_relogin = long_option(
        "sasl.kerberos.min.time.before.relogin", 60_000, "", update=PER_BROKER
    )
    sasl_kerberos_principal_to_local_rules = list_option(
        "sasl.kerberos.principal.to.local.rules", ("DEFAULT",), "", check=no_blank_entries(), update=PER_BROKER
    )
    sasl_kerberos_service_name = string_option("sasl.kerberos.service.name", None, "", update=PER_BROKER)
    sasl_kerberos_ticket_renew_jitter = double_option("sasl.kerberos.ticket.renew.jitter", 0.05, "", update=PER_BROKER)
    sasl_kerberos_ticket_renew_window_factor = double_option(
        "sasl.kerberos.ticket.renew.window.factor", 0.8, "", update=PER_BROKER
    )
    sasl_mechanism_controller_protocol = string_option(
        "sasl.mechanism.controller.protocol", "GSSAPI", "", importance=HIGH
    )
    sasl_mechanism_inter_broker_protocol = string_option(
        "sasl.mechanism.inter.broker.protocol", "GSSAPI", "", update=PER_BROKER
    )
    sasl_server_callback_handler_class = class_option("sasl.server.callback.handler.class", None, "")
    sasl_server_max_receive_size = int_option("sasl.server.max.receive.size", 524_288, "")
    security_inter_broker_protocol = string_option(
        "security.inter.broker.protocol",
        "PLAINTEXT",
        "",
        check=one_of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
    )
    security_providers = string_option("security.providers", None, "", importance=LOW)
