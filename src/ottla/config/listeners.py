"""Where a node listens, what it advertises to clients, and whether that is safe: checked before anything starts.

All problems come in one list. A listener that other machines can reach needs TLS and a login, or the operator's word
(`allow.insecure.listener=true`).
"""

import re
from collections.abc import Collection, Sequence
from enum import Enum
from typing import NamedTuple

from ottla.config.broker_options import BrokerOptions
from ottla.config.security_settings import IGNORE_HINT, access_control_problems
from ottla.model.errors import InvalidConfig

# Compiled when a start needs them, not when the module is loaded.
_LISTENER = r"([A-Za-z0-9_.-]+)://(\[[^\]]*\]|[^:\[\]/]*):(\d{1,5})\Z"
_VOTER = r"(\d{1,9})@(\[[^\]]+\]|[^:\[\]@]+):(\d{1,5})\Z"
_WILDCARDS = ("", "0.0.0.0", "::")
_DEFAULT_LISTENER = "PLAINTEXT://localhost:9092"


class SecurityProtocol(Enum):
    PLAINTEXT = "PLAINTEXT"
    SSL = "SSL"
    SASL_PLAINTEXT = "SASL_PLAINTEXT"
    SASL_SSL = "SASL_SSL"

    @property
    def has_tls(self) -> bool:
        return self in (SecurityProtocol.SSL, SecurityProtocol.SASL_SSL)

    @property
    def has_sasl(self) -> bool:
        return self in (SecurityProtocol.SASL_PLAINTEXT, SecurityProtocol.SASL_SSL)


class Listener(NamedTuple):
    """`host` "" means every address of the machine; `port` 0 means any free one."""

    name: str
    protocol: SecurityProtocol
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.name}://{bracketed(self.host)}:{self.port}"


class Advertised(NamedTuple):
    """The address that clients of a listener get; `port` 0 means the port the listener really got."""

    name: str
    host: str
    port: int


class Voter(NamedTuple):
    node_id: int
    host: str
    port: int


class ListenerPlan(NamedTuple):
    """What a node listens on. Controller listeners are kept apart: clients never see them."""

    listeners: tuple[Listener, ...]
    advertised: tuple[Advertised, ...]
    controller_listeners: tuple[Listener, ...]
    inter_broker_listener: str
    voters: tuple[Voter, ...]
    sasl_mechanisms: tuple[str, ...]
    #: Listeners that other machines can reach without TLS or without login: worth a banner at every start.
    insecure: tuple[str, ...]
    #: Listeners that ask for TLS or SASL and are served without, because security settings are ignored.
    downgraded: tuple[Listener, ...] = ()

    def advertised_for(self, listener_name: str) -> Advertised | None:
        return next((entry for entry in self.advertised if entry.name == listener_name), None)


def plan_listeners(
    options: BrokerOptions,
    *,
    hostname: str = "localhost",
    supported: Collection[SecurityProtocol] = (SecurityProtocol.PLAINTEXT,),
) -> ListenerPlan:
    """Raises InvalidConfig with all problems. `hostname` is advertised for listeners on all addresses.

    `supported` are the protocols the broker can speak: others are refused here, not at the first connection.
    """
    problems: list[str] = []
    protocols = _protocol_map(options, problems)
    found = _parse_listeners(options, protocols, problems)
    unsupported = tuple(listener for listener in found if listener.protocol not in supported)
    if options.ottla_ignore_security_settings:
        found = [_without_security(listener) if listener in unsupported else listener for listener in found]
    else:
        problems.extend(_unsupported_problem(listener) for listener in unsupported)
    controllers = tuple(listener for listener in found if listener.name in options.controller_listener_names)
    listeners = tuple(listener for listener in found if listener.name not in options.controller_listener_names)
    if not listeners and not problems:
        problems.append("listeners: at least one listener for clients is needed")
    advertised = _advertised(options, listeners, controllers, hostname, problems)
    _check_ports(found, problems)
    insecure = [listener for listener in found if _is_insecure(listener, options)]
    if not options.allow_insecure_listener:
        problems.extend(_insecure_problem(listener) for listener in insecure)
    inter_broker = _inter_broker_listener(options, listeners, problems)
    voters = _voters(options, problems)
    _check_roles(options, voters, problems)
    problems.extend(access_control_problems(options))
    problems.extend(unknown_own_names(options))
    if problems:
        raise InvalidConfig(problems)
    names = tuple(listener.name for listener in insecure)
    mechanisms = _mechanisms(options, found)
    return ListenerPlan(listeners, advertised, controllers, inter_broker, voters, mechanisms, names, unsupported)


def unknown_own_names(options: BrokerOptions) -> list[str]:
    """A misspelt name of Ottla's own is an error; any other unknown name may belong to a plug-in of Kafka."""
    return [hint for hint in options.unknown_hints() if hint.startswith("unknown configuration ottla.")]


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    import ipaddress  # costs a few milliseconds, and only a start needs it

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _protocol_map(options: BrokerOptions, problems: list[str]) -> dict[str, SecurityProtocol]:
    found: dict[str, SecurityProtocol] = {}
    for entry in options.listener_security_protocol_map.split(","):
        name, _, word = (part.strip() for part in entry.partition(":"))
        if word.upper() in SecurityProtocol.__members__:
            found[name.upper()] = SecurityProtocol[word.upper()]
        elif entry.strip():
            problems.append(f"listener.security.protocol.map: {entry.strip()!r} is not of the form NAME:PROTOCOL")
    if not options.is_set("listener.security.protocol.map"):
        for name in options.controller_listener_names:
            found.setdefault(name.upper(), SecurityProtocol.PLAINTEXT)
    return found


def _parse_listeners(
    options: BrokerOptions, protocols: dict[str, SecurityProtocol], problems: list[str]
) -> list[Listener]:
    texts = options.listeners if options.is_set("listeners") else (_DEFAULT_LISTENER,)
    found: list[Listener] = []
    for name, host, port in _addresses("listeners", texts, problems):
        protocol = protocols.get(name.upper())
        if protocol is None:
            problems.append(f"listeners: no security protocol for {name} in listener.security.protocol.map")
        else:
            found.append(Listener(name, protocol, host, port))
    return found


def _advertised(
    options: BrokerOptions,
    listeners: Sequence[Listener],
    controllers: Sequence[Listener],
    hostname: str,
    problems: list[str],
) -> tuple[Advertised, ...]:
    """Those for clients. Controllers may be advertised too (KIP-853; Kafka's sample file does), but not to clients."""
    if not options.advertised_listeners:
        problems.extend(
            f"listeners: {listener} cannot be advertised; set advertised.listeners to an address clients can reach"
            for listener in listeners
            if listener.host in _WILDCARDS and listener.host
        )
        return tuple(Advertised(listener.name, listener.host or hostname, listener.port) for listener in listeners)
    for_clients = [listener.name.upper() for listener in listeners]
    for_controllers = [listener.name.upper() for listener in controllers]
    found: list[Advertised] = []
    for name, host, port in _addresses("advertised.listeners", options.advertised_listeners, problems):
        if host in _WILDCARDS and host:
            problems.append(f"advertised.listeners: {name}: {host} is no address that clients can connect to")
        if name.upper() in for_clients:
            found.append(Advertised(name, host or hostname, port))
        elif name.upper() not in for_controllers:
            problems.append(f"advertised.listeners: there is no listener {name} in listeners")
    if not found and not problems:
        problems.append("advertised.listeners: none of them is for clients")
    return tuple(found)


def _addresses(setting: str, texts: Sequence[str], problems: list[str]) -> list[tuple[str, str, int]]:
    found: dict[str, tuple[str, str, int]] = {}
    for text in texts:
        match = re.match(_LISTENER, text)
        if match is None or int(match[3]) > 65535:
            problems.append(f"{setting}: {text!r} is not of the form NAME://host:port")
            continue
        if match[1].upper() in found:
            problems.append(f"{setting}: {match[1]} is listed twice")
        found[match[1].upper()] = (match[1], match[2].strip("[]"), int(match[3]))
    return list(found.values())


def _check_ports(listeners: Sequence[Listener], problems: list[str]) -> None:
    seen: dict[int, Listener] = {}
    for listener in listeners:
        other = seen.get(listener.port)
        # IPv4 and IPv6 are two doors: the same port is fine.
        if other is not None and listener.port and (":" in listener.host) == (":" in other.host):
            problems.append(f"listeners: {other.name} and {listener.name} have the same port {listener.port}")
        seen[listener.port] = listener


def _is_insecure(listener: Listener, options: BrokerOptions) -> bool:
    if is_loopback(listener.host):
        return False
    own_name = f"listener.name.{listener.name.lower()}.ssl.client.auth"
    client_auth = options.unknown.get(own_name, options.ssl_client_auth)
    has_login = listener.protocol.has_sasl or (listener.protocol.has_tls and client_auth == "required")
    return not (listener.protocol.has_tls and has_login)


def _without_security(listener: Listener) -> Listener:
    return listener._replace(protocol=SecurityProtocol.PLAINTEXT)


def _unsupported_problem(listener: Listener) -> str:
    return f"listeners: {listener} needs {listener.protocol.value}, which is not supported yet; {IGNORE_HINT}"


def _insecure_problem(listener: Listener) -> str:
    lack = "a login (SASL, or ssl.client.auth=required)" if listener.protocol.has_tls else "TLS"
    if listener.protocol is SecurityProtocol.PLAINTEXT:
        lack = "TLS and login"
    return (
        f"listeners: {listener} can be reached by other machines without {lack}; "
        "start with --insecure or --override allow.insecure.listener=true if that is wanted"
    )


def _inter_broker_listener(options: BrokerOptions, listeners: Sequence[Listener], problems: list[str]) -> str:
    name = options.inter_broker_listener_name
    if name is not None and options.is_set("security.inter.broker.protocol"):
        problems.append("only one of inter.broker.listener.name and security.inter.broker.protocol can be set")
    if name is None:
        protocol = options.security_inter_broker_protocol
        fitting = [listener.name for listener in listeners if listener.protocol.value == protocol]
        return fitting[0] if fitting else listeners[0].name if listeners else ""
    if name.upper() not in [listener.name.upper() for listener in listeners]:
        problems.append(f"inter.broker.listener.name: there is no listener {name} for clients in listeners")
    return name


def _voters(options: BrokerOptions, problems: list[str]) -> tuple[Voter, ...]:
    found: list[Voter] = []
    for text in options.controller_quorum_voters:
        match = re.match(_VOTER, text)
        if match is None or int(match[3]) > 65535:
            problems.append(f"controller.quorum.voters: {text!r} is not of the form id@host:port")
        else:
            found.append(Voter(int(match[1]), match[2].strip("[]"), int(match[3])))
    ids = [voter.node_id for voter in found]
    if len(set(ids)) != len(ids):
        problems.append("controller.quorum.voters: a node id is listed twice")
    return tuple(found)


def _check_roles(options: BrokerOptions, voters: Sequence[Voter], problems: list[str]) -> None:
    """What only a cluster of several nodes can do is refused in one clear line."""
    several = "Ottla runs as a single node for now"
    if len(voters) > 1:
        problems.append(f"controller.quorum.voters names {len(voters)} controllers; {several}: name only this node")
    elif voters and voters[0].node_id != options.node_id:
        problems.append(f"controller.quorum.voters names node {voters[0].node_id}, but node.id is {options.node_id}")
    if len(options.controller_quorum_bootstrap_servers) > 1:
        problems.append(f"controller.quorum.bootstrap.servers names several controllers; {several}")
    missing = [role for role in ("broker", "controller") if role not in options.process_roles]
    if missing:
        problems.append(f"process.roles lacks {' and '.join(missing)}; {several}: use process.roles=broker,controller")


def _mechanisms(options: BrokerOptions, listeners: Sequence[Listener]) -> tuple[str, ...]:
    """Kafka's default is Kerberos; a SASL listener without a choice gets SCRAM."""
    if not any(listener.protocol.has_sasl for listener in listeners):
        return ()
    if options.is_set("sasl.enabled.mechanisms"):
        return options.sasl_enabled_mechanisms
    return ("SCRAM-SHA-256", "SCRAM-SHA-512")


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
