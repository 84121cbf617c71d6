"""Formats such as '%t %p %o %k %v\\n': a template is parsed once and filled for each record."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final, TypeAlias

from ottla.cli.failures import usage
from ottla.client import ConsumerRecord

Part: TypeAlias = Callable[[ConsumerRecord], bytes]
Token: TypeAlias = Callable[[ConsumerRecord], bytes | None]
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\"}


def _length(data: bytes | None) -> bytes:
    return b"-1" if data is None else b"%d" % len(data)


def _headers(record: ConsumerRecord) -> bytes:
    return b",".join(name.encode() + b"=" + (b"NULL" if value is None else value) for name, value in record.headers)


#: What all templates know; None stands for null. kcat has %s for the value, `consume` has %v.
_TOKENS: Final[dict[str, Token]] = {
    "t": lambda record: record.topic.encode(),
    "p": lambda record: b"%d" % record.partition,
    "o": lambda record: b"%d" % record.offset,
    "k": lambda record: record.key,
    "K": lambda record: _length(record.key),
    "S": lambda record: _length(record.value),
    "T": lambda record: b"%d" % record.timestamp_ms,
    "h": _headers,
}
CONSUME_TOKENS: Final[dict[str, Token]] = {**_TOKENS, "v": lambda record: record.value}
CAT_TOKENS: Final[dict[str, Token]] = {
    **_TOKENS,
    "s": lambda record: record.value,
    "R": lambda record: (-1 if record.value is None else len(record.value)).to_bytes(4, "big", signed=True),
}


def unescaped(text: str) -> str:
    r"""With \n, \t, \r, \0 and \x41 as the characters they stand for."""

    def replaced(found: re.Match[str]) -> str:
        escape = found[1]
        return chr(int(escape[1:], 16)) if len(escape) == 3 else _ESCAPES.get(escape, found[0])

    return re.sub(r"\\(x[0-9a-fA-F]{2}|.)", replaced, text)


def template(text: str, tokens: dict[str, Token], *, null: bytes = b"") -> Part:
    """`null` is printed for keys and values that are missing. Raises Failure for tokens that are not known."""
    parts: list[Token | bytes] = []
    letters = iter(unescaped(text))
    for letter in letters:
        if letter != "%":
            parts.append(letter.encode())
            continue
        token = next(letters, "")
        if token == "%":
            parts.append(b"%")
        elif token in tokens:
            parts.append(tokens[token])
        else:
            known = " ".join(f"%{each}" for each in tokens)
            raise usage(f"%{token} is not known in the format {text!r}; known: {known} %%")

    def fill(record: ConsumerRecord) -> bytes:
        filled = (part if isinstance(part, bytes) else part(record) for part in parts)
        return b"".join(null if part is None else part for part in filled)

    return fill


def terminal_line(record: ConsumerRecord, style: Callable[..., str]) -> str:
    """One line for people: time, place, key, value."""
    try:
        clock = f"{datetime.fromtimestamp(record.timestamp_ms / 1000):%H:%M:%S}.{record.timestamp_ms % 1000:03d}"
    except (ValueError, OverflowError, OSError):
        clock = str(record.timestamp_ms)
    parts = [style(clock, dim=True), style(f"p{record.partition} @ {record.offset}", fg="cyan")]
    if record.key is not None:
        parts.append(style(shown(record.key), fg="yellow"))
    parts.append(style("null", dim=True) if record.value is None else shown(record.value))
    return "  ".join(parts)


def shown(data: bytes) -> str:
    """Text, with control characters made visible: a record must not steer the terminal."""
    text = data.decode("utf-8", "backslashreplace")
    return "".join(letter if letter.isprintable() or letter == "\t" else repr(letter)[1:-1] for letter in text)
