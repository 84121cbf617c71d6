"""What was acknowledged is there, at the offset that the acknowledgement named."""

from ottla.model.topic import TopicPartition
from ottla.sim.history import Acked, Finding, History


def acknowledged_findings(history: History) -> list[Finding]:
    """lost-write: an acked value is nowhere. ack-offset: it is at another offset than its ack named."""
    found_at = {partition: {read.offset: read.value for read in reads} for partition, reads in history.final.items()}
    places: dict[tuple[TopicPartition, bytes], int] = {
        (partition, read.value): read.offset for partition, reads in history.final.items() for read in reads
    }
    findings: list[Finding] = []
    for acked in history.acked:
        if acked.partition in found_at:
            findings.extend(_missing(acked, found_at[acked.partition], places))
    return findings


def _missing(acked: Acked, values: dict[int, bytes], places: dict[tuple[TopicPartition, bytes], int]) -> list[Finding]:
    findings = []
    for i, value in enumerate(acked.values):
        offset = acked.base_offset + i
        if values.get(offset) == value:
            continue
        where = places.get((acked.partition, value))
        name = value[:40].decode(errors="replace")
        if where is None:
            findings.append(Finding("lost-write", f"{name} was acked at {acked.partition} {offset} and is not there"))
        else:
            text = f"{name} was acked at {acked.partition} {offset} and is at {where}"
            findings.append(Finding("ack-offset-differs-from-log", text))
    return findings
