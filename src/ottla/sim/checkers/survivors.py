"""Topics that do not sync, after power loss: records may be gone, those that are left show what was decided."""

from collections import Counter
from collections.abc import Mapping

from ottla.model.topic import TopicPartition
from ottla.sim.checkers.once import once_findings
from ottla.sim.history import Finding


def survivor_findings(
    outcomes: Mapping[bytes, bool | None],
    left: Mapping[TopicPartition, list[bytes]],
    seen: Mapping[TopicPartition, list[bytes]],
) -> list[Finding]:
    """`left` is all that the logs still hold, `seen` what a read_committed reader was shown of it.

    Of a transaction whose EndTxn got no response nobody knows the decision, but it is one for all partitions.
    """
    findings = once_findings({partition: Counter(values) for partition, values in left.items()}, outcomes)
    shown: dict[bytes, list[TopicPartition]] = {}
    hidden: dict[bytes, list[TopicPartition]] = {}
    for partition, values in left.items():
        visible = set(seen[partition])
        for value in values:
            (shown if value in visible else hidden).setdefault(value, []).append(partition)
    for value, committed in outcomes.items():
        if committed is False and value in shown:
            findings.append(Finding("G1a", f"{value!r} was aborted and is shown in {_names(shown[value])}"))
        elif committed and value in hidden:
            findings.append(Finding("hidden", f"{value!r} was committed and is not shown in {_names(hidden[value])}"))
        elif value in shown and value in hidden:
            text = f"{value!r} is shown in {_names(shown[value])} and not in {_names(hidden[value])}"
            findings.append(Finding("torn-txn", text))
    return findings


def _names(partitions: list[TopicPartition]) -> str:
    return ", ".join(map(str, partitions))
