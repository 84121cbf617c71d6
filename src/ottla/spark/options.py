"""The options of `format("ottla")`: those of Spark's own Kafka source and sink, and a few more.

Spark passes option names in lower case. An unknown option is an error with a suggestion; `kafka.*` goes to the client,
which checks it. What a read or a write does with its options is in `ReadOptions` and `WriteOptions`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from ottla.client.options import ALIASES, read_options
from ottla.config.admin_options import AdminOptions
from ottla.config.client_options import ClientOptions
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition

C = TypeVar("C", bound=ClientOptions)

#: Accepted for jobs that were written for Spark's connector: there is nothing here that they could change.
_WITHOUT_EFFECT: Final = (
    "groupIdPrefix",
    "fetchOffset.numRetries",
    "fetchOffset.retryIntervalMs",
    "kafkaConsumer.pollTimeoutMs",
)
READ_OPTIONS: Final = (
    "subscribe",
    "subscribePattern",
    "assign",
    "startingOffsets",
    "endingOffsets",
    "startingTimestamp",
    "endingTimestamp",
    "startingOffsetsByTimestamp",
    "endingOffsetsByTimestamp",
    "startingOffsetsByTimestampStrategy",
    "maxOffsetsPerTrigger",
    "minOffsetsPerTrigger",
    "maxTriggerDelay",
    "minPartitions",
    "maxRecordsPerPartition",
    "splitLargeRanges",
    "failOnDataLoss",
    "includeHeaders",
    "decode",
    "decodeErrors",
    "groupId",
    *_WITHOUT_EFFECT,
)
WRITE_OPTIONS: Final = ("topic", "guarantee", "queryId", "batchId")
#: Spark's own, which it hands on to every sink.
_OF_SPARK: Final = ("checkpointLocation", "queryName")
_KNOWN: Final = {name.lower(): name for name in (*READ_OPTIONS, *WRITE_OPTIONS, *_OF_SPARK)}
_PREFIX: Final = "kafka."
#: Settings of clients that the source decides itself: what to set instead.
_DECIDED: Final = {
    "auto.offset.reset": "set startingOffsets",
    "enable.auto.commit": "offsets are kept in Spark's checkpoint; set groupId to publish them",
    "interceptor.classes": "records pass as columns; change them in Spark",
    "key.deserializer": "columns are bytes; cast them in Spark, or set decode",
    "key.serializer": "cast the column in Spark",
    "value.deserializer": "columns are bytes; cast them in Spark, or set decode",
    "value.serializer": "cast the column in Spark",
    "transactional.id": "the sink chooses it",
    "enable.idempotence": "the sink decides it: set guarantee",
}
_FLAGS: Final = {"true": True, "false": False}
_DURATION: Final = re.compile(r"(\d+)\s*(ms|s|m|min|h|d)?\Z")
#: As in Spark, a number without a unit is in milliseconds.
_UNITS_MS: Final = {None: 1, "ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


class GivenOptions:
    """What the user has set. Every method raises InvalidConfig that names the option, its value and the rule."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._values = {name.lower(): value for name, value in options.items()}
        problems = [_unknown(name) for name in self._values if name not in _KNOWN and not name.startswith(_PREFIX)]
        problems += [
            f"{_PREFIX}{name} is not supported here: {advice}"
            for name, advice in _DECIDED.items()
            if _PREFIX + name in self._values
        ]
        if problems:
            raise InvalidConfig(problems)

    def text(self, name: str) -> str | None:
        return self._values.get(name.lower())

    def one_of(self, name: str, choices: Iterable[str], default: str) -> str:
        value = (self.text(name) or default).strip().lower()
        allowed = list(choices)
        if value not in allowed:
            raise InvalidConfig([f"{name}={value}: must be one of {', '.join(allowed)}"])
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name)
        if value is None:
            return default
        if value.strip().lower() not in _FLAGS:
            raise InvalidConfig([f"{name}={value}: must be true or false"])
        return _FLAGS[value.strip().lower()]

    def whole(self, name: str, *, at_least: int) -> int | None:
        value = self.text(name)
        if value is None:
            return None
        if not re.fullmatch(r"-?\d+", value.strip()) or int(value) < at_least:
            raise InvalidConfig([f"{name}={value}: must be a whole number, {at_least} or more"])
        return int(value)

    def duration_ms(self, name: str, default_ms: int) -> int:
        value = self.text(name)
        if value is None:
            return default_ms
        found = _DURATION.match(value.strip().lower())
        if found is None:
            raise InvalidConfig([f"{name}={value}: must be a duration such as 500ms, 30s or 15m"])
        return int(found[1]) * _UNITS_MS[found[2]]

    def numbers_by_partition(self, name: str) -> dict[TopicPartition, int] | None:
        """JSON as Spark writes it: {"orders": {"0": 23, "1": -1}}."""
        value = self.text(name)
        if value is None:
            return None
        example = f'{name}={value}: must be JSON such as {{"orders": {{"0": 23, "1": 42}}}}'
        try:
            parsed = json.loads(value)
            return {
                TopicPartition(topic, int(number)): int(offset)
                for topic, numbers in parsed.items()
                for number, offset in numbers.items()
            }
        except (ValueError, AttributeError, TypeError) as error:
            raise InvalidConfig([example]) from error

    def partitions_json(self, name: str) -> list[TopicPartition] | None:
        """JSON as Spark writes it: {"orders": [0, 1]}."""
        value = self.text(name)
        if value is None:
            return None
        try:
            parsed = json.loads(value)
            return sorted(TopicPartition(topic, int(n)) for topic, numbers in parsed.items() for n in numbers)
        except (ValueError, AttributeError, TypeError) as error:
            raise InvalidConfig([f'{name}={value}: must be JSON such as {{"orders": [0, 1]}}']) from error

    def refuse(self, names: Iterable[str], why: str) -> None:
        given = [_KNOWN[name.lower()] for name in names if name.lower() in self._values]
        if given:
            raise InvalidConfig([f"{', '.join(given)}: {why}"])

    def client_config(self, table: type[C], **defaults: Any) -> dict[str, Any]:
        """Of the client that does the work: `kafka.*` without the prefix. The client's own check has passed."""
        given = {name[len(_PREFIX) :]: text for name, text in self._values.items() if name.startswith(_PREFIX)}
        if "bootstrap.servers" not in given:
            raise InvalidConfig(["kafka.bootstrap.servers is missing: give host:port of one or more brokers"])
        config = {**{name.replace("_", "."): value for name, value in defaults.items()}, **given}
        read_options(table, config, {})
        return config

    def admin_config(self, *others: type[ClientOptions]) -> dict[str, Any]:
        """Those of the `kafka.*` settings that an admin client has, and the `others` too: servers, security."""
        given = {name[len(_PREFIX) :]: text for name, text in self._values.items() if name.startswith(_PREFIX)}
        tables: tuple[type[ClientOptions], ...] = (AdminOptions, *others)
        return {
            name: text for name, text in given.items() if all(ALIASES.get(name, name) in table.rows for table in tables)
        }


def option_name(keyword: str, names: Iterable[str], table: type[ClientOptions]) -> str:
    """The option that a keyword of a Python function stands for: one of `names`, or a setting of the client."""
    if keyword in names or "." in keyword:
        return keyword
    dotted = keyword.replace("_", ".")
    return f"{_PREFIX}{dotted}" if ALIASES.get(dotted, dotted) in table.rows else keyword


def _unknown(name: str) -> str:
    if name == "path":
        return "path: a topic has no path; set subscribe to read, or topic to write"
    near = get_close_matches(name, [*_KNOWN, "kafka.bootstrap.servers"], n=1, cutoff=0.6)
    if near:
        return f"unknown option {name}; did you mean {_KNOWN.get(near[0], near[0])}?"
    return f"unknown option {name}; see docs/spark.md, or write kafka.{name} for a setting of the client"
