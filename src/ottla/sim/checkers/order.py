"""An idempotent producer's values are in the log in the order in which they were sent, without gaps below an ack."""

from ottla.model.topic import TopicPartition
from ottla.sim.history import Finding, History


def order_findings(history: History) -> list[Finding]:
    """nonmonotonic-send: a later value before an earlier one. offset-gap: an offset without a record."""
    findings: list[Finding] = []
    for partition, reads in history.final.items():
        last_numbers: dict[str, int] = {}
        expected_offset = reads[0].offset if reads else 0
        for read in reads:
            if read.offset != expected_offset:
                findings.append(Finding("offset-gap", f"{partition}: {read.offset} follows {expected_offset - 1}"))
            expected_offset = read.offset + 1
            findings.extend(_out_of_order(history, partition, read.value, last_numbers))
    return findings


def _out_of_order(
    history: History, partition: TopicPartition, value: bytes, last_numbers: dict[str, int]
) -> list[Finding]:
    sent = history.sent.get(value)
    if sent is None or not sent.is_idempotent:
        return []
    last = last_numbers.get(sent.producer, -1)
    last_numbers[sent.producer] = max(last, sent.number)
    if sent.number >= last:
        return []
    return [Finding("nonmonotonic-send", f"{partition}: {sent.producer}'s value {sent.number} comes after {last}")]
