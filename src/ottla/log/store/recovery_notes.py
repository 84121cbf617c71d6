"""What opening the logs of a node had to check and to truncate, logged for the operator."""

import logging
from typing import Final

from ottla.log.recovery.recovered_log import RecoveryReport
from ottla.log.store.clean_shutdown import LastEnd
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

#: A power loss may cut thousands of logs: the sum is enough then.
MAX_LINES: Final = 20
_ENDS: Final = {
    LastEnd.CLEAN: "in order",
    LastEnd.PROCESS_CRASH: "by kill -9 or a crash",
    LastEnd.POWER_LOSS: "by power loss, or in an unknown way",
}


class RecoveryNotes:
    """One for each start."""

    def __init__(self) -> None:
        self._checked_count = 0
        self._checked_bytes = 0
        self._cut_count = 0
        self._cut_bytes = 0

    def note(self, topic_partition: TopicPartition, report: RecoveryReport) -> None:
        if report.checked_bytes:
            self._checked_count += 1
            self._checked_bytes += report.checked_bytes
        if report.cut_bytes:
            self._cut_count += 1
            self._cut_bytes += report.cut_bytes
            if self._cut_count <= MAX_LINES:
                _log.warning(
                    "%s: truncated %d bytes that are not complete batches: %s",
                    topic_partition,
                    report.cut_bytes,
                    report.cut_reason,
                )

    def sum_up(self, last_end: LastEnd) -> None:
        """Silent after a stop in order and on a new directory: there is nothing to check then."""
        if self._checked_count or self._cut_count:
            _log.info(
                "the last run ended %s: checked %d bytes of %d partitions, truncated %d bytes of %d of them",
                _ENDS[last_end],
                self._checked_bytes,
                self._checked_count,
                self._cut_bytes,
                self._cut_count,
            )
