"""Transfers: every number is in all partitions of its transaction, or in none, and once."""

from collections import Counter
from collections.abc import Mapping

from ottla.model.topic import TopicPartition
from ottla.sim.checkers.once import once_findings
from ottla.sim.history import Finding


def transfer_findings(
    outcomes: Mapping[bytes, bool | None], seen: Mapping[TopicPartition, list[bytes]]
) -> list[Finding]:
    """`seen` is what a read_committed reader was shown at the end."""
    counted = {partition: Counter(values) for partition, values in seen.items()}
    findings = once_findings(counted, outcomes)
    for value, committed in outcomes.items():
        places = [partition for partition, counts in counted.items() if value in counts]
        if committed is False and places:
            findings.append(Finding("G1a", f"{value!r} was aborted and is in {', '.join(map(str, places))}"))
        elif committed and not places:
            findings.append(Finding("lost", f"{value!r} was committed and is nowhere"))
        elif places and len(places) < len(counted):
            findings.append(Finding("torn-txn", f"{value!r} is only in {', '.join(map(str, places))}"))
    return findings
