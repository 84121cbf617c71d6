"""Settings that restrict access in Kafka and that Ottla does not implement yet.

A start that accepts them would serve everybody what the operator wants to protect: it is refused, unless
`ottla.ignore.security.settings` is set. TLS and SASL settings that no listener uses restrict nothing; they are
only reported.
"""

from ottla.config.broker_options import BrokerOptions, base_row

IGNORE_HINT = "start with --ignore-security-settings to run without it"
_ACCESS_CONTROL = ("authorizer.class.name", "super.users", "principal.builder.class")
_PREFIXES = ("ssl.", "sasl.")


def access_control_settings(options: BrokerOptions) -> list[str]:
    """Those that are set, and not to their default."""
    return [
        name
        for name in _ACCESS_CONTROL
        if options.is_set(name) and options.value_of(name) != BrokerOptions.rows[name].default
    ]


def access_control_problems(options: BrokerOptions) -> list[str]:
    if options.ottla_ignore_security_settings:
        return []
    return [
        f"{name}={options.text_of(name)}: access control is not supported yet, and everybody could read and write"
        f" everything; remove the setting, or {IGNORE_HINT}"
        for name in access_control_settings(options)
    ]


def tls_and_sasl_settings(options: BrokerOptions) -> list[str]:
    """Those that are set, for all listeners or for a single one."""
    return sorted(name for name in (*options.given, *options.unknown) if _is_tls_or_sasl(name))


def _is_tls_or_sasl(name: str) -> bool:
    row = base_row(name)
    return row is not None and row.name.startswith(_PREFIXES)
