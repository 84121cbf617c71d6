"""The program's loggers as a config resource (KIP-412): their levels in Kafka's words, read and changed.

Only loggers of Ottla are shown, and the root. Levels live in the process: they are gone after a restart, as in Kafka.
"""

import logging

from ottla.config.alter import ROOT_LOGGER, Written

_TRACE = 5
_WORDS = {
    logging.CRITICAL: "FATAL",
    logging.ERROR: "ERROR",
    logging.WARNING: "WARN",
    logging.INFO: "INFO",
    logging.DEBUG: "DEBUG",
    _TRACE: "TRACE",
}
_LEVELS = {word: level for level, word in _WORDS.items()}
_PACKAGE = "ottla"


def levels() -> dict[str, str]:
    """Logger name -> the level that counts for it, by name."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == _PACKAGE]
    found = {name: _word(logging.getLogger(name).getEffectiveLevel()) for name in sorted(names)}
    found[ROOT_LOGGER] = _word(logging.root.level)
    return found


def set_levels(written: Written) -> None:
    """None takes a logger back to what its parent has."""
    for name, word in written.items():
        logger = logging.root if name == ROOT_LOGGER else logging.getLogger(name)
        logger.setLevel(logging.NOTSET if word is None else _LEVELS[word])


def _word(level: int) -> str:
    """The nearest word that lets at least as much through."""
    for known in sorted(_WORDS, reverse=True):
        if level >= known:
            return _WORDS[known]
    return "TRACE"
