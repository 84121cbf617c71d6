"""Checks of batches whose records are too many to be walked while others wait.

    try: log.append_as_leader(batch, ...)
    except TakesLong: log.remember(await executor.run(check_apart, *log.long_check(batch, now_ms)))   and again

What was checked is good for the rules under which it was; after a change of the topic's options it takes long again.
"""

from typing import NamedTuple

from ottla.doors.disk import Buffer
from ottla.log.append_checks import Accepted, AppendRules, check_client_batch, in_forced_codec
from ottla.model.errors import Refused


class CheckedBatch(NamedTuple):
    """What came, under which rules it was checked, and what may be appended: the batch in the codec of the topic."""

    data: Buffer
    rules: AppendRules
    batch: bytearray | memoryview
    outcome: Accepted | Refused


def check_apart(data: bytearray | memoryview, rules: AppendRules, now_ms: int) -> CheckedBatch:
    """Does what an append of a client's batch does first, however many records there are. Not for the event loop."""
    rules_apart = rules.for_long_walks()
    try:
        accepted = check_client_batch(data, rules_apart, now_ms)
        batch, accepted = in_forced_codec(data, accepted, rules_apart)
    except Refused as refusal:
        return CheckedBatch(data, rules, data, refusal)
    return CheckedBatch(data, rules, batch, accepted)
