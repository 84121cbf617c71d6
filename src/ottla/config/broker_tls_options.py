"""TLS: keys, certificates, protocols."""

from ottla.config.checks import no_blank_entries, one_of
from ottla.config.option import OptionSet
from ottla.config.rows import LOW, PER_BROKER, boolean_option, class_option, list_option, password_option, string_option


class BrokerTlsOptions(OptionSet):
    """Rows of BrokerOptions about TLS."""

    ssl_allow_dn_changes = boolean_option("ssl.allow.dn.changes", False, "", importance=LOW)
    ssl_allow_san_changes = boolean_option("ssl.allow.san.changes", False, "", importance=LOW)
    ssl_cipher_suites = list_option("ssl.cipher.suites", (), "", check=no_blank_entries(), update=PER_BROKER)
    ssl_client_auth = string_option(
        "ssl.client.auth", "none", "", check=one_of("required", "requested", "none"), update=PER_BROKER
    )
    ssl_enabled_protocols = list_option(
        "ssl.enabled.protocols", ("TLSv1.2", "TLSv1.3"), "", check=no_blank_entries(), update=PER_BROKER
    )
    ssl_endpoint_identification_algorithm = string_option(
        "ssl.endpoint.identification.algorithm", "https", "", importance=LOW, update=PER_BROKER
    )
    ssl_engine_factory_class = class_option("ssl.engine.factory.class", None, "", importance=LOW, update=PER_BROKER)
    ssl_key_password = password_option("ssl.key.password", "", update=PER_BROKER)
    ssl_keymanager_algorithm = string_option("ssl.keymanager.algorithm", "SunX509", "", update=PER_BROKER)
    ssl_keystore_certificate_chain = password_option("ssl.keystore.certificate.chain", "", update=PER_BROKER)
    ssl_keystore_key = password_option("ssl.keystore.key", "", update=PER_BROKER)
    ssl_keystore_location = string_option("ssl.keystore.location", None, "", update=PER_BROKER)
    ssl_keystore_password = password_option("ssl.keystore.password", "", update=PER_BROKER)
    ssl_keystore_type = string_option("ssl.keystore.type", "JKS", "", update=PER_BROKER)
    ssl_principal_mapping_rules = string_option("ssl.principal.mapping.rules", "DEFAULT", "", importance=LOW)
    ssl_protocol = string_option("ssl.protocol", "TLSv1.3", "", update=PER_BROKER)
    ssl_provider = string_option("ssl.provider", None, "", update=PER_BROKER)
    ssl_secure_random_implementation = string_option(
        "ssl.secure.random.implementation", None, "", importance=LOW, update=PER_BROKER
    )
    ssl_trustmanager_algorithm = string_option("ssl.trustmanager.algorithm", "PKIX", "", update=PER_BROKER)
    ssl_truststore_certificates = password_option("ssl.truststore.certificates", "", update=PER_BROKER)
    ssl_truststore_location = string_option("ssl.truststore.location", None, "", update=PER_BROKER)
    ssl_truststore_password = password_option("ssl.truststore.password", "", update=PER_BROKER)
    ssl_truststore_type = string_option("ssl.truststore.type", "JKS", "", update=PER_BROKER)
