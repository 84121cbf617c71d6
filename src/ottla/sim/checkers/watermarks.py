"""logStart <= LSO <= HW <= LEO in every log of a running broker; the recovery point is not above the end."""

from typing import TYPE_CHECKING

from ottla.sim.history import Finding

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode


def watermark_findings(service: "BrokerNode") -> list[Finding]:
    findings: list[Finding] = []
    for leader in service.partitions:
        log = leader.log
        marks = (log.log_start_offset, log.last_stable_offset, log.high_watermark, log.end_offset)
        if tuple(sorted(marks)) != marks:
            findings.append(Finding("watermarks-out-of-order", f"{log.topic_partition}: {marks}"))
        if log.recovery_point > log.end_offset:
            text = f"{log.topic_partition}: recovery point {log.recovery_point}, end {log.end_offset}"
            findings.append(Finding("recovery-point-above-end", text))
    return findings
