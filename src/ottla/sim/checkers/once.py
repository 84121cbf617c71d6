"""What a read_committed reader was shown: every value once, and none that nobody wrote."""

from collections import Counter
from collections.abc import Container, Mapping

from ottla.model.topic import TopicPartition
from ottla.sim.history import Finding


def once_findings(counted: Mapping[TopicPartition, Counter[bytes]], written: Container[bytes]) -> list[Finding]:
    findings = []
    for partition, counts in counted.items():
        for value, count in counts.items():
            if count > 1:
                findings.append(Finding("duplicate", f"{value!r} is {count} times in {partition}"))
            if value not in written:
                findings.append(Finding("made-up", f"{value!r} in {partition} was never written"))
    return findings
