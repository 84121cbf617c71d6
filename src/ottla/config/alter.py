"""The rules of AlterConfigs and IncrementalAlterConfigs: old overrides + changes -> what to write, or a refusal.

Pure: nothing here knows where overrides are kept. Results map a name to its new text, or to None when the override goes
away; names that keep their text are left out. Codes and messages are those of Apache Kafka 4.3: wrong topic and group
values are INVALID_CONFIG, wrong broker values INVALID_REQUEST.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ottla.config.broker_options import BrokerOptions, base_row
from ottla.config.client_metrics_options import ClientMetricsOptions
from ottla.config.group_options import GroupOptions
from ottla.config.kinds import Kind, Update, parse_int
from ottla.config.option import OptionSet
from ottla.config.sources import BrokerLayers
from ottla.config.topic_options import TopicOptions
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import InvalidConfig, Refused

#: Name -> new text, or None: the override is removed.
Written: TypeAlias = dict[str, str | None]

LOG_LEVELS = ("DEBUG", "ERROR", "FATAL", "INFO", "TRACE", "WARN")
ROOT_LOGGER = "root"
_PER_LISTENER_ONLY = frozenset(
    {
        "ssl.keystore.type",
        "ssl.keystore.location",
        "ssl.keystore.password",
        "ssl.keystore.key",
        "ssl.keystore.certificate.chain",
        "ssl.key.password",
        "ssl.truststore.type",
        "ssl.truststore.location",
        "ssl.truststore.password",
        "ssl.truststore.certificates",
    }
)
_CLASS_LISTS = frozenset({"metric.reporters"})
_POOL_SIZES = (
    "background.threads",
    "log.cleaner.threads",
    "num.io.threads",
    "num.network.threads",
    "num.recovery.threads.per.data.dir",
    "num.replica.fetchers",
)
_CLIENT_LABELS = (
    "client_instance_id",
    "client_id",
    "client_software_name",
    "client_software_version",
    "client_source_address",
    "client_source_port",
)


class Operation(IntEnum):
    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


class Change(NamedTuple):
    """One entry of an IncrementalAlterConfigs request; `operation` is the number on the wire."""

    name: str
    operation: int
    value: str | None


def alter_topic(overrides: Mapping[str, str], changes: Sequence[Change], layers: BrokerLayers) -> Written:
    """Raises Refused. Whether the topic exists is the caller's question."""
    written = merge(overrides, changes, TopicOptions)
    check_topic_overrides(after(overrides, written), layers)
    return written


def alter_group(overrides: Mapping[str, str], changes: Sequence[Change], layers: BrokerLayers) -> Written:
    written = merge(overrides, changes, GroupOptions)
    check_group_overrides(after(overrides, written), layers)
    return written


def alter_client_metrics(overrides: Mapping[str, str], changes: Sequence[Change]) -> Written:
    # Kafka does not know these as lists when it changes them: SET and DELETE only.
    written = merge(overrides, changes, None)
    check_client_metrics(after(overrides, written))
    return written


def alter_broker(
    overrides: Mapping[str, str], changes: Sequence[Change], static: BrokerOptions, *, whole_cluster: bool
) -> Written:
    """`overrides` are the dynamic ones of this broker; with `whole_cluster` (resource name "") the cluster's."""
    written = merge(overrides, changes, BrokerOptions)
    merged = after(overrides, written)
    # What goes away is not looked at, so that anything can be put right.
    given = [change.name for change in changes if change.name in merged]
    check_broker_overrides(given, merged, static, whole_cluster)
    current, _ = BrokerOptions.lenient({**static.given, **overrides})
    _check_leaps(written, current)
    return written


def alter_loggers(changes: Sequence[Change], known: Iterable[str]) -> Written:
    """Logger name -> level, or None: back to what its parent has."""
    _check_shape(changes)
    names = frozenset(known)
    written: Written = {}
    for name, operation, value in changes:
        if operation in (Operation.APPEND, Operation.SUBTRACT):
            word = Operation(operation).name
            raise Refused(ErrorCode.INVALID_REQUEST, f"{word} operation is not allowed for the BROKER_LOGGER resource")
        if name != ROOT_LOGGER and name not in names:
            raise Refused(ErrorCode.INVALID_CONFIG, f"Logger {name} does not exist!")
        if operation == Operation.DELETE and name == ROOT_LOGGER:
            raise Refused(ErrorCode.INVALID_REQUEST, "Removing the log level of the root logger is not allowed")
        if operation == Operation.SET and value not in LOG_LEVELS:
            reason = f"Cannot set the log level of {name} to {value} as it is not a supported log level."
            raise Refused(ErrorCode.INVALID_CONFIG, f"{reason} Valid log levels are {', '.join(LOG_LEVELS)}")
        written[name] = value if operation == Operation.SET else None
    return written


def replacement(overrides: Mapping[str, str], entries: Sequence[tuple[str, str | None]]) -> list[Change]:
    """AlterConfigs as changes: what is named is set, every other override goes away. A null value is refused later."""
    named = {name for name, _ in entries}
    sets = [Change(name, Operation.SET, value) for name, value in entries]
    return sets + [Change(name, Operation.DELETE, None) for name in sorted(overrides) if name not in named]


def after(overrides: Mapping[str, str], written: Written) -> dict[str, str]:
    """The overrides once `written` is applied."""
    merged: dict[str, str | None] = {**overrides, **written}
    return {name: text for name, text in merged.items() if text is not None}


def merge(overrides: Mapping[str, str], changes: Sequence[Change], table: type[OptionSet] | None) -> Written:
    """Applies SET, DELETE, APPEND and SUBTRACT without judging the values."""
    _check_shape(changes)
    written: Written = {}
    for change in changes:
        text = _new_text(change, overrides.get(change.name), table)
        if text != overrides.get(change.name):
            written[change.name] = text
    return written


def broker_resource(name: str, node_id: int, *, what: str = "broker") -> bool:
    """True for this broker, False for the cluster (""). Raises Refused for anything else."""
    if name == "" and what == "broker":
        return False
    if not name.isascii() or not name.isdigit():
        raise Refused(ErrorCode.INVALID_REQUEST, f"Node id must be an integer, but it is: {name}")
    if int(name) != node_id:
        raise Refused(ErrorCode.INVALID_REQUEST, f"Unexpected {what} id, expected {node_id}, but received {name}")
    return True


# -- validation of whole sets of overrides


def check_topic_overrides(overrides: Mapping[str, str], layers: BrokerLayers) -> None:
    """Also for CreateTopics. Raises Refused(INVALID_CONFIG)."""
    for name in overrides:
        if name not in TopicOptions.rows:
            raise Refused(ErrorCode.INVALID_CONFIG, f"Unknown topic config name: {name}")
    problems = layers.topic_problems(overrides)
    if problems:
        raise Refused(ErrorCode.INVALID_CONFIG, "; ".join(problems))
    if layers.topic_options(overrides).remote_storage_enable:
        reason = "Tiered Storage functionality is disabled in the broker."
        raise Refused(ErrorCode.INVALID_CONFIG, f"{reason} Topic cannot be configured with remote log storage.")


def check_group_overrides(overrides: Mapping[str, str], layers: BrokerLayers) -> None:
    for name in overrides:
        if name not in GroupOptions.rows:
            raise Refused(ErrorCode.INVALID_CONFIG, f"Unknown group config name: {name}")
    problems = layers.group_problems(overrides)
    if problems:
        raise Refused(ErrorCode.INVALID_CONFIG, "; ".join(problems))
    options = layers.group_options(overrides)
    for name in overrides:
        _check_group_bounds(name, options.value_of(name), layers.options)
    for kind in ("consumer", "share", "streams"):
        _check_group_session(kind, options)


def check_client_metrics(overrides: Mapping[str, str]) -> None:
    for name in overrides:
        if name not in ClientMetricsOptions.rows:
            raise Refused(ErrorCode.INVALID_REQUEST, f"Unknown client metrics configuration: {name}")
    text = overrides.get("interval.ms")
    try:
        if text is not None:
            parse_int(text)
    except ValueError as error:
        raise Refused(
            ErrorCode.INVALID_CONFIG, f"Invalid value {text} for configuration interval.ms: {error}"
        ) from None
    try:
        options = ClientMetricsOptions(overrides)
    except InvalidConfig:
        reason = f"Invalid value {text} for interval.ms, interval must be between 100 and 3600000 (1 hour)"
        raise Refused(ErrorCode.INVALID_REQUEST, reason) from None
    for pattern in options.match:
        if not _is_client_pattern(pattern):
            raise Refused(ErrorCode.INVALID_CONFIG, f"Illegal client matching pattern: {pattern}")


def check_broker_overrides(
    changed: Iterable[str], overrides: Mapping[str, str], static: BrokerOptions, whole_cluster: bool
) -> None:
    """Unknown names pass, as in Kafka: a plug-in might know them."""
    rows = [(name, row) for name in sorted(changed) if (row := base_row(name)) is not None]
    fixed = [name for name, row in rows if row.update is Update.READ_ONLY]
    if fixed:
        raise Refused(ErrorCode.INVALID_REQUEST, f"Cannot update these configs dynamically: [{', '.join(fixed)}]")
    bare = [name for name, _ in rows if name in _PER_LISTENER_ONLY]
    if bare:
        reason = "These security configs can be dynamically updated only per-listener using the listener prefix:"
        raise Refused(ErrorCode.INVALID_REQUEST, f"{reason} [{', '.join(bare)}]")
    _check_classes([name for name, _ in rows], overrides)
    local = [name for name, row in rows if row.update is Update.PER_BROKER or row.name != name]
    if local and whole_cluster:
        reason = "Cannot update these configs at default cluster level, broker id must be specified:"
        raise Refused(ErrorCode.INVALID_REQUEST, f"{reason} [{', '.join(local)}]")
    try:
        static.with_changes(overrides)
    except InvalidConfig as error:
        raise Refused(ErrorCode.INVALID_REQUEST, str(error)) from None
    if any(name == "listeners" for name, _ in rows):
        _check_listeners(overrides["listeners"], static)


def _check_classes(changed: Iterable[str], overrides: Mapping[str, str]) -> None:
    """Java classes cannot be loaded: only what is there anyway may be named."""
    for name in changed:
        row = BrokerOptions.rows.get(name)
        if row is None or name not in overrides or (row.kind is not Kind.CLASS and name not in _CLASS_LISTS):
            continue
        if row.parse(overrides[name]) != row.default:
            reason = f"Invalid value {overrides[name]} for configuration {name}: Class could not be found."
            raise Refused(ErrorCode.INVALID_REQUEST, reason)


def _check_listeners(text: str, static: BrokerOptions) -> None:
    """Kafka opens and closes listeners while it runs, Ottla does not: it refuses such a change."""
    if BrokerOptions.rows["listeners"].parse(text) != static.listeners:
        raise Refused(ErrorCode.INVALID_REQUEST, "listeners cannot be changed while the broker runs")


def _check_leaps(written: Written, current: BrokerOptions) -> None:
    """Kafka resizes its pools in steps: at most to the double, at least to the half."""
    for name in _POOL_SIZES:
        text, size = written.get(name), current.value_of(name)
        if text is None or not isinstance(size, int):
            continue
        wanted = BrokerOptions.rows[name].parse(text)
        limit = f"greater than double the current value {size}" if wanted > 2 * size else ""
        if wanted < size // 2:
            limit = f"less than half the current value {size}"
        if limit:
            raise Refused(ErrorCode.INVALID_REQUEST, f"{name}={text}: value should not be {limit}")


def _check_shape(changes: Sequence[Change]) -> None:
    names = [change.name for change in changes]
    if len(dict.fromkeys(names)) != len(names):
        raise Refused(ErrorCode.INVALID_REQUEST, "Error due to duplicate config keys")
    empty = [change.name for change in changes if change.value is None and change.operation != Operation.DELETE]
    if empty:
        raise Refused(ErrorCode.INVALID_REQUEST, f"Null value not supported for : {','.join(empty)}")
    strange = [change.operation for change in changes if change.operation not in (0, 1, 2, 3)]
    if strange:
        raise Refused(ErrorCode.UNKNOWN_SERVER_ERROR, f"Unknown operation {strange[0]}")


def _new_text(change: Change, old: str | None, table: type[OptionSet] | None) -> str | None:
    if change.operation == Operation.DELETE:
        return None
    value = change.value or ""
    if change.operation == Operation.SET:
        return value
    parts = _old_parts(change, old, table)
    named = [part.strip() for part in value.split(",")]
    if change.operation == Operation.APPEND:
        return ",".join(parts + [part for part in named if part not in parts])
    return ",".join(part for part in parts if part not in named)


def _old_parts(change: Change, old: str | None, table: type[OptionSet] | None) -> list[str]:
    """The list an APPEND or SUBTRACT works on: the override, else the setting's default."""
    row = None if table is None else table.rows.get(change.name)
    if row is None and table is BrokerOptions:
        raise Refused(ErrorCode.INVALID_CONFIG, f"Unknown config name: {change.name}")
    if row is None or row.kind is not Kind.LIST:
        word = Operation(change.operation).name
        raise Refused(ErrorCode.INVALID_CONFIG, f"Can't {word} to key {change.name} because its type is not LIST.")
    text = old if old is not None else row.default_text or ""
    return [part.strip() for part in text.split(",") if part.strip()]


def _check_group_bounds(name: str, value: object, broker: BrokerOptions) -> None:
    """group.consumer.min.session.timeout.ms and its like bound what a group may ask for."""
    kind, _, setting = name.partition(".")
    bounds = (("min", "greater"), ("max", "less"))
    for bound, word in bounds:
        # Kafka calls it max.standby.replicas, without the "num" of the setting itself.
        limit_name = f"group.{kind}.{bound}.{setting.removeprefix('num.')}"
        if limit_name not in broker.rows or not isinstance(value, int):
            continue
        limit = broker.value_of(limit_name)
        if not isinstance(limit, int) or (value >= limit if bound == "min" else value <= limit):
            continue
        raise Refused(ErrorCode.INVALID_CONFIG, f"{name} must be {word} than or equal to {limit_name}")


def _check_group_session(kind: str, options: GroupOptions) -> None:
    session, heartbeat = f"{kind}.session.timeout.ms", f"{kind}.heartbeat.interval.ms"
    timeout_ms, interval_ms = options.value_of(session), options.value_of(heartbeat)
    if isinstance(timeout_ms, int) and isinstance(interval_ms, int) and timeout_ms <= interval_ms:
        raise Refused(ErrorCode.INVALID_CONFIG, f"{session} must be greater than {heartbeat}")


def _is_client_pattern(pattern: str) -> bool:
    label, separator, expression = pattern.partition("=")
    if not separator or label.strip() not in _CLIENT_LABELS:
        return False
    import re2  # only this needs it: patterns come from clients and must match in linear time

    quiet = re2.Options()
    quiet.log_errors = False
    try:
        re2.compile(expression.strip(), options=quiet)
    except re2.error:
        return False
    return True
