"""Every value in a log was sent, and to that partition."""

from ottla.sim.history import Finding, History


def origin_findings(history: History) -> list[Finding]:
    """phantom: nobody has sent it. wrong-place: it was sent to another partition."""
    findings: list[Finding] = []
    seen = [read for reads in history.final.values() for read in reads] + history.reads
    for read in seen:
        sent = history.sent.get(read.value)
        name = read.value[:40].decode(errors="replace")
        if sent is None:
            findings.append(Finding("phantom", f"{name} at {read.partition} {read.offset} was never sent"))
        elif sent.partition != read.partition:
            findings.append(Finding("wrong-place", f"{name} was sent to {sent.partition}, is in {read.partition}"))
    return findings
