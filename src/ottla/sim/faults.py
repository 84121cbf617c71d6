"""The fault schedule of a run: made from the seed before the run begins, so that it can be printed and cut down.

A run uses a random subset of the fault kinds, each at its own rate. `FaultKind` declares what the product promises to
survive; what breaks a promise on purpose (power loss without fsync) is left out by the budget.
"""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from ottla.sim.rng import SimRng


class FaultKind(Enum):
    KILL = "kill"
    STOP = "stop"
    POWER_LOSS = "power loss"
    CRASH_AT_WRITE = "crash at write"
    CRASH_IN_START = "crash in start"
    PAUSE = "pause"
    SKEW = "skew"
    RESET = "reset"
    CUT = "cut"
    CLOG = "clog"
    SLOW = "slow"
    HEAL = "heal"
    DISK_FULL = "disk full"
    DISK_ROOM = "disk room"
    WRITE_ERROR = "write error"
    SYNC_ERROR = "sync error"
    SLOW_DISK = "slow disk"


#: These lose nothing that was acked, whatever the topic's settings.
HARMLESS = (
    FaultKind.KILL,
    FaultKind.STOP,
    FaultKind.CRASH_AT_WRITE,
    FaultKind.CRASH_IN_START,
    FaultKind.PAUSE,
    FaultKind.SKEW,
    FaultKind.RESET,
    FaultKind.CUT,
    FaultKind.CLOG,
    FaultKind.SLOW,
    FaultKind.DISK_FULL,
    FaultKind.WRITE_ERROR,
    FaultKind.SLOW_DISK,
)
#: These lose what was not synced: only topics that sync before each ack survive them.
NEED_SYNC = (FaultKind.POWER_LOSS, FaultKind.SYNC_ERROR)
#: Kinds that something else must end.
_ENDED_BY = {
    FaultKind.CUT: FaultKind.HEAL,
    FaultKind.CLOG: FaultKind.HEAL,
    FaultKind.SLOW: FaultKind.HEAL,
    FaultKind.DISK_FULL: FaultKind.DISK_ROOM,
}


class Fault(NamedTuple):
    at_ms: int
    kind: FaultKind
    #: What it means depends on the kind: a length in ms, a number of operations, a size in bytes.
    amount: int = 0
    #: Whether un-synced data is lost as well.
    loses_power: bool = False
    #: The worse variant: sectors are lost instead of suffixes; any file fails instead of a log.
    nasty: bool = False

    def __str__(self) -> str:
        marks = " power" * self.loses_power + " nasty" * self.nasty
        return f"{self.at_ms:>6} ms  {self.kind.value} {self.amount}{marks}"


class FaultSchedule(NamedTuple):
    faults: list[Fault]

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults)) or "no faults"


def make_schedule(rng: SimRng, *, duration_ms: int, may_lose_power: bool) -> FaultSchedule:
    """A random schedule with a random subset of the kinds."""
    kinds = rng.some_of(HARMLESS + NEED_SYNC * may_lose_power)
    faults: list[Fault] = []
    if kinds:
        for _ in range(rng.between(1, 8)):
            fault = _random_fault(rng, rng.one_of(kinds), duration_ms, may_lose_power=may_lose_power)
            faults.append(fault)
            faults.extend(_end_of(rng, fault, duration_ms))
    return FaultSchedule(sorted(faults, key=lambda fault: fault.at_ms))


def _random_fault(rng: SimRng, kind: FaultKind, duration_ms: int, *, may_lose_power: bool) -> Fault:
    loses_power = kind is FaultKind.POWER_LOSS
    if kind in (FaultKind.CRASH_AT_WRITE, FaultKind.CRASH_IN_START):
        loses_power = may_lose_power and rng.chance(50)
    return Fault(rng.below(duration_ms), kind, _amount(rng, kind), loses_power, rng.chance(40))


def _amount(rng: SimRng, kind: FaultKind) -> int:
    ranges = {
        FaultKind.KILL: (0, 3_000),
        FaultKind.STOP: (0, 3_000),
        FaultKind.POWER_LOSS: (0, 3_000),
        FaultKind.CRASH_AT_WRITE: (0, 60),
        FaultKind.CRASH_IN_START: (0, 40),
        FaultKind.PAUSE: (10, 4_000),
        # Less than the hour by which a record's timestamp may lie before the broker's clock.
        FaultKind.SKEW: (-1_000_000, 3_600_000),
        FaultKind.SLOW: (1, 200),
        FaultKind.DISK_FULL: (0, 6_000),
        FaultKind.WRITE_ERROR: (0, 400),
        # Which of LostPages.
        FaultKind.SYNC_ERROR: (0, 3),
        FaultKind.SLOW_DISK: (1, 50),
    }
    low, high = ranges.get(kind, (0, 0))
    return rng.between(low, high)


def _end_of(rng: SimRng, fault: Fault, duration_ms: int) -> Iterable[Fault]:
    ended_by = _ENDED_BY.get(fault.kind)
    if ended_by is not None:
        at_ms = rng.between(fault.at_ms, min(duration_ms, fault.at_ms + 5_000))
        yield Fault(at_ms, ended_by)
