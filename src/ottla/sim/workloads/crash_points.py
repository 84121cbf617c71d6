"""All the points at which one short story can be cut off: before, in, and right after each change of the disk.

A story makes the same changes in the same order each time, up to the crash. So one run without a crash shows how many
there are, and then each of them can be the last, in each of the ways in which a process or a machine ends.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from ottla.sim.disk_faults import DiskFaults, Operation
from ottla.sim.node import SimNode


class Moment(Enum):
    BEFORE = "before"
    #: Half of the bytes of a write are in the file.
    HALF = "half of"
    #: The change is done, and the process does nothing after it: no response is sent.
    AFTER = "right after"


class Loss(Enum):
    """What the disk loses of that which was not synced."""

    NOTHING = "kill -9"
    EVERYTHING = "power loss, nothing unsynced stays"
    A_SUFFIX = "power loss, what was written last is lost"
    SECTORS = "power loss, sectors are lost anywhere"


class CrashPoint(NamedTuple):
    """`number` is that of the operation among those of the broker's first life."""

    number: int
    operation: Operation
    moment: Moment
    loss: Loss

    def __str__(self) -> str:
        kind, path = self.operation.kind, self.operation.path
        return f"{self.moment.value} {kind} {path} (operation {self.number}), {self.loss.value}"

    def faults(self) -> DiskFaults:
        faults = DiskFaults()
        if self.moment is Moment.AFTER:
            faults.crash_after(self.number)
        else:
            written_bytes = self.operation.size // 2 if self.moment is Moment.HALF else 0
            faults.crash_at(self.number, written_bytes=written_bytes)
        return faults

    def lose(self, node: SimNode) -> None:
        """What becomes of the disk of a process that has just died there."""
        if self.loss is Loss.EVERYTHING:
            node.image = node.disk.power_loss(KeepsNothing())
        elif self.loss is not Loss.NOTHING:
            node.lose_power(nasty=self.loss is Loss.SECTORS)


def crash_points(operations: Sequence[Operation]) -> Iterator[CrashPoint]:
    for operation in operations:
        for moment in Moment:
            if moment is Moment.HALF and (operation.kind != "write" or operation.size < 2):
                continue
            for loss in Loss:
                yield CrashPoint(operation.number, operation, moment, loss)


class KeepsNothing:
    """An Rng that never keeps anything."""

    def below(self, limit: int) -> int:
        return 0

    def random_bytes(self, count: int) -> bytes:
        return bytes(count)

    def uuid(self) -> bytes:
        return bytes(16)
