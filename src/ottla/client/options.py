"""From what a caller passes to an option set: Java names, Python names, librdkafka's names, real values and texts.

A name that is unknown, or known to Kafka but not supported here, is InvalidConfig with what to do instead. Nothing is
ignored in silence except settings whose reference says "no effect".
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ottla.config.admin_options import AdminOptions
from ottla.config.client_options import ClientOptions
from ottla.config.kinds import Secret
from ottla.config.option import Option
from ottla.model.errors import InvalidConfig

O = TypeVar("O", bound=ClientOptions)  # noqa: E741

#: librdkafka's name -> Kafka's.
ALIASES = {
    "auto.commit.enable": "enable.auto.commit",
    "bootstrap.brokers": "bootstrap.servers",
    "compression.codec": "compression.type",
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "max.in.flight": "max.in.flight.requests.per.connection",
    "message.max.bytes": "max.request.size",
    "message.send.max.retries": "retries",
    "message.timeout.ms": "delivery.timeout.ms",
    "metadata.broker.list": "bootstrap.servers",
    "partitioner": "partitioner.class",
    "queue.buffering.max.kbytes": "buffer.memory",
    "queue.buffering.max.ms": "linger.ms",
    "request.required.acks": "acks",
    "sasl.mechanisms": "sasl.mechanism",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
    "socket.send.buffer.bytes": "send.buffer.bytes",
    "socket.timeout.ms": "request.timeout.ms",
    "ssl.ca.location": "ssl.truststore.location",
    "ssl.ca.pem": "ssl.truststore.certificates",
    "ssl.certificate.location": "ssl.keystore.location",
    "ssl.certificate.pem": "ssl.keystore.certificate.chain",
    "ssl.key.pem": "ssl.keystore.key",
    "topic.metadata.refresh.interval.ms": "metadata.max.age.ms",
}
#: Words of librdkafka for values of Kafka's, by Kafka's name of the setting.
VALUE_ALIASES = {
    "auto.offset.reset": {
        "smallest": "earliest",
        "beginning": "earliest",
        "largest": "latest",
        "end": "latest",
        "error": "none",
    },
}
_KIB = {"queue.buffering.max.kbytes"}

#: Names, or their beginnings with a `*`, that Kafka or librdkafka has and Ottla's client has not: what to do instead.
UNSUPPORTED = {
    "config.providers": "resolve secrets before you create the client",
    "enable.partition.eof": "compare positions with `end_offsets`",
    "enable.ssl.certificate.verification": "certificates are always checked; set ssl.truststore.location",
    "internal.throw.on.fetch.stable.offset.unsupported": "leave it out",
    "queue.buffering.max.messages": "memory is limited in bytes: set buffer.memory",
    "sasl.client.callback.handler.class": "set sasl.username and sasl.password",
    "sasl.kerberos.*": "Kerberos is not supported; use SCRAM-SHA-512",
    "sasl.login.*": "set sasl.username and sasl.password",
    "sasl.oauthbearer.*": "OAUTHBEARER is not supported yet; use SCRAM-SHA-512",
    "security.providers": "TLS comes from OpenSSL; leave it out",
    "share.*": "share consumers are not supported yet; use a consumer group",
    "ssl.engine.factory.class": "TLS comes from OpenSSL; leave it out",
    "ssl.keymanager.algorithm": "TLS comes from OpenSSL; leave it out",
    "ssl.keystore.password": "PEM files have no store password; for an encrypted key set ssl.key.password",
    "ssl.protocol": "set ssl.enabled.protocols",
    "ssl.provider": "TLS comes from OpenSSL; leave it out",
    "ssl.secure.random.implementation": "TLS comes from OpenSSL; leave it out",
    "ssl.trustmanager.algorithm": "TLS comes from OpenSSL; leave it out",
    "ssl.truststore.password": "PEM files have no store password; leave it out",
    "transaction.two.phase.commit.enable": "two-phase commit is not stable in Kafka yet; leave it out",
}


def read_options(
    table: type[O], config: Mapping[str, Any] | None, keywords: Mapping[str, Any], *, objects: Iterable[str] = ()
) -> tuple[O, dict[str, Any]]:
    """The option set, and the values that are no text: `objects` are the names that may have such (a serializer).

    Raises InvalidConfig with every problem at once.
    """
    problems: list[str] = []
    texts: dict[str, str] = {}
    values: dict[str, Any] = {}
    given_as: dict[str, str] = {}
    for given, value in [*(config or {}).items(), *keywords.items()]:
        name, problem = _kafka_name(table, given)
        if problem is None and name in given_as:
            problem = f"{given}={value!r}: {name} was already given as {given_as[name]}"
        if problem is not None:
            problems.append(problem)
            continue
        given_as[name] = given
        if value is None:
            continue
        if name in objects and not isinstance(value, str):
            values[name] = value
            continue
        try:
            texts[name] = _text(table.rows[name], given, value)
        except ValueError as error:
            problems.append(str(error))
    try:
        options = table(texts)
    except InvalidConfig as error:
        problems += error.problems
        raise InvalidConfig(problems) from None
    problems += _server_problems(options)
    if problems:
        raise InvalidConfig(problems)
    return options, values


def settings_for(
    table: type[ClientOptions], config: Mapping[str, Any] | None, keywords: Mapping[str, Any], *, without: Iterable[str]
) -> dict[str, Any]:
    """Those of another client's settings that `table` has too; `without` has Kafka's names."""
    found: dict[str, Any] = {}
    for given, value in [*(config or {}).items(), *keywords.items()]:
        name, problem = _kafka_name(table, given)
        if problem is None and name not in without:
            found[given] = value
    return found


def _kafka_name(table: type[ClientOptions], given: str) -> tuple[str, str | None]:
    """Kafka's name of a setting, or what is wrong with it."""
    dotted = given if given in table.rows else given.replace("_", ".")
    name = ALIASES.get(dotted, dotted)
    if name in table.rows:
        return name, None
    for pattern, advice in UNSUPPORTED.items():
        if name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1])):
            return name, f"{given}: not supported; {advice}"
    known = [*table.rows, *ALIASES]
    return name, f"unknown configuration {given}{_nearest(name, known)}"


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches  # only a mistake needs it

    near = get_close_matches(name, list(known), n=1, cutoff=0.75)
    return f"; did you mean {near[0]}?" if near else "; see docs/reference/configs.md"


def _text(row: Option[Any], given: str, value: object) -> str:
    if given.replace("_", ".") in _KIB:
        return str(int(str(value)) * 1024)
    if isinstance(value, Secret):
        return value.reveal()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and row.kind.name in ("INT", "LONG", "SHORT"):
        return str(int(value))
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(str(item) for item in value)
    if isinstance(value, str | int | float):
        text = str(value)
        return VALUE_ALIASES.get(row.name, {}).get(text, text)
    shown = "[hidden]" if row.sensitive else repr(value)
    raise ValueError(f"{given}={shown}: a {type(value).__name__} cannot be a {row.kind.name.lower()}")


def controllers_of(options: ClientOptions) -> tuple[str, ...]:
    """Controllers to ask instead of brokers; empty for all clients but an admin client that names some."""
    return options.bootstrap_controllers if isinstance(options, AdminOptions) else ()


def _server_problems(options: ClientOptions) -> list[str]:
    controllers = controllers_of(options)
    if controllers and options.bootstrap_servers:
        return ["bootstrap.servers and bootstrap.controllers: give one of them"]
    if not controllers and not options.bootstrap_servers:
        return ["bootstrap.servers is missing: give host:port of one or more brokers"]
    name = "bootstrap.controllers" if controllers else "bootstrap.servers"
    given = controllers or options.bootstrap_servers
    return [f"{name}={server}: must be host:port" for server in given if not _is_address(server)]


def _is_address(server: str) -> bool:
    host, colon, port = server.rpartition(":")
    return bool(host and colon) and port.isascii() and port.isdigit() and 0 < int(port) < 65536
