"""Spellings of other releases of Kafka: renamed, without effect, removed. One warning on stderr for each."""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click


class OldFlag(NamedTuple):
    """`now` is the flag that replaces it; without one it has no effect. `removed` names what to do instead."""

    flag: str
    now: str | None = None
    takes_value: bool = True
    removed: str | None = None


def renamed(flag: str, now: str) -> OldFlag:
    return OldFlag(flag, now)


def without_effect(flag: str, *, takes_value: bool = True) -> OldFlag:
    return OldFlag(flag, None, takes_value)


BOOTSTRAP_SERVERS = (renamed("--bootstrap-servers", "--bootstrap-server"),)
BROKER_LIST = (renamed("--broker-list", "--bootstrap-server"), *BOOTSTRAP_SERVERS)
_ZOOKEEPER = "Kafka has no ZooKeeper any more; use --bootstrap-server HOST:PORT"
_AUTHORIZER = "ACLs are changed through a broker; use --bootstrap-server HOST:PORT"
#: Flags that Kafka removed from all tools.
_REMOVED = (
    OldFlag("--zookeeper", removed=_ZOOKEEPER),
    OldFlag("--zk-tls-config-file", removed=_ZOOKEEPER),
    OldFlag("--authorizer", removed=_AUTHORIZER),
    OldFlag("--authorizer-properties", removed=_AUTHORIZER),
)


def with_new_spellings(
    context: click.Context, words: Sequence[str], old: Sequence[OldFlag], many_values: Sequence[str]
) -> list[str]:
    """The words of a command line with the flags of today. Raises click.UsageError for removed flags."""
    table = {each.flag: each for each in (*_REMOVED, *BOOTSTRAP_SERVERS, *old)}
    takes_value = {name for option in context.command.params if _takes_value(option) for name in option.opts}
    warned: set[str] = set()
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        flag, equals, _ = word.partition("=")
        row = table.get(flag)
        if row is None:
            found.append(word)
            if word in takes_value and word not in many_values:
                found.extend(_next(rest))
        elif row.removed is not None:
            raise click.UsageError(f"{flag}: {row.removed}", context)
        else:
            _warn(row, warned)
            values = [] if equals or not row.takes_value else _next(rest)
            if row.now is not None:
                found += [row.now + word[len(flag) :], *values]
    return _spread(found, [*many_values, *(each.now for each in old if each.now in many_values and each.now)])


def _takes_value(option: click.Parameter) -> bool:
    optional = getattr(option, "_flag_needs_value", False)
    is_flag = getattr(option, "is_flag", False) or getattr(option, "count", False)
    return isinstance(option, click.Option) and not is_flag and not optional


def _next(words: Iterator[str]) -> list[str]:
    """The value of a flag, whatever it looks like."""
    return [word for _, word in zip(range(1), words, strict=False)]


def _warn(row: OldFlag, warned: set[str]) -> None:
    if row.flag not in warned:
        warned.add(row.flag)
        advice = f"use {row.now}" if row.now else "it has no effect"
        print(f"warning: {row.flag} is an old spelling; {advice}", file=sys.stderr)


def _spread(words: Sequence[str], many_values: Sequence[str]) -> list[str]:
    """`--x a b` becomes `--x a --x b` for the options that take several values."""
    found: list[str] = []
    current: str | None = None
    for word in words:
        if word.startswith("--"):
            current = word if word in many_values else None
            if current is None:
                found.append(word)
        elif current is not None:
            found += [current, word]
        else:
            found.append(word)
    return found
