"""TLS: keys, certificates, protocols."""

from ottla.config.checks import no_blank_entries, one_of
from ottla.config.option import OptionSet
from ottla.config.rows import LOW, PER_BROKER, boolean_option, class_option, list_option, password_option, string_option


class BrokerTlsOptions(OptionSet):
    """Rows of BrokerOptions about TLS."""

    ssl_allow_dn_changes = boolean_option(
        "ssl.allow.dn.changes",
        False,
        "Whether a renewed certificate may name another subject.",
        importance=LOW,
        effect=False,
    )
    ssl_allow_san_changes = boolean_option(
        "ssl.allow.san.changes",
        False,
        "Whether a renewed certificate may drop alternative names.",
        importance=LOW,
        effect=False,
    )
    ssl_cipher_suites = list_option(
        "ssl.cipher.suites",
        (),
        "Cipher suites that may be used; all safe ones when empty.",
        check=no_blank_entries(),
        update=PER_BROKER,
        effect=False,
    )
    ssl_client_auth = string_option(
        "ssl.client.auth",
        "none",
        "Whether clients must, may or need not show a certificate.",
        check=one_of("required", "requested", "none"),
        update=PER_BROKER,
        effect=False,
    )
    ssl_enabled_protocols = list_option(
        "ssl.enabled.protocols",
        ("TLSv1.2", "TLSv1.3"),
        "TLS versions that may be used.",
        check=no_blank_entries(),
        update=PER_BROKER,
        effect=False,
    )
    ssl_endpoint_identification_algorithm = string_option(
        "ssl.endpoint.identification.algorithm",
        "https",
        "How a server's name is checked against its certificate; empty switches the check off.",
        importance=LOW,
        update=PER_BROKER,
        effect=False,
    )
    ssl_engine_factory_class = class_option(
        "ssl.engine.factory.class",
        None,
        "Java class that makes TLS engines; Ottla loads no Java classes.",
        importance=LOW,
        update=PER_BROKER,
        effect=False,
    )
    ssl_key_password = password_option(
        "ssl.key.password", "Password of the private key.", update=PER_BROKER, effect=False
    )
    ssl_keymanager_algorithm = string_option(
        "ssl.keymanager.algorithm", "SunX509", "Algorithm of Java's key manager.", update=PER_BROKER, effect=False
    )
    ssl_keystore_certificate_chain = password_option(
        "ssl.keystore.certificate.chain", "The node's certificates as PEM text.", update=PER_BROKER, effect=False
    )
    ssl_keystore_key = password_option(
        "ssl.keystore.key", "The node's private key as PEM text.", update=PER_BROKER, effect=False
    )
    ssl_keystore_location = string_option(
        "ssl.keystore.location", None, "File with the node's key and certificates.", update=PER_BROKER, effect=False
    )
    ssl_keystore_password = password_option(
        "ssl.keystore.password", "Password of the key store file.", update=PER_BROKER, effect=False
    )
    ssl_keystore_type = string_option(
        "ssl.keystore.type", "JKS", "Format of the key store; Ottla reads PEM.", update=PER_BROKER, effect=False
    )
    ssl_principal_mapping_rules = string_option(
        "ssl.principal.mapping.rules",
        "DEFAULT",
        "Rules that map the subject of a client's certificate to a user name.",
        importance=LOW,
        effect=False,
    )
    ssl_protocol = string_option(
        "ssl.protocol", "TLSv1.3", "TLS version that is preferred.", update=PER_BROKER, effect=False
    )
    ssl_provider = string_option("ssl.provider", None, "Name of Java's TLS provider.", update=PER_BROKER, effect=False)
    ssl_secure_random_implementation = string_option(
        "ssl.secure.random.implementation",
        None,
        "Name of Java's random number generator for TLS.",
        importance=LOW,
        update=PER_BROKER,
        effect=False,
    )
    ssl_trustmanager_algorithm = string_option(
        "ssl.trustmanager.algorithm", "PKIX", "Algorithm of Java's trust manager.", update=PER_BROKER, effect=False
    )
    ssl_truststore_certificates = password_option(
        "ssl.truststore.certificates", "Certificates that are trusted, as PEM text.", update=PER_BROKER, effect=False
    )
    ssl_truststore_location = string_option(
        "ssl.truststore.location", None, "File with the certificates that are trusted.", update=PER_BROKER, effect=False
    )
    ssl_truststore_password = password_option(
        "ssl.truststore.password", "Password of the trust store file.", update=PER_BROKER, effect=False
    )
    ssl_truststore_type = string_option(
        "ssl.truststore.type", "JKS", "Format of the trust store; Ottla reads PEM.", update=PER_BROKER, effect=False
    )
