"""`partition.metadata`: the id of the topic that a directory belongs to."""

import contextlib
from typing import Final

from ottla.doors.disk import Disk
from ottla.log.files.small_files import read_if_exists
from ottla.model.topic import id_from_text, id_text

FILE_NAME: Final = "partition.metadata"


def load(disk: Disk, path: str, names: list[str]) -> bytes | None:
    """The id in the file; None where there is none."""
    return decode(read_if_exists(disk, f"{path}/{FILE_NAME}")) if FILE_NAME in names else None


def read(disk: Disk, path: str) -> bytes | None:
    """The id of the topic that the directory at `path` belongs to; None where that is unknown."""
    with contextlib.suppress(OSError):
        return decode(read_if_exists(disk, f"{path}/{FILE_NAME}"))
    return None


def write(disk: Disk, path: str, topic_id: bytes) -> None:
    """Not synced: the first flush of the partition does it, and without data the id is not needed."""
    disk.open(f"{path}/{FILE_NAME}", create=True).write_at(0, encode(topic_id))


def encode(topic_id: bytes) -> bytes:
    return f"version: 0\ntopic_id: {id_text(topic_id)}".encode()


def decode(data: bytes) -> bytes | None:
    """None when the bytes are no such file."""
    fields = dict(line.partition(": ")[::2] for line in data.decode("ascii", "replace").splitlines())
    if fields.get("version", "").strip() == "0":
        with contextlib.suppress(ValueError):
            return id_from_text(fields.get("topic_id", "").strip())
    return None
