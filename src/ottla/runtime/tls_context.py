"""From the files and texts of a configuration to the TLS context of a client.

PEM only: Java's keystores are read by Java alone. Certificates and host names are always checked; there is no switch
that turns the check of certificates off.
"""

import os
import ssl
import tempfile
from typing import NamedTuple

from ottla.model.errors import InvalidConfig

_VERSIONS = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}


class TlsSettings(NamedTuple):
    """Certificates and keys as files, or as texts; a text wins."""

    ca_file: str | None = None
    ca_text: str | None = None
    certificate_file: str | None = None
    certificate_text: str | None = None
    key_file: str | None = None
    key_text: str | None = None
    key_password: str | None = None
    checks_host_name: bool = True
    ciphers: tuple[str, ...] = ()
    versions: tuple[str, ...] = ("TLSv1.2", "TLSv1.3")


def client_context(settings: TlsSettings) -> ssl.SSLContext:
    """Raises InvalidConfig. Without a CA the ones of the system are trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = settings.checks_host_name
    chosen = [_VERSIONS[name] for name in settings.versions if name in _VERSIONS]
    if not chosen:
        raise InvalidConfig([f"ssl.enabled.protocols={','.join(settings.versions)}: use TLSv1.2, TLSv1.3 or both"])
    context.minimum_version, context.maximum_version = min(chosen), max(chosen)
    if settings.ciphers:
        _set_ciphers(context, settings.ciphers)
    if settings.ca_file or settings.ca_text:
        _load_ca(context, settings)
    else:
        context.load_default_certs()
    if settings.certificate_file or settings.certificate_text:
        _load_certificate(context, settings)
    return context


def _set_ciphers(context: ssl.SSLContext, ciphers: tuple[str, ...]) -> None:
    try:
        context.set_ciphers(":".join(ciphers))
    except ssl.SSLError as error:
        raise InvalidConfig(
            [f"ssl.cipher.suites={','.join(ciphers)}: {error}; use the names that `openssl ciphers` prints"]
        ) from error


def _load_ca(context: ssl.SSLContext, settings: TlsSettings) -> None:
    source = "ssl.truststore.certificates" if settings.ca_text else f"ssl.truststore.location={settings.ca_file}"
    try:
        if settings.ca_text:
            context.load_verify_locations(cadata=settings.ca_text)
        else:
            context.load_verify_locations(cafile=settings.ca_file)
    except (OSError, ValueError) as error:
        raise InvalidConfig([_pem_problem(source, error)]) from error


def _load_certificate(context: ssl.SSLContext, settings: TlsSettings) -> None:
    def password() -> str:
        # Without it OpenSSL would ask on the terminal.
        return settings.key_password or ""

    if settings.certificate_text:
        _load_certificate_text(context, settings, password)
        return
    try:
        context.load_cert_chain(settings.certificate_file or "", settings.key_file, password)
    except (OSError, ValueError) as error:
        raise InvalidConfig([_pem_problem(f"ssl.keystore.location={settings.certificate_file}", error)]) from error


def _load_certificate_text(context: ssl.SSLContext, settings: TlsSettings, password: object) -> None:
    """Python's ssl reads certificates of our own from files only."""
    descriptor, path = tempfile.mkstemp(prefix="ottla-", suffix=".pem")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{settings.key_text or ''}\n{settings.certificate_text}\n")
        context.load_cert_chain(path, None, password)  # type: ignore[arg-type]
    except (OSError, ValueError) as error:
        raise InvalidConfig([_pem_problem("ssl.keystore.certificate.chain", error)]) from error
    finally:
        os.unlink(path)


def _pem_problem(source: str, error: Exception) -> str:
    return (
        f"{source} cannot be read: {error}; it must be PEM. "
        "Convert a Java keystore with `keytool -importkeystore -deststoretype PKCS12` and `openssl pkcs12`"
    )
