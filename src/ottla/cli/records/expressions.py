"""Filters of records in a subset of CEL: `value.total > 10 && key.startsWith("a")`.

Names: topic, partition, offset, timestamp (ms), key, value, headers. Key and value are the JSON that they hold, or
text. An expression is parsed once into closures; nothing of Python can be reached from it. As in CEL a field that is
missing is an error, and a record whose expression fails does not match; `has(value.x)` asks first.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ottla.cli.failures import usage

Value: TypeAlias = Any
Evaluate: TypeAlias = Callable[[Mapping[str, Value]], Value]
NAMES: Final = ("topic", "partition", "offset", "timestamp", "key", "value", "headers")
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+\.\d+(?:[eE][+-]?\d+)?|\d+)|(?P<text>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>&&|\|\||==|!=|<=|>=|[-+*/%<>!()\[\],.?:]))"
)
_MAX_DEPTH: Final = 50
_MAX_LENGTH: Final = 10_000
_WORDS: Final[dict[str, Value]] = {"true": True, "false": False, "null": None}


class Unmatched(Exception):
    """An expression that has no value for this record."""


def parse_expression(text: str) -> Evaluate:
    """Raises Failure with the place of the mistake."""
    if len(text) > _MAX_LENGTH:
        raise usage(f"the expression has {len(text)} characters; {_MAX_LENGTH} is the limit")
    return _Parser(text).parse()


def matches(evaluate: Evaluate, names: Mapping[str, Value]) -> bool:
    """Whether the expression is true for these names; an error is no match."""
    try:
        return evaluate(names) is True
    except (Unmatched, TypeError, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError):
        return False


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[tuple[str, str, int]] = []
        self._index = 0
        self._depth = 0
        position = 0
        while text[position:].strip():
            found = _TOKEN.match(text, position)
            if found is None:
                raise self._wrong(position + len(text[position:]) - len(text[position:].lstrip()))
            assert found.lastgroup is not None
            self._tokens.append((found.lastgroup, found[found.lastgroup], found.start(found.lastgroup)))
            position = found.end()

    def parse(self) -> Evaluate:
        found = self._ternary()
        if self._index < len(self._tokens):
            raise self._wrong(self._tokens[self._index][2])
        return found

    def _wrong(self, position: int) -> Exception:
        rest = self._text[position:] or "the end"
        return usage(f"--where: not understood from {rest[:30]!r} on", "e.g. 'value.total > 10 && key == \"alice\"'")

    def _peek(self) -> str:
        return self._tokens[self._index][1] if self._index < len(self._tokens) else ""

    def _accept(self, *signs: str) -> str | None:
        kind = self._tokens[self._index][0] if self._index < len(self._tokens) else ""
        if self._peek() in signs and kind != "text":
            self._index += 1
            return self._tokens[self._index - 1][1]
        return None

    def _expect(self, sign: str) -> None:
        if self._accept(sign) is None:
            raise self._wrong(self._tokens[self._index][2] if self._index < len(self._tokens) else len(self._text))

    def _ternary(self) -> Evaluate:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise usage("--where: the expression is nested too deeply")
        condition = self._either()
        if self._accept("?"):
            yes = self._ternary()
            self._expect(":")
            no = self._ternary()
            choice = condition
            condition = lambda names: yes(names) if choice(names) else no(names)  # noqa: E731
        self._depth -= 1
        return condition

    def _either(self) -> Evaluate:
        left = self._both()
        while self._accept("||"):
            left = _or(left, self._both())
        return left

    def _both(self) -> Evaluate:
        left = self._compared()
        while self._accept("&&"):
            left = _and(left, self._compared())
        return left

    def _compared(self) -> Evaluate:
        left = self._sum()
        while (sign := self._accept("==", "!=", "<", "<=", ">", ">=", "in")) is not None:
            left = _binary(sign, left, self._sum())
        return left

    def _sum(self) -> Evaluate:
        left = self._product()
        while (sign := self._accept("+", "-")) is not None:
            left = _binary(sign, left, self._product())
        return left

    def _product(self) -> Evaluate:
        left = self._unary()
        while (sign := self._accept("*", "/", "%")) is not None:
            left = _binary(sign, left, self._unary())
        return left

    def _unary(self) -> Evaluate:
        sign = self._accept("!", "-")
        if sign is None:
            return self._member()
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise usage("--where: the expression is nested too deeply")
        inner = self._unary()
        self._depth -= 1
        if sign == "!":
            return lambda names: not _truth(inner(names))
        return lambda names: -_number(inner(names))

    def _member(self) -> Evaluate:
        found = self._primary()
        while (sign := self._accept(".", "[")) is not None:
            if sign == "[":
                found = _indexed(found, self._ternary())
                self._expect("]")
                continue
            name = self._name()
            found = _method(name, found, self._arguments(), self._wrong) if self._accept("(") else _field(found, name)
        return found

    def _name(self) -> str:
        if self._index >= len(self._tokens) or self._tokens[self._index][0] != "name":
            raise self._wrong(self._tokens[self._index][2] if self._index < len(self._tokens) else len(self._text))
        self._index += 1
        return self._tokens[self._index - 1][1]

    def _arguments(self) -> list[Evaluate]:
        found: list[Evaluate] = []
        while not self._accept(")"):
            if found:
                self._expect(",")
            found.append(self._ternary())
        return found

    def _primary(self) -> Evaluate:
        if self._accept("("):
            inner = self._ternary()
            self._expect(")")
            return inner
        if self._accept("["):
            return self._list()
        if self._index >= len(self._tokens):
            raise self._wrong(len(self._text))
        kind, text, position = self._tokens[self._index]
        self._index += 1
        if kind == "sign":
            raise self._wrong(position)
        if kind == "number":
            return _constant(float(text) if "." in text else int(text))
        if kind == "text":
            return _constant(re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text[1:-1]))
        if text in _WORDS:
            return _constant(_WORDS[text])
        if self._accept("("):
            return _function(text, self._arguments(), lambda: self._wrong(position))
        if text not in NAMES:
            raise usage(f"--where: there is no {text!r}; known: {', '.join(NAMES)}")
        return lambda names: names[text]

    def _list(self) -> Evaluate:
        items: list[Evaluate] = []
        while not self._accept("]"):
            if items:
                self._expect(",")
            items.append(self._ternary())
        return lambda names: [item(names) for item in items]


def _constant(value: Value) -> Evaluate:
    return lambda names: value


def _truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise Unmatched
    return value


def _number(value: Value) -> Value:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unmatched
    return value


def _or(left: Evaluate, right: Evaluate) -> Evaluate:
    """As in CEL, one side that is true is enough, even when the other fails."""

    def evaluate(names: Mapping[str, Value]) -> Value:
        return matches(left, names) or _truth(right(names))

    return evaluate


def _and(left: Evaluate, right: Evaluate) -> Evaluate:
    return lambda names: _truth(left(names)) and _truth(right(names))


def _binary(sign: str, left: Evaluate, right: Evaluate) -> Evaluate:
    operation = _OPERATIONS[sign]
    return lambda names: operation(left(names), right(names))


def _same_kind(left: Value, right: Value) -> bool:
    return isinstance(left, bool) == isinstance(right, bool)


def _compare(test: Callable[[Value, Value], bool]) -> Callable[[Value, Value], bool]:
    def operation(left: Value, right: Value) -> bool:
        if isinstance(left, str) and isinstance(right, str):
            return test(left, right)
        return test(_number(left), _number(right))

    return operation


def _add(left: Value, right: Value) -> Value:
    if isinstance(left, str | list) and type(left) is type(right):
        return left + right
    return _number(left) + _number(right)


def _divide(left: Value, right: Value) -> Value:
    left, right = _number(left), _number(right)
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


_OPERATIONS: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "==": lambda left, right: _same_kind(left, right) and left == right,
    "!=": lambda left, right: not _same_kind(left, right) or left != right,
    "<": _compare(lambda left, right: left < right),
    "<=": _compare(lambda left, right: left <= right),
    ">": _compare(lambda left, right: left > right),
    ">=": _compare(lambda left, right: left >= right),
    "in": lambda left, right: left in right,
    "+": _add,
    "-": lambda left, right: _number(left) - _number(right),
    "*": lambda left, right: _number(left) * _number(right),
    "/": _divide,
    "%": lambda left, right: _number(left) - _divide(left, right) * _number(right),
}


def _field(inner: Evaluate, name: str) -> Evaluate:
    def evaluate(names: Mapping[str, Value]) -> Value:
        found = inner(names)
        if not isinstance(found, Mapping) or name not in found:
            raise Unmatched
        return found[name]

    return evaluate


def _indexed(inner: Evaluate, index: Evaluate) -> Evaluate:
    def evaluate(names: Mapping[str, Value]) -> Value:
        found, key = inner(names), index(names)
        if isinstance(found, list) and (not isinstance(key, int) or key < 0):
            raise Unmatched
        return found[key]

    return evaluate


def _function(name: str, arguments: list[Evaluate], wrong: Callable[[], Exception]) -> Evaluate:
    if len(arguments) != 1 or name not in ("has", *_FUNCTIONS):
        raise wrong()
    inner = arguments[0]
    if name == "has":

        def evaluate(names: Mapping[str, Value]) -> bool:
            try:
                inner(names)
            except (Unmatched, KeyError, IndexError, TypeError):
                return False
            return True

        return evaluate
    function = _FUNCTIONS[name]
    return lambda names: function(inner(names))


def _string(value: Value) -> str:
    return value if isinstance(value, str) else {True: "true", False: "false", None: "null"}.get(value, str(value))


_FUNCTIONS: Final[dict[str, Callable[[Value], Value]]] = {
    "size": len,
    "int": int,
    "double": float,
    "string": _string,
    "type": lambda value: type(value).__name__,
}


def _method(name: str, target: Evaluate, arguments: list[Evaluate], wrong: Callable[[int], Exception]) -> Evaluate:
    if name == "size" and not arguments:
        return lambda names: len(target(names))
    if name not in _METHODS or len(arguments) != 1:
        raise usage(f"--where: there is no method {name}; known: {', '.join((*_METHODS, 'size'))}")
    method = _METHODS[name]

    def evaluate(names: Mapping[str, Value]) -> Value:
        text, argument = target(names), arguments[0](names)
        if not isinstance(text, str) or not isinstance(argument, str):
            raise Unmatched
        return method(text, argument)

    return evaluate


def _matches_pattern(text: str, pattern: str) -> bool:
    import re2  # linear time: a pattern cannot stop the tool

    try:
        return bool(re2.search(pattern, text))
    except re2.error as error:
        raise usage(f"--where: {pattern!r} is no regular expression: {error}") from None


_METHODS: Final[dict[str, Callable[[str, str], Value]]] = {
    "startsWith": lambda text, part: text.startswith(part),
    "endsWith": lambda text, part: text.endswith(part),
    "contains": lambda text, part: part in text,
    "matches": _matches_pattern,
}
