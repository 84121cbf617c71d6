"""Levels of the program's loggers, by Kafka's words: parsed, read and changed while it runs.

They are a config resource of the broker too (KIP-412). They live in the process: after a restart they are those of the
settings again, as in Kafka.
"""

import logging
from collections.abc import Iterable, Mapping

from ottla.model.errors import InvalidConfig

TRACE = 5
ROOT = "root"
_PACKAGE = "ottla"
#: Kafka's words, the most talkative first.
_LEVELS = {
    "TRACE": TRACE,
    "DEBUG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARN": logging.WARNING,
    "ERROR": logging.ERROR,
    "FATAL": logging.CRITICAL,
}
_SPELLINGS = {"WARNING": "WARN", "CRITICAL": "FATAL"}


def parse_levels(texts: Iterable[str]) -> dict[str, str]:
    """Texts like "info" and "ottla.log=debug", also several in one text with commas -> logger name -> level."""
    found: dict[str, str] = {}
    problems: list[str] = []
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, separator, word = part.rpartition("=")
        level = _SPELLINGS.get(word.upper(), word.upper())
        if level not in _LEVELS:
            problems.append(f"log level {part!r}: must be one of {', '.join(_LEVELS).lower()}, or logger=level")
        found[name.strip() if separator else ROOT] = level
    if problems:
        raise InvalidConfig(problems)
    return found


def set_level(name: str, level: str | None) -> None:
    """Takes effect at once. None takes the level of the parent again."""
    _logger(name).setLevel(logging.NOTSET if level is None else _LEVELS[level])


def set_levels(levels: Mapping[str, str | None]) -> None:
    for name, level in levels.items():
        set_level(name, level)


def current_levels() -> dict[str, str]:
    """The level that counts for each logger of Ottla, and for the root."""
    names = sorted(name for name in logging.root.manager.loggerDict if name.partition(".")[0] == _PACKAGE)
    return {name: level_word(_logger(name).getEffectiveLevel()) for name in (*names, ROOT)}


def level_word(number: int) -> str:
    """The nearest word that lets at least as much through."""
    return next((word for word, least in reversed(_LEVELS.items()) if number >= least), "TRACE")


def _logger(name: str) -> logging.Logger:
    return logging.getLogger(None if name == ROOT else name)
