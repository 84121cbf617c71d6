"""What a value of a setting may be. A check gives the reason why a value is refused, or None, and describes itself.

The reasons are worded as Kafka words them: tools show them to people who know Kafka.
"""

import re
from collections.abc import Callable

# Compiled when they are needed, not when the module is loaded.
_THROTTLED = r"\d+:\d+\Z"
_CONNECTION_LIMIT = r"[^:,\s].*:\s*\d{1,10}\Z"
_REPLICAS = "[partitionId]:[brokerId],[partitionId]:[brokerId],..."
_DURATION = r"(?i)(?=.*\d)P(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?\Z"


class Check:
    """A rule and its description for the reference page."""

    __slots__ = ("description", "reason")

    def __init__(self, description: str, reason: Callable[[object], str | None]) -> None:
        self.description = description
        self.reason = reason

    def __repr__(self) -> str:
        return f"Check({self.description})"


def at_least(least: float) -> Check:
    def reason(value: object) -> str | None:
        return f"Value must be at least {least}" if isinstance(value, int | float) and value < least else None

    return Check(f"[{least},...]", reason)


def between(least: float, most: float) -> Check:
    def reason(value: object) -> str | None:
        if not isinstance(value, int | float):
            return None
        if value < least:
            return f"Value must be at least {least}"
        return f"Value must be no more than {most}" if value > most else None

    return Check(f"[{least},...,{most}]", reason)


def between_or(least: int, most: int, extra: int) -> Check:
    """A range, and one value outside of it that means "the usual"."""

    def reason(value: object) -> str | None:
        if not isinstance(value, int) or value == extra or least <= value <= most:
            return None
        return f"Value must be between {least} and {most} or equal to {extra}"

    return Check(f"[{least},...,{most}] or {extra}", reason)


def one_of(*choices: str) -> Check:
    def reason(value: object) -> str | None:
        return None if value in choices else f"String must be one of: {', '.join(choices)}"

    return Check(f"[{', '.join(choices)}]", reason)


def one_of_any_case(*choices: str) -> Check:
    def reason(value: object) -> str | None:
        if isinstance(value, str) and value.upper() in choices:
            return None
        return f"String must be one of (case insensitive): {', '.join(choices)}"

    return Check(f"(case insensitive) [{', '.join(choices)}]", reason)


def non_null() -> Check:
    return Check("non-null string", lambda value: "entry must be non null" if value is None else None)


def non_empty() -> Check:
    return Check("non-empty string", lambda value: "String must be non-empty" if value == "" else None)


def no_blank_entries() -> Check:
    return Check("", _blank_entry)


def non_empty_entries() -> Check:
    return Check("non-empty list", _blank_entry)


def subset_of(*choices: str, may_be_empty: bool = True) -> Check:
    """A list of entries out of `choices`."""

    def reason(value: object) -> str | None:
        if not isinstance(value, tuple):
            return None
        if not value and not may_be_empty:
            return "values must not be empty"
        strangers = [entry for entry in value if entry not in choices]
        return _blank_entry(value) or (f"String must be one of: {', '.join(choices)}" if strangers else None)

    return Check(f"[{', '.join(choices)}]", reason)


def throttled_replicas() -> Check:
    """`*`, or pairs of partition and broker."""

    def reason(value: object) -> str | None:
        entries = [entry.strip() for entry in value if entry.strip()] if isinstance(value, tuple) else []
        if entries == ["*"]:
            return None
        if all(re.match(_THROTTLED, entry) for entry in entries):
            return None
        return f"must be the literal '*' or a list of replicas in the following format: {_REPLICAS}"

    return Check(_REPLICAS, reason)


def connection_limits() -> Check:
    """Empty, or `address:number` pairs with commas between."""

    def reason(value: object) -> str | None:
        parts = [part.strip() for part in str(value).split(",")] if value else []
        wrong = [part for part in parts if not re.match(_CONNECTION_LIMIT, part)]
        return f"{wrong[0]!r} is not of the form address:number" if wrong else None

    return Check("", reason)


def share_offset_reset() -> Check:
    return _reset_policy("latest", "earliest")


def offset_reset() -> Check:
    return _reset_policy("latest", "earliest", "none")


def _reset_policy(*words: str) -> Check:
    def reason(value: object) -> str | None:
        if value in words:
            return None
        prefix, _, duration = str(value).partition(":")
        if prefix == "by_duration" and re.match(_DURATION, duration):
            return None
        return f"must be one of {', '.join(words)}, or of the format by_duration:<ISO-8601 duration>"

    return Check(f"[{', '.join(words)}, by_duration:PnDTnHnMn.nS]", reason)


def _blank_entry(value: object) -> str | None:
    return "values must not be empty" if isinstance(value, tuple) and "" in value else None
