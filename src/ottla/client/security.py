"""From a client's settings to its network (with TLS or without) and its login."""

import logging
import re
from collections.abc import Callable

from ottla.config.client_options import ClientOptions
from ottla.config.kinds import Secret
from ottla.doors.network import Network
from ottla.doors.world import World
from ottla.model.errors import InvalidConfig
from ottla.runtime.sasl_login import SaslLogin
from ottla.security.sasl import PlainExchange, SaslExchange
from ottla.security.scram import ScramExchange

_log = logging.getLogger(__name__)
_NONCE_BYTES = 24
_JAAS_OPTION = r'(\w+)\s*=\s*"((?:[^"\\]|\\.)*)"'


def network_of(options: ClientOptions, world: World) -> Network:
    """Raises InvalidConfig when certificates cannot be read."""
    if not options.uses_tls:
        return world.network
    from ottla.runtime.tls import TlsNetwork
    from ottla.runtime.tls_context import TlsSettings, client_context

    return TlsNetwork(
        world.network,
        client_context(
            TlsSettings(
                ca_file=options.ssl_truststore_location,
                ca_text=_revealed(options.ssl_truststore_certificates),
                certificate_file=options.ssl_keystore_location,
                certificate_text=_revealed(options.ssl_keystore_certificate_chain),
                key_file=options.ssl_key_location,
                key_text=_revealed(options.ssl_keystore_key),
                key_password=_revealed(options.ssl_key_password),
                checks_host_name=options.ssl_endpoint_identification_algorithm == "https",
                ciphers=options.ssl_cipher_suites,
                versions=options.ssl_enabled_protocols,
            )
        ),
    )


def login_of(options: ClientOptions, world: World) -> SaslLogin | None:
    if not options.uses_sasl:
        return None
    username, password = credentials(options)
    mechanism = options.sasl_mechanism
    new_exchange: Callable[[], SaslExchange]
    if mechanism == "PLAIN":
        if not options.uses_tls:
            _log.warning("sasl.mechanism=PLAIN without TLS: the password is sent in the clear; use SASL_SSL or SCRAM")
        new_exchange = lambda: PlainExchange(username, password)  # noqa: E731
    else:
        new_exchange = lambda: ScramExchange(  # noqa: E731
            mechanism, username, password, world.rng.random_bytes(_NONCE_BYTES)
        )
    return SaslLogin(new_exchange, world.executor)


def credentials(options: ClientOptions) -> tuple[str, str]:
    if options.sasl_username is not None and options.sasl_password is not None:
        return options.sasl_username, options.sasl_password.reveal()
    text = _revealed(options.sasl_jaas_config) or ""
    found = {name: re.sub(r"\\(.)", r"\1", value) for name, value in re.findall(_JAAS_OPTION, text)}
    if "username" not in found or "password" not in found:
        raise InvalidConfig(['sasl.jaas.config must have username="…" and password="…"; or set sasl.username'])
    return found["username"], found["password"]


def _revealed(secret: Secret | None) -> str | None:
    return secret.reveal() if secret is not None else None
