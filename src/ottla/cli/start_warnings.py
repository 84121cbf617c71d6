"""What an operator should know about a configuration that starts: one sentence for each warning."""

from collections.abc import Iterator, Mapping

from ottla.cli.settings import Start
from ottla.config.broker_options import BrokerOptions
from ottla.config.environment import unknown_variables
from ottla.config.listeners import is_loopback
from ottla.config.properties import located
from ottla.config.security_settings import access_control_settings, tls_and_sasl_settings


def start_warnings(start: Start, environment: Mapping[str, str]) -> list[str]:
    found = [
        *start.options.unknown_hints(),
        *unknown_variables(environment, BrokerOptions.rows),
        *_address_limits(start.options),
        *_replication(start.options),
        *_security(start),
        *_advertised(start),
    ]
    return [located(warning, start.origins) for warning in found]


def _address_limits(options: BrokerOptions) -> Iterator[str]:
    for host in unresolved_hosts(options.max_connections_per_ip_overrides):
        yield f"max.connections.per.ip.overrides: {host} is not an address and has no effect"


def unresolved_hosts(overrides: str) -> list[str]:
    """Names are not resolved: their addresses may change, and a limit must not depend on a name server."""
    if not overrides:
        return []
    import ipaddress  # costs a few milliseconds, and few starts need it

    found: list[str] = []
    for part in overrides.split(","):
        host = part.rpartition(":")[0].strip()
        try:
            ipaddress.ip_address(host.strip("[]"))
        except ValueError:
            found.append(host)
    return found


def _replication(options: BrokerOptions) -> Iterator[str]:
    factor = options.default_replication_factor
    if factor > 1:
        yield (
            f"default.replication.factor={factor}: there is one node, so topics that are created without a replication"
            " factor, and topics created on first use, are refused; use 1"
        )


def _security(start: Start) -> Iterator[str]:
    options, plan = start.options, start.plan
    for name in access_control_settings(options):
        yield f"IGNORED: {name}={options.text_of(name)}; there is no access control"
    for listener in plan.downgraded:
        yield f"IGNORED: listeners: {listener} is served as PLAINTEXT, without {listener.protocol.value}"
    names = tls_and_sasl_settings(options)
    if names:
        yield f"no listener uses TLS or SASL; without effect: {', '.join(names)}"
    for name in plan.insecure:
        yield f"INSECURE: listener {name} can be reached by other machines without TLS or login"


def _advertised(start: Start) -> Iterator[str]:
    for listener in start.plan.listeners:
        advertised = start.plan.advertised_for(listener.name)
        if advertised is not None and is_loopback(advertised.host) and not is_loopback(listener.host):
            yield (
                f"listener {listener} is open to other machines, but advertised.listeners sends clients to"
                f" {advertised.host}, which is their own machine; set it to a name that they can resolve"
            )
