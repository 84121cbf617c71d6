"""How the last run in a log directory ended, and what that means for its data.

CLEAN          the mark `.kafka_cleanshutdown` is there: everything was synced.
PROCESS_CRASH  no mark, but the machine, the directory and the mount are those of the last run, and that run saw no disk
               error: the page cache survived. The tail may be torn, but nothing that was acknowledged is lost.
POWER_LOSS     anything else: what was not synced may be gone. The replica must not claim to be in sync.

Without the middle case, kill -9 of all brokers would leave partitions with no eligible leader. `.ottla_boot` is the
memory for it: written at each start. A disk error renames it to `.ottla_disk_error`: as long as the machine has not
been started since, the page cache may show what the device never got (`lost_pages`), and is not to be trusted.
"""

import json
import posixpath
from enum import IntEnum
from typing import Final, NamedTuple

from ottla.doors.disk import Disk
from ottla.log.files.disk_errors import BOOT_NAME, ERROR_NAME
from ottla.log.files.small_files import read_whole, write_atomically
from ottla.log.store.checkpoints import CLEANER_OFFSETS, HIGH_WATERMARKS, LOG_START_OFFSETS, RECOVERY_POINTS

MARK_NAME: Final = ".kafka_cleanshutdown"
NO_BROKER_EPOCH: Final = -1
_HELD_CLOCK: Final = "heldClockMs"
#: Files that are written again and again while a node runs, and when it stops.
_SIGNS_OF_LIFE: Final = (
    BOOT_NAME,
    MARK_NAME,
    RECOVERY_POINTS,
    HIGH_WATERMARKS,
    LOG_START_OFFSETS,
    CLEANER_OFFSETS,
)


class LastEnd(IntEnum):
    """Ordered: of several directories the largest counts."""

    CLEAN = 0
    PROCESS_CRASH = 1
    POWER_LOSS = 2


class LastRun(NamedTuple):
    end: LastEnd
    #: The epoch under which the broker ran; -1 when that is not known or worth nothing.
    broker_epoch: int
    #: A run of this boot has seen a disk error: what the page cache shows may not be on the device.
    has_seen_error: bool = False


def read_last_run(disk: Disk, directory: str, directory_id: bytes) -> LastRun:
    identity = disk.boot_identity(directory)
    if disk.exists(posixpath.join(directory, ERROR_NAME)):
        failed = _read_json(disk, posixpath.join(directory, ERROR_NAME))
        # What another boot has left in memory is gone. Without an identity that is unknown.
        if not identity.strip() or failed.get("boot") == identity:
            return LastRun(LastEnd.POWER_LOSS, NO_BROKER_EPOCH, has_seen_error=True)
    marked_epoch = _read_mark(disk, directory)
    if marked_epoch is not None:
        return LastRun(LastEnd.CLEAN, marked_epoch)
    boot = _read_json(disk, posixpath.join(directory, BOOT_NAME))
    if identity.strip() and boot.get("boot") == identity and boot.get("directory.id") == directory_id.hex():
        return LastRun(LastEnd.PROCESS_CRASH, _epoch(boot))
    return LastRun(LastEnd.POWER_LOSS, NO_BROKER_EPOCH)


class LastAlive(NamedTuple):
    """When the last run was alive. `is_held`: it did not trust the clock, and this is the time that it went by."""

    time_ms: int
    is_held: bool


def read_last_alive(disk: Disk, directory: str) -> LastAlive | None:
    """None in a new directory. To be called before anything is written."""
    boot = _read_json(disk, posixpath.join(directory, BOOT_NAME))
    held_ms = (boot or _read_json(disk, posixpath.join(directory, ERROR_NAME))).get(_HELD_CLOCK)
    if isinstance(held_ms, int):
        return LastAlive(held_ms, is_held=True)
    paths = [posixpath.join(directory, name) for name in _SIGNS_OF_LIFE]
    times_ms = [disk.modified_ms(path) for path in paths if disk.exists(path)]
    return LastAlive(max(times_ms), is_held=False) if times_ms else None


def begin_run(
    disk: Disk,
    directory: str,
    directory_id: bytes,
    broker_epoch: int = NO_BROKER_EPOCH,
    held_clock_ms: int | None = None,
) -> None:
    """Remembers this boot, then takes the mark away. Called again when the broker epoch is known.

    `held_clock_ms` is the time that retention goes by as long as it does not trust the clock. From then on the times of
    files do not count.
    """
    boot: dict[str, object] = {
        "version": 0,
        "boot": disk.boot_identity(directory),
        "directory.id": directory_id.hex(),
        "brokerEpoch": broker_epoch,
    }
    if held_clock_ms is not None:
        boot[_HELD_CLOCK] = held_clock_ms
    write_atomically(disk, posixpath.join(directory, BOOT_NAME), json.dumps(boot).encode())
    mark = posixpath.join(directory, MARK_NAME)
    if disk.exists(mark):
        disk.remove(mark)
        disk.sync_directory(directory)


def end_run(disk: Disk, directory: str, broker_epoch: int) -> None:
    """Only after all data and checkpoints of the directory are synced."""
    content = json.dumps({"version": 0, "brokerEpoch": broker_epoch}, separators=(",", ":"))
    write_atomically(disk, posixpath.join(directory, MARK_NAME), content.encode())


def _read_mark(disk: Disk, directory: str) -> int | None:
    path = posixpath.join(directory, MARK_NAME)
    if not disk.exists(path):
        return None
    # An empty or broken mark is still a mark: Kafka before 3.8 wrote it without content.
    return _epoch(_read_json(disk, path))


def _read_json(disk: Disk, path: str) -> dict[str, object]:
    try:
        value = json.loads(read_whole(disk, path))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _epoch(content: dict[str, object]) -> int:
    epoch = content.get("brokerEpoch")
    return epoch if isinstance(epoch, int) and not isinstance(epoch, bool) else NO_BROKER_EPOCH
