"""How far down a log was cut, until its recovery point is saved again.

The recovery point is kept in a checkpoint of the whole log directory, which is written now and then. When a log is
cut below it and grows again, a crash would find new, un-synced bytes below an old recovery point and call them
corrupt. So the cut is noted next to the log before it is done, and the lower of the two counts.
"""

import contextlib

from ottla.doors.disk import Disk
from ottla.log.file_names import TRUNCATION_NOTE as FILE_NAME
from ottla.log.flush import write_synced
from ottla.log.segment import read_whole

__all__ = ["FILE_NAME", "lowered", "remove", "write"]


def write(disk: Disk, path: str, offset: int) -> None:
    write_synced(disk, f"{path}/{FILE_NAME}", f"{offset}\n".encode())
    disk.sync_directory(path)


def lowered(disk: Disk, path: str, names: list[str], recovery_point: int) -> int:
    if FILE_NAME not in names:
        return recovery_point
    text = read_whole(disk, f"{path}/{FILE_NAME}").strip()
    return min(recovery_point, int(text)) if text.isdigit() else 0


def remove(disk: Disk, path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        disk.remove(f"{path}/{FILE_NAME}")
