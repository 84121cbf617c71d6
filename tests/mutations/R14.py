"""R14 (own, recovery): a producer snapshot that is newer than the log is loaded unchecked."""

from collections.abc import Callable
from typing import Any

from ottla.log.files.small_files import read_if_exists
from ottla.log.producers.snapshots import decode_snapshot
from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

TARGET = "ottla.log.producers.snapshots.Snapshots.load_newest"
FINDINGS = ("state-differs-from-log-fold",)
SCENARIO = Scenario(
    tuple(
        Fault(250 * (i + 1), FaultKind.CRASH_AT_WRITE, i * 7 % 23, loses_power=True, nasty=i % 3 > 0) for i in range(24)
    ),
    syncs=True,
    segment_bytes=2400,
    max_executor_delay_ms=160,
)


def planted(original: Callable[..., int]) -> Callable[..., int]:
    def load_newest(self: Any, producers: Any, limit: int) -> int:
        while self.offsets:
            data = read_if_exists(self._directory.disk, self._directory.file_path(self.newest, ".snapshot"))
            try:
                producers.load(decode_snapshot(data))
            except ValueError:
                self._remove(self.newest)
                continue
            newest: int = self.newest
            return newest
        producers.load([])
        return -1

    return load_newest
