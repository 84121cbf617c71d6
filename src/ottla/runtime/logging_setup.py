"""The program's own log: readable lines on a terminal, JSON lines elsewhere.

What peers send may end up in a message: control characters are escaped in both forms, so that nobody can fake a line or
paint a terminal.
"""

import logging
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

from ottla.runtime.log_levels import ROOT, TRACE, level_word, parse_levels, set_level

#: Facts that log calls may give with `extra=`; they become fields of the JSON line.
_FIELDS = (
    "node_id",
    "listener",
    "client_id",
    "principal",
    "correlation_id",
    "api",
    "topic",
    "partition",
    "error_code",
)
_COLOURS = {"WARN": "\x1b[33m", "ERROR": "\x1b[31m", "FATAL": "\x1b[31;1m"}
_PLAIN = "\x1b[0m"
# Control characters, line separators, and marks that change the direction of writing.
_UNSAFE = {
    code: f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}


def escape(text: str) -> str:
    """Text without anything a terminal or a line-based reader would act on."""
    return text if text.isprintable() else text.translate(_UNSAFE)


def setup_logging(levels: Iterable[str] = (), *, as_json: bool | None = None, stream: TextIO | None = None) -> None:
    """`levels`: "info" for all, "ottla.log=debug" for one logger. JSON unless on a terminal, or as asked for.

    Raises InvalidConfig for words that are no level.
    """
    chosen = parse_levels(levels)
    out = stream if stream is not None else sys.stderr
    on_terminal = out.isatty()
    handler = logging.StreamHandler(out)
    if as_json if as_json is not None else not on_terminal:
        handler.setFormatter(JsonFormatter())
    else:
        handler.setFormatter(TextFormatter(colour=on_terminal))
    logging.addLevelName(TRACE, "TRACE")
    root = logging.getLogger()
    root.handlers[:] = [handler]
    set_level(ROOT, "INFO")
    for name, level in chosen.items():
        set_level(name, level)


class TextFormatter(logging.Formatter):
    def __init__(self, *, colour: bool) -> None:
        super().__init__()
        self._colour = colour

    def format(self, record: logging.LogRecord) -> str:
        level = level_word(record.levelno)
        stamp = f"{self.formatTime(record, '%H:%M:%S')}.{int(record.msecs):03d}"
        name = record.name.removeprefix("ottla.")
        line = f"{stamp} {level:5} {name}: {escape(record.getMessage())}"
        if self._colour and level in _COLOURS:
            line = f"{_COLOURS[level]}{line}{_PLAIN}"
        return line + "".join(f"\n    {escape(text)}" for text in self._traceback(record))

    def _traceback(self, record: logging.LogRecord) -> list[str]:
        return self.formatException(record.exc_info).split("\n") if record.exc_info else []


class JsonFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__()
        import json  # a terminal never needs it

        self._dumps = json.dumps

    def format(self, record: logging.LogRecord) -> str:
        moment = self.formatTime(record, "%Y-%m-%dT%H:%M:%S")
        found: dict[str, object] = {
            "ts": f"{moment}.{int(record.msecs):03d}{self._zone(record)}",
            "level": level_word(record.levelno),
            "logger": record.name,
            "event": record.getMessage(),
        }
        facts: Mapping[str, object] = record.__dict__
        found.update((name, facts[name]) for name in _FIELDS if name in facts)
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        # ASCII only: every control character comes out escaped.
        return self._dumps(found, ensure_ascii=True, default=str)

    def _zone(self, record: logging.LogRecord) -> str:
        zone = self.formatTime(record, "%z")
        return f"{zone[:3]}:{zone[3:]}"
