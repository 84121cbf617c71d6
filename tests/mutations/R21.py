"""R21 (own, Python): an ack is given while the bytes are still in a buffer of the process."""

from collections.abc import Callable
from typing import Any

from ottla.doors.disk import Buffer, File
from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

TARGET = "ottla.log.segments.segment.Segment._open_file"
FINDINGS = ("lost-write",)
SCENARIO = Scenario(tuple(Fault(at_ms, FaultKind.KILL, 50) for at_ms in range(300, 3000, 300)), syncs=False)
BUFFER_BYTES = 4096


class BufferedFile:
    """As Python's own file objects do it: writes that follow each other are collected."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._start = 0
        self._collected = bytearray()
        self.path = file.path

    def _flush(self) -> None:
        if self._collected:
            data, self._collected = bytes(self._collected), bytearray()
            self._file.write_at(self._start, data)

    def write_at(self, position: int, data: Buffer) -> None:
        if position != self._start + len(self._collected):
            self._flush()
        if not self._collected:
            self._start = position
        self._collected += data
        if len(self._collected) >= BUFFER_BYTES:
            self._flush()

    def size(self) -> int:
        self._flush()
        return self._file.size()

    def read_at(self, position: int, size: int) -> bytes:
        self._flush()
        return self._file.read_at(position, size)

    def allocate(self, position: int, size: int) -> bool:
        return False

    def truncate(self, size: int) -> None:
        self._flush()
        self._file.truncate(size)

    def sync(self) -> None:
        self._flush()
        self._file.sync()

    def descriptor(self) -> int | None:
        return None

    def close(self) -> None:
        self._flush()
        self._file.close()


def planted(original: Callable[..., File]) -> Callable[..., File]:
    def open_file(self: Any, **how: Any) -> File:
        file = original(self, **how)
        if self.is_active:
            self._file = file = BufferedFile(file)
        return file

    return open_file
