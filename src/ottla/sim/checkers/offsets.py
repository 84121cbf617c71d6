"""An offset holds the same record forever, and nobody sees offsets go back."""

from ottla.model.topic import TopicPartition
from ottla.sim.history import Finding, History


def offset_findings(history: History) -> list[Finding]:
    """inconsistent-offsets: one offset, two values. read-vanished: read once, gone at the end."""
    findings: list[Finding] = []
    values: dict[tuple[TopicPartition, int], bytes] = {}
    for partition, reads in history.final.items():
        for read in reads:
            values[(partition, read.offset)] = read.value
    for read in history.reads:
        known = values.setdefault((read.partition, read.offset), read.value)
        if known != read.value:
            text = f"{read.partition} {read.offset} is {_name(known)} and was {_name(read.value)} for {read.consumer}"
            findings.append(Finding("inconsistent-offsets", text))
    findings.extend(_vanished(history))
    return findings


def _vanished(history: History) -> list[Finding]:
    ends = {partition: reads[-1].offset + 1 if reads else 0 for partition, reads in history.final.items()}
    return [
        Finding("read-vanished", f"{read.consumer} read {_name(read.value)} at {read.partition} {read.offset}")
        for read in history.reads
        if read.partition in ends and read.offset >= ends[read.partition]
    ]


def _name(value: bytes) -> str:
    return value[:40].decode(errors="replace")
