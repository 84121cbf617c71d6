"""Copies: whatever was put in is in every output once; all of it, when the copiers have reported that they are done."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ottla.model.topic import TopicPartition
from ottla.sim.checkers.once import once_findings
from ottla.sim.history import Finding


def copy_findings(
    put_in: Sequence[bytes], seen: Mapping[TopicPartition, list[bytes]], *, is_complete: bool
) -> list[Finding]:
    """`seen` is what a read_committed reader of each output was shown at the end."""
    known = dict.fromkeys(put_in)
    counted = {partition: Counter(values) for partition, values in seen.items()}
    findings = once_findings(counted, known)
    for value in known:
        places = [partition for partition, counts in counted.items() if value in counts]
        if places and len(places) < len(counted):
            findings.append(Finding("torn-txn", f"{value!r} is only in {', '.join(map(str, places))}"))
        elif is_complete and not places:
            findings.append(Finding("lost", f"{value!r} was read, its offset is committed, and it is in no output"))
    return findings
