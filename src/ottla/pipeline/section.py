"""One mapping of a pipeline file, read key by key: typed values, and every key that nobody asked for is a problem."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar

import yaml

from ottla.pipeline.problems import Problems, suggestion
from ottla.pipeline.variables import VariableError, expanded
from ottla.pipeline.yaml_tree import Node, is_null, kind_of, line_of

T = TypeVar("T")

_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)\Z")
_UNITS_MS: Final = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), 1),
    **dict.fromkeys(("s", "second", "seconds"), 1_000),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60_000),
    **dict.fromkeys(("h", "hour", "hours"), 3_600_000),
    **dict.fromkeys(("d", "day", "days"), 86_400_000),
}


def duration_ms(text: str) -> int:
    """Raises ValueError."""
    found = _DURATION.match(text.strip().lower())
    if found is None or found[2] not in _UNITS_MS:
        raise ValueError("must be a duration such as 500ms, 1s, 10 minutes or 1h")
    return round(float(found[1]) * _UNITS_MS[found[2]])


class Section:
    """`name` is how messages call it: `source orders`, `sink 2`. Call `finish` when every key was read."""

    def __init__(self, node: Node, name: str, problems: Problems, environment: Mapping[str, str]) -> None:
        self.line = line_of(node)
        self.name = name
        self._problems = problems
        self._environment = environment
        self._nodes: dict[str, Node] = {}
        self._lines: dict[str, int] = {}
        self._read: set[str] = set()
        if not isinstance(node, yaml.MappingNode):
            self.problem(f"must be a mapping, not {kind_of(node)}")
            return
        for key, value in node.value:
            self._add(key, value)

    def _add(self, key: Node, value: Node) -> None:
        if not isinstance(key, yaml.ScalarNode):
            self._problems.add(line_of(key), f"{self.name}: a key must be a word, not {kind_of(key)}")
        elif key.value in self._nodes:
            first = self._lines[key.value]
            self._problems.add(line_of(key), f"{self.name}: {key.value!r} is given twice, first in line {first}")
        else:
            self._nodes[key.value] = value
            self._lines[key.value] = line_of(key)

    def problem(self, message: str, key: str | None = None) -> None:
        line = self.line if key is None else self.line_of(key)
        where = ": ".join(part for part in (self.name, key) if part)
        self._problems.add(line, f"{where}: {message}" if where else message)

    def line_of(self, key: str) -> int:
        return self._lines.get(key, self.line)

    def has(self, key: str) -> bool:
        return key in self._nodes and not is_null(self._nodes[key])

    def all_keys(self) -> list[str]:
        """All of them: for sections whose keys are names that the user chose. They count as read."""
        self._read.update(self._nodes)
        return list(self._nodes)

    def text(self, key: str, default: str | None = None) -> str | None:
        """A scalar with its variables expanded; the default where the key is missing."""
        node = self._node(key)
        if node is None:
            return default
        if not isinstance(node, yaml.ScalarNode):
            self.problem(f"must be a single value, not {kind_of(node)}", key)
            return default
        return self._expanded(node, key)

    def required(self, key: str, example: str) -> str:
        """As `text`; a missing key is a problem, and the result is then empty."""
        value = self.text(key)
        if value is None or not value.strip():
            if not self.has(key) or value is not None:
                self.problem(f"{key} is missing, for example `{key}: {example}`")
            return ""
        return value

    def parsed(self, key: str, parse: Callable[[str], T], default: T) -> T:
        """A scalar that `parse` reads; a ValueError of it is a problem."""
        value = self.text(key)
        if value is None:
            return default
        try:
            return parse(value)
        except ValueError as error:
            self.problem(f"{value!r} {error}", key)
            return default

    def one_of(self, key: str, choices: Iterable[str], default: str) -> str:
        allowed = list(choices)

        def parse(value: str) -> str:
            if value not in allowed:
                raise ValueError(f"must be one of {', '.join(allowed)}{suggestion(value, allowed)}")
            return value

        return self.parsed(key, parse, default)

    def flag(self, key: str, default: bool) -> bool:
        return self.one_of(key, ("true", "false"), "true" if default else "false") == "true"

    def whole(self, key: str, min_value: int) -> int | None:
        def parse(value: str) -> int | None:
            if not re.fullmatch(r"\d+", value.strip()) or int(value) < min_value:
                raise ValueError(f"must be a whole number, {min_value} or more")
            return int(value)

        return self.parsed(key, parse, None)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of scalars; a single scalar is a list of one."""
        node = self._node(key)
        if node is None:
            return ()
        elements = node.value if isinstance(node, yaml.SequenceNode) else [node]
        values = []
        for element in elements:
            if isinstance(element, yaml.ScalarNode):
                values.append(self._expanded(element, key))
            else:
                self.problem(f"must be a list of single values; one of them is {kind_of(element)}", key)
        return tuple(values)

    def pairs(self, key: str) -> dict[str, str]:
        """A mapping of names to scalars."""
        section = self.section(key)
        return {} if section is None else {name: section.text(name) or "" for name in section.all_keys()}

    def section(self, key: str) -> "Section | None":
        node = self._node(key)
        if node is None:
            return None
        return Section(node, f"{self.name}: {key}" if self.name else key, self._problems, self._environment)

    def sections(self, key: str, noun: str) -> Iterator["Section"]:
        """The mappings of a list: `sink 1`, `sink 2`."""
        node = self._node(key)
        if node is None:
            return
        if not isinstance(node, yaml.SequenceNode):
            self.problem(f"must be a list, not {kind_of(node)}", key)
            return
        for number, element in enumerate(node.value, 1):
            yield Section(element, f"{noun} {number}", self._problems, self._environment)

    def is_mapping(self, key: str) -> bool:
        return isinstance(self._nodes.get(key), yaml.MappingNode)

    def is_list(self, key: str) -> bool:
        return isinstance(self._nodes.get(key), yaml.SequenceNode)

    def exactly_one(self, keys: Iterable[str], what: str) -> str | None:
        """Which of the keys is there; none, or more than one, is a problem."""
        allowed = list(keys)
        given = [key for key in allowed if self.has(key)]
        if len(given) == 1:
            return given[0]
        self.problem(f"{what}: give one of {', '.join(allowed)}" + (f", not {' and '.join(given)}" if given else ""))
        return None

    def finish(self) -> None:
        """Keys that nobody has read are unknown."""
        for key in self._nodes.keys() - self._read:
            self._problems.add(
                self._lines[key],
                (f"{self.name}: " if self.name else "") + f"unknown key {key!r}{suggestion(key, self._read)}",
            )

    def _node(self, key: str) -> Node | None:
        self._read.add(key)
        return self._nodes[key] if self.has(key) else None

    def _expanded(self, node: yaml.ScalarNode, key: str) -> str:
        try:
            return expanded(str(node.value), self._environment)
        except VariableError as error:
            self._problems.add(line_of(node), f"{self.name}: {key}: {error}" if self.name else f"{key}: {error}")
            return ""
