"""Where a setting's value comes from, and what DescribeConfigs returns for it.

A broker's value: dynamic for this broker > dynamic for the cluster > static (server.properties) > default.
A topic's or group's value: its own override > the broker's value of the setting that gives its default.

`BrokerLayers` is one immutable state of the broker's layers. A change makes a new one; whoever holds topic options asks
the new one for them again.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

from ottla.config.broker_options import BrokerOptions, base_row
from ottla.config.client_metrics_options import ClientMetricsOptions
from ottla.config.group_options import GroupOptions
from ottla.config.kinds import Update, text_of
from ottla.config.option import Option, OptionSet
from ottla.config.topic_options import TopicOptions

_MINUTE_MS = 60_000
_HOUR_MS = 3_600_000
#: Settings that name the same thing, the strongest first.
_FAMILIES = (
    ("log.retention.ms", "log.retention.minutes", "log.retention.hours"),
    ("log.roll.ms", "log.roll.hours"),
    ("log.roll.jitter.ms", "log.roll.jitter.hours"),
    ("log.flush.interval.ms", "log.flush.scheduler.interval.ms"),
)
_FAMILY_OF = {name: family for family in _FAMILIES for name in family}


class Source(IntEnum):
    """The source codes of DescribeConfigs."""

    TOPIC = 1
    DYNAMIC_BROKER = 2
    DYNAMIC_DEFAULT_BROKER = 3
    STATIC_BROKER = 4
    DEFAULT = 5
    BROKER_LOGGER = 6
    CLIENT_METRICS = 7
    GROUP = 8


class Synonym(NamedTuple):
    name: str
    value: str | None
    source: Source


class ConfigRow(NamedTuple):
    """One setting in a response. `kind` is 0 when the name is not known."""

    name: str
    value: str | None
    source: Source
    kind: int
    is_sensitive: bool
    read_only: bool
    synonyms: tuple[Synonym, ...]
    documentation: str | None

    @property
    def is_default(self) -> bool:
        return self.source is Source.DEFAULT


class BrokerLayers:
    """The layers of one broker's settings."""

    def __init__(
        self,
        static: BrokerOptions,
        dynamic_broker: Mapping[str, str] | None = None,
        dynamic_default: Mapping[str, str] | None = None,
    ) -> None:
        self.static = static
        self.dynamic_broker = dict(dynamic_broker or {})
        self.dynamic_default = dict(dynamic_default or {})
        self._kept_synonyms: dict[str, tuple[Synonym, ...]] = {}
        static_texts = {**static.given, **static.unknown}
        self._texts: tuple[tuple[Source, Mapping[str, str]], ...] = (
            (Source.DYNAMIC_BROKER, self.dynamic_broker),
            (Source.DYNAMIC_DEFAULT_BROKER, self.dynamic_default),
            (Source.STATIC_BROKER, static_texts),
        )

    def with_dynamic(self, dynamic_broker: Mapping[str, str], dynamic_default: Mapping[str, str]) -> "BrokerLayers":
        return BrokerLayers(self.static, dynamic_broker, dynamic_default)

    @cached_property
    def options(self) -> BrokerOptions:
        """The effective settings. A stored dynamic value that is not valid any more is left out, not fatal."""
        changes = {
            name: text
            for name, text in {**self.dynamic_default, **self.dynamic_broker}.items()
            if (row := base_row(name)) is not None and row.update is not Update.READ_ONLY
        }
        return (
            BrokerOptions.lenient({**self.static.given, **self.static.unknown, **changes})[0]
            if changes
            else self.static
        )

    # -- effective options of topics and groups

    @cached_property
    def _topic_defaults(self) -> dict[str, str]:
        """Texts of the topic settings whose default the broker's settings change."""
        options = self.options
        values = {row.name: self._inherited(row) for row in TopicOptions.rows.values() if row.synonyms}
        values["retention.ms"] = retention_ms(options)
        values["segment.ms"] = _first_span(options.log_roll_ms, options.log_roll_hours)
        values["segment.jitter.ms"] = _first_span(options.log_roll_jitter_ms, options.log_roll_jitter_hours)
        interval_ms = options.log_flush_interval_ms
        values["flush.ms"] = options.log_flush_scheduler_interval_ms if interval_ms is None else interval_ms
        return _unlike_default(values, TopicOptions)

    @cached_property
    def _group_defaults(self) -> dict[str, str]:
        values = {row.name: self._inherited(row) for row in GroupOptions.rows.values() if row.synonyms}
        return _unlike_default(values, GroupOptions)

    def _inherited(self, row: Option[Any]) -> object:
        return self.options.value_of(row.synonyms[0])

    @cached_property
    def _plain_topic_options(self) -> TopicOptions:
        return TopicOptions(self._topic_defaults)

    def topic_options(self, overrides: Mapping[str, str]) -> TopicOptions:
        """Effective settings of a topic. Topics without overrides share one object.

        A stored override that is not valid (written by another version) is left out: no reason to lose the topic.
        """
        if not overrides:
            return self._plain_topic_options
        return TopicOptions.lenient({**self._topic_defaults, **overrides})[0]

    def group_options(self, overrides: Mapping[str, str]) -> GroupOptions:
        return GroupOptions.lenient({**self._group_defaults, **overrides})[0]

    def topic_problems(self, overrides: Mapping[str, str]) -> list[str]:
        return TopicOptions.lenient({**self._topic_defaults, **overrides})[1]

    def group_problems(self, overrides: Mapping[str, str]) -> list[str]:
        return GroupOptions.lenient({**self._group_defaults, **overrides})[1]

    # -- DescribeConfigs

    def describe_broker(self, keys: Iterable[str] | None = None) -> list[ConfigRow]:
        """All that has a value or a default; internal and unknown names only when somebody set them."""
        names = {name: None for name, row in BrokerOptions.rows.items() if not row.internal}
        for _, texts in reversed(self._texts):
            names.update(dict.fromkeys(texts))
        return [self._broker_row(name) for name in _wanted(names, keys)]

    def describe_cluster_default(self, keys: Iterable[str] | None = None) -> list[ConfigRow]:
        """Only what is set for the whole cluster."""
        rows = [self._broker_row(name) for name in _wanted(self.dynamic_default, keys)]
        source = Source.DYNAMIC_DEFAULT_BROKER
        found: list[ConfigRow] = []
        for row in rows:
            option = base_row(row.name)
            text = None if row.is_sensitive else _shown(option, self.dynamic_default[row.name])
            synonyms = tuple(synonym for synonym in row.synonyms if synonym.source is source)
            found.append(row._replace(value=text, source=source, synonyms=synonyms))
        return found

    def describe_topic(self, overrides: Mapping[str, str], keys: Iterable[str] | None = None) -> list[ConfigRow]:
        options = self.topic_options(overrides)
        return self._override_rows(options, overrides, Source.TOPIC, keys, lambda row: ())

    def describe_group(self, overrides: Mapping[str, str], keys: Iterable[str] | None = None) -> list[ConfigRow]:
        def own_default(row: Option[Any]) -> tuple[Synonym, ...]:
            return (Synonym(row.name, row.default_text, Source.DEFAULT),)

        return self._override_rows(self.group_options(overrides), overrides, Source.GROUP, keys, own_default)

    def _override_rows(
        self,
        options: OptionSet,
        overrides: Mapping[str, str],
        source: Source,
        keys: Iterable[str] | None,
        own_default: Callable[[Option[Any]], tuple[Synonym, ...]],
    ) -> list[ConfigRow]:
        shown = {name: None for name, row in options.rows.items() if not row.internal or name in overrides}
        rows: list[ConfigRow] = []
        for name in _wanted(shown, keys):
            option = options.rows[name]
            text = options.text_of(name)
            synonyms = self._inherited_synonyms(option.synonyms[0]) if option.synonyms else own_default(option)
            if name in overrides:
                synonyms = (Synonym(name, text, source), *synonyms)
            rows.append(_row(option, text, synonyms, read_only=False))
        return rows

    def _broker_row(self, name: str) -> ConfigRow:
        option = base_row(name)
        if option is None:
            synonyms = tuple(synonym._replace(value=None) for synonym in self._synonyms(name))
            return ConfigRow(name, None, synonyms[0].source, 0, True, True, synonyms, None)
        read_only = option.update is Update.READ_ONLY or option.name != name
        synonyms = self._synonyms(name, option.name)
        if name not in BrokerOptions.rows:
            text = _shown(option, synonyms[0].value)
        else:
            text = self.options.text_of(name)
        if option.sensitive:
            synonyms = tuple(synonym._replace(value=None) for synonym in synonyms)
        return _row(option, text, synonyms, read_only=read_only)._replace(name=name)

    def _inherited_synonyms(self, name: str) -> tuple[Synonym, ...]:
        """Kept, because every new topic gets all of its settings."""
        found = self._kept_synonyms.get(name)
        if found is None:
            found = self._kept_synonyms[name] = self._synonyms(name)
        return found

    def _synonyms(self, name: str, base_name: str | None = None) -> tuple[Synonym, ...]:
        """Who gives the value, the strongest first, from the first one that has this very name."""
        names = _FAMILY_OF.get(name, (name,)) if base_name in (None, name) else (name, str(base_name))
        found = [
            Synonym(other, texts[other].strip(), source)
            for source, texts in self._texts
            for other in names
            if other in texts
        ]
        for other in names:
            row = BrokerOptions.rows.get(other)
            if row is not None and row.default is not None:
                found.append(Synonym(other, row.default_text, Source.DEFAULT))
        start = next((index for index, synonym in enumerate(found) if synonym.name == name), len(found))
        return tuple(found[start:])


def describe_client_metrics(overrides: Mapping[str, str], keys: Iterable[str] | None = None) -> list[ConfigRow]:
    options, _ = ClientMetricsOptions.lenient(overrides)
    rows: list[ConfigRow] = []
    for name in _wanted(options.rows, keys):
        text = options.text_of(name)
        synonyms = (Synonym(name, text, Source.CLIENT_METRICS),) if name in overrides else ()
        rows.append(_row(options.rows[name], text, synonyms, read_only=False))
    return rows


def describe_loggers(levels: Mapping[str, str], keys: Iterable[str] | None = None) -> list[ConfigRow]:
    """`levels`: logger name -> Kafka's name of its level."""
    return [
        ConfigRow(name, levels[name], Source.BROKER_LOGGER, 0, False, False, (), "") for name in _wanted(levels, keys)
    ]


def retention_ms(options: BrokerOptions) -> int:
    """log.retention.{ms, minutes, hours}: the finest one that is set; -1 is forever."""
    if options.log_retention_ms is not None:
        span_ms = options.log_retention_ms
    elif options.log_retention_minutes is not None:
        span_ms = options.log_retention_minutes * _MINUTE_MS
    else:
        span_ms = options.log_retention_hours * _HOUR_MS
    return max(span_ms, -1)


def _first_span(span_ms: int | None, hours: int) -> int:
    return hours * _HOUR_MS if span_ms is None else span_ms


def _unlike_default(values: Mapping[str, object], table: type[OptionSet]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in values.items():
        text = text_of(value)
        if value != table.rows[name].default and text is not None:
            found[name] = text
    return found


def _row(option: Option[Any], text: str | None, synonyms: tuple[Synonym, ...], *, read_only: bool) -> ConfigRow:
    source = synonyms[0].source if synonyms else Source.DEFAULT
    return ConfigRow(option.name, text, source, option.kind, option.sensitive, read_only, synonyms, option.doc)


def _shown(option: Option[Any] | None, text: str | None) -> str | None:
    """A raw text as DescribeConfigs shows it: parsed and printed again."""
    if option is None or text is None:
        return None
    try:
        return text_of(option.parse(text))
    except ValueError:
        return text


def _wanted(names: Iterable[str], keys: Iterable[str] | None) -> list[str]:
    """All names, or those of `keys` that exist. An empty list of keys asks for all, as in Kafka."""
    asked = frozenset(keys or ())
    return sorted(name for name in names if not asked or name in asked)
