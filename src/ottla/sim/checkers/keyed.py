"""Compacted topics: of every key the last committed value is there, and nothing that was aborted ever."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ottla.sim.history import Finding


class KeyedWrite(NamedTuple):
    """What a writer sent for a key; `value` None: it deleted the key. `committed` None: the response never came."""

    key: bytes
    value: bytes | None
    committed: bool | None


def aborted_read_findings(seen: Sequence[bytes], writes: Mapping[bytes, KeyedWrite]) -> list[Finding]:
    """`seen`: values that read_committed readers were shown at any time; `writes` by value."""
    shown = dict.fromkeys(value for value in seen if value in writes and writes[value].committed is False)
    return [Finding("G1a", f"{value!r} was aborted and was read") for value in shown]


def last_value_findings(state: Mapping[bytes, bytes], writes: Sequence[KeyedWrite]) -> list[Finding]:
    """`state`: what a reader of the whole log has of each key at the end; `writes` in the order they were sent."""
    possible: dict[bytes, dict[bytes | None, None]] = {}
    for write in writes:
        if write.committed:
            possible[write.key] = {write.value: None}
        elif write.committed is None:
            possible.setdefault(write.key, {None: None})[write.value] = None
    findings = []
    for key in sorted({*possible, *state}):
        value, allowed = state.get(key), possible.get(key, {None: None})
        if value in allowed:
            continue
        if value is None:
            findings.append(Finding("lost", f"{key!r} has no value, {list(allowed)} was committed"))
        else:
            findings.append(Finding("key-came-back", f"{key!r} is {value!r} instead of {list(allowed)}"))
    return findings
