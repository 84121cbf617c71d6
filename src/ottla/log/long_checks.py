"""Checks of batches whose records are too many to be walked while others wait.

    try: log.append_as_leader(batch, ...)
    except TakesLong: log.remember(await executor.run(check_apart, *log.long_check(batch, now_ms)))   and again

What was checked is good for the rules under which it was; after a change of the topic's options it takes long again.
"""

from typing import NamedTuple

from ottla.doors.disk import Buffer
from ottla.log.append_checks import AppendRules, check_client_batch, in_forced_codec
from ottla.model.errors import Refused
from ottla.records.batch import BatchHeader, read_header


class CheckedBatch(NamedTuple):
    """What came, under which rules it was checked, and what may be appended: the batch in the codec of the topic."""

    data: Buffer
    rules: AppendRules
    batch: bytearray | memoryview
    header: BatchHeader
    refusal: Refused | None


def check_apart(data: bytearray | memoryview, rules: AppendRules, now_ms: int) -> CheckedBatch:
    """Does what an append of a client's batch does first, however many records there are. Not for the event loop."""
    header, batch = read_header(data), data
    rules_apart = rules.for_long_walks()
    try:
        header = check_client_batch(data, rules_apart, now_ms)
        batch, header = in_forced_codec(data, header, rules_apart)
    except Refused as refusal:
        return CheckedBatch(data, rules, data, header, refusal)
    return CheckedBatch(data, rules, batch, header, None)
