"""An idempotent producer's value is in the log at most once."""

from ottla.sim.history import Finding, History


def duplicate_findings(history: History) -> list[Finding]:
    findings: list[Finding] = []
    for partition, reads in history.final.items():
        first_offsets: dict[bytes, int] = {}
        for read in reads:
            first = first_offsets.setdefault(read.value, read.offset)
            sent = history.sent.get(read.value)
            if first != read.offset and sent is not None and sent.is_idempotent:
                name = read.value[:40].decode(errors="replace")
                findings.append(Finding("duplicate", f"{name} is at {partition} {first} and {read.offset}"))
    return findings
