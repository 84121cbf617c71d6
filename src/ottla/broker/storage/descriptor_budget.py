"""How the open files that the system allows are shared out: connections, segments, and some to spare.

Without shares a crowd of clients would leave no file to write to, and thousands of partitions no socket to be asked on.
"""

import logging
from typing import NamedTuple

from ottla.config.broker_options import BrokerOptions

_log = logging.getLogger(__name__)

#: Where nothing is set: enough for an ordinary cluster.
_MAX_CONNECTIONS = 10_000
#: For small files that are open for a moment, listeners, locks, pipes of the helper process.
_SPARE_MIN, _SPARE_MAX = 32, 1024
#: With fewer, the node logs a warning when it starts.
_ENOUGH = 4096
_RECOMMENDED = 65_536


class DescriptorBudget(NamedTuple):
    open_files: int
    connections: int
    segment_files: int
    spare: int

    @property
    def flushed_at_once(self) -> int:
        """Logs whose small files may be open for a flush at the same time; there are three flushers."""
        return max(4, self.spare // 8)

    @property
    def files_of_response(self) -> int:
        """Partitions whose records go into one response to Fetch; the others come with the next one."""
        return max(16, self.spare // 2)

    def warn_if_small(self, partition_count: int) -> None:
        if self.open_files < _ENOUGH or partition_count > self.segment_files:
            _log.warning(
                "only %d files can be open at a time (ulimit -n): %d connections, %d segment files for %d partitions; "
                "more are rejected temporarily. Increase the limit to %d if possible",
                self.open_files,
                self.connections,
                self.segment_files,
                partition_count,
                _RECOMMENDED,
            )


def budget_of(options: BrokerOptions, open_files: int) -> DescriptorBudget:
    spare = max(_SPARE_MIN, min(_SPARE_MAX, open_files // 8))
    wanted = min(_MAX_CONNECTIONS, open_files // 2)
    if options.is_set("max.connections"):
        wanted = options.max_connections
    # Not all of them: a broker that cannot open its files is of no use to its clients.
    connections = min(wanted, max(1, open_files - spare - open_files // 4))
    segment_files = max(open_files // 4, open_files - spare - connections)
    return DescriptorBudget(open_files, connections, segment_files, spare)
