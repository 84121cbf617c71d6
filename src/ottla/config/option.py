"""`Option`, one typed row per setting, and `OptionSet`, an immutable table of such rows with values.

    class TopicOptions(OptionSet):
        segment_bytes = int_option("segment.bytes", 1 << 30, "Largest size of one segment.", check=at_least(1 << 20))

    TopicOptions({"segment.bytes": "2097152"}).segment_bytes   # an int, known to mypy
    TopicOptions.segment_bytes.doc                             # the row itself

Values sit in the instance's own dictionary, so that reading one costs as little as any attribute.
"""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, NoReturn, Self, TypeVar, overload

from ottla.config.checks import Check
from ottla.config.kinds import Importance, Kind, Secret, Update, text_of
from ottla.model.errors import InvalidConfig

T = TypeVar("T")


class Option(Generic[T]):
    """One setting: name, type, default, rule, documentation. Made by the functions in `ottla.config.rows`."""

    __slots__ = (
        "attribute",
        "check",
        "default",
        "doc",
        "effect",
        "importance",
        "internal",
        "kind",
        "name",
        "own",
        "parser",
        "synonyms",
        "update",
    )

    def __init__(
        self,
        name: str,
        kind: Kind,
        parser: Any,
        default: T,
        doc: str,
        *,
        check: Check | None,
        importance: Importance,
        update: Update,
        synonyms: tuple[str, ...],
        internal: bool,
        effect: bool,
        own: bool,
    ) -> None:
        self.name = name
        self.kind = kind
        self.parser = parser
        self.default = default
        self.doc = doc
        self.check = check
        self.importance = importance
        self.update = update
        #: Other names whose value this setting takes when it is not set itself, first wins.
        self.synonyms = synonyms
        #: Works when it is set, but is not shown by DescribeConfigs.
        self.internal = internal
        #: False: accepted, but nothing acts on it yet.
        self.effect = effect
        #: A setting that Kafka does not have.
        self.own = own
        self.attribute = ""

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute

    @overload
    def __get__(self, instance: None, owner: type) -> "Option[T]": ...

    @overload
    def __get__(self, instance: "OptionSet", owner: type) -> T: ...

    def __get__(self, instance: "OptionSet | None", owner: type) -> "Option[T] | T":
        # Only reached through the class: an instance finds the value in its own dictionary first.
        return self if instance is None else self.default

    @property
    def sensitive(self) -> bool:
        return self.kind is Kind.PASSWORD

    @property
    def default_text(self) -> str | None:
        return text_of(self.default)

    def parse(self, text: str) -> T:
        """Raises ValueError with the whole sentence, as Kafka words it."""
        try:
            value: T = self.parser(text)
        except ValueError as error:
            raise ValueError(self._sentence(text, str(error))) from None
        reason = self.check.reason(value) if self.check is not None else None
        if reason is not None:
            raise ValueError(self._sentence(text, reason))
        return value

    def _sentence(self, text: str, reason: str) -> str:
        shown = "[hidden]" if self.sensitive else text
        return f"Invalid value {shown} for configuration {self.name}: {reason}"

    def __repr__(self) -> str:
        return f"Option({self.name!r})"


class OptionSet:
    """Values for a table of options. Immutable: a change makes a new set."""

    #: Every row by its name, in order of the names.
    rows: ClassVar[dict[str, Option[Any]]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}

    #: The texts that were given, by name; everything else has its default.
    given: dict[str, str]
    #: Names that are no option of this table, with their texts.
    unknown: dict[str, str]

    def __init_subclass__(cls) -> None:
        found = {
            item.name: item
            for base in reversed(cls.__mro__)
            for item in vars(base).values()
            if isinstance(item, Option)
        }
        cls.rows = dict(sorted(found.items()))
        cls._defaults = {row.attribute: row.default for row in cls.rows.values()}

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        problems = self._fill(self._completed(dict(values or {}))) or list(self._contradictions())
        if problems:
            raise InvalidConfig(problems)

    @classmethod
    def lenient(cls, values: Mapping[str, str]) -> tuple[Self, list[str]]:
        """A set without the values that are wrong, and what is wrong with them."""
        options = cls.__new__(cls)
        problems = options._fill(options._completed(dict(values)))
        problems.extend(options._contradictions())
        return options, problems

    def _fill(self, given: dict[str, str]) -> list[str]:
        problems: list[str] = []
        parsed = dict(self._defaults)
        accepted: dict[str, str] = {}
        for name, text in given.items():
            row = self.rows.get(name)
            if row is None:
                continue
            try:
                parsed[row.attribute] = row.parse(text)
                accepted[name] = text
            except ValueError as error:
                problems.append(str(error))
        parsed["given"] = accepted
        parsed["unknown"] = {name: text for name, text in given.items() if name not in self.rows}
        self.__dict__.update(parsed)
        return problems

    def _completed(self, given: dict[str, str]) -> dict[str, str]:
        """Fills in what follows from other settings."""
        return given

    def _contradictions(self) -> Iterable[str]:
        """Sentences about values that are fine alone but not together."""
        return ()

    def with_changes(self, changes: Mapping[str, str | None]) -> Self:
        """A new set; None takes a setting back to its default. Raises InvalidConfig with all problems."""
        merged = {**self.given, **self.unknown}
        for name, text in changes.items():
            if text is None:
                merged.pop(name, None)
            else:
                merged[name] = text
        return type(self)(merged)

    def is_set(self, name: str) -> bool:
        return name in self.given

    def value_of(self, name: str) -> object:
        return self.__dict__[self.rows[name].attribute]

    def text_of(self, name: str) -> str | None:
        """As DescribeConfigs shows it: None for null and for secrets."""
        return text_of(self.value_of(name))

    def without_effect(self) -> list[str]:
        """Names that were given although nothing acts on them yet."""
        return [name for name in self.given if not self.rows[name].effect]

    def unknown_hints(self) -> list[str]:
        """One sentence for each unknown name, with the nearest name that exists."""
        return [f"unknown configuration {name}{self._nearest(name)}" for name in self.unknown]

    def _nearest(self, name: str) -> str:
        from difflib import get_close_matches  # only a mistake needs it

        near = get_close_matches(name, self.rows, n=1, cutoff=0.75)
        return f"; did you mean {near[0]}?" if near else ""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; use with_changes")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; use with_changes")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), tuple(sorted(self.given.items()))))

    def __repr__(self) -> str:
        shown = {name: "***" if isinstance(self.value_of(name), Secret) else text for name, text in self.given.items()}
        return f"{type(self).__name__}({shown})"
