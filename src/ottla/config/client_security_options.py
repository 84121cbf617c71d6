"""Settings of a client's TLS and SASL. What does not exist yet has no row: see `ottla.client.options`."""

from collections.abc import Iterable

from ottla.config.checks import one_of_any_case
from ottla.config.option import OptionSet
from ottla.config.rows import HIGH, LOW, list_option, password_option, string_option

#: SASL mechanisms that a client of Ottla can use.
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


class ClientSecurityOptions(OptionSet):
    """Encryption and login. Certificates and keys are PEM."""

    sasl_jaas_config = password_option(
        "sasl.jaas.config",
        "User name and password as Java writes them; `sasl.username` and `sasl.password` are simpler.",
    )
    sasl_mechanism = string_option("sasl.mechanism", "GSSAPI", f"How to log in: {', '.join(MECHANISMS)}.")
    sasl_password = password_option("sasl.password", "Password to log in with.", own=True)
    sasl_username = string_option("sasl.username", None, "User name to log in with.", own=True)
    security_protocol = string_option(
        "security.protocol",
        "PLAINTEXT",
        "Whether connections are encrypted and need a login.",
        check=one_of_any_case("SASL_SSL", "PLAINTEXT", "SSL", "SASL_PLAINTEXT"),
    )
    ssl_cipher_suites = list_option(
        "ssl.cipher.suites", (), "Ciphers of TLS 1.2, with OpenSSL's names; empty: its defaults.", importance=LOW
    )
    ssl_enabled_protocols = list_option("ssl.enabled.protocols", ("TLSv1.2", "TLSv1.3"), "Versions of TLS.")
    ssl_endpoint_identification_algorithm = string_option(
        "ssl.endpoint.identification.algorithm",
        "https",
        "`https` checks that the certificate is for the host; empty does not.",
        importance=LOW,
    )
    ssl_key_location = string_option(
        "ssl.key.location", None, "PEM file with the private key, if not in `ssl.keystore.location`.", own=True
    )
    ssl_key_password = password_option("ssl.key.password", "Password of the private key.", importance=HIGH)
    ssl_keystore_certificate_chain = password_option(
        "ssl.keystore.certificate.chain", "The client's certificate and its chain as PEM text.", importance=HIGH
    )
    ssl_keystore_key = password_option("ssl.keystore.key", "The client's private key as PEM text.", importance=HIGH)
    ssl_keystore_location = string_option(
        "ssl.keystore.location", None, "PEM file with the client's certificate, chain and private key.", importance=HIGH
    )
    ssl_keystore_type = string_option("ssl.keystore.type", "PEM", "PEM is the only type.")
    ssl_truststore_certificates = password_option(
        "ssl.truststore.certificates", "Certificates of the trusted CAs as PEM text.", importance=HIGH
    )
    ssl_truststore_location = string_option(
        "ssl.truststore.location", None, "PEM file with the trusted CAs; unset: those of the system.", importance=HIGH
    )
    ssl_truststore_type = string_option("ssl.truststore.type", "PEM", "PEM is the only type.")

    @property
    def uses_tls(self) -> bool:
        return self.security_protocol.upper() in ("SSL", "SASL_SSL")

    @property
    def uses_sasl(self) -> bool:
        return self.security_protocol.upper().startswith("SASL_")

    def _contradictions(self) -> Iterable[str]:
        for name in ("ssl.keystore.type", "ssl.truststore.type"):
            if self.value_of(name) != "PEM":
                yield (
                    f"{name}={self.value_of(name)}: only PEM is supported; convert it with "
                    "`keytool -importkeystore -deststoretype PKCS12` and `openssl pkcs12`"
                )
        if self.uses_sasl:
            yield from self._login_problems()

    def _login_problems(self) -> Iterable[str]:
        if self.sasl_mechanism not in MECHANISMS:
            yield f"sasl.mechanism={self.sasl_mechanism}: not supported; use one of {', '.join(MECHANISMS)}"
        if self.sasl_jaas_config is None and (self.sasl_username is None or self.sasl_password is None):
            yield (
                f"security.protocol={self.security_protocol} needs sasl.username and sasl.password "
                "(or sasl.jaas.config)"
            )
