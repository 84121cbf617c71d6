"""What the helper process of `sync_process` runs: syncs the files it is sent, many at a time.

A message brings file descriptors; the answer has a byte for each: 0, or the errno of its sync. It ends when the other
side does. Nothing else is imported: the process is small and starts fast.
"""

import errno
import os
import signal
import socket
import threading
from typing import Final

from ottla.runtime.file_sync import sync_descriptor

#: As many as one message can carry on Linux.
MOST_FILES: Final = 253
#: File systems commit what is synced at the same time together: many files cost little more than one.
_LANES: Final = 12


def main(channel: int) -> None:
    # A signal for the whole group (Ctrl-C, a service manager) is for the broker, which still has files to sync then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    lanes = [_Lane() for _ in range(_LANES - 1)]
    with socket.socket(fileno=channel) as peer:
        while True:
            message, descriptors, _, _ = socket.recv_fds(peer, 1, MOST_FILES)
            if not message:
                return
            peer.sendall(_sync_all(descriptors, lanes))


def _sync_all(descriptors: list[int], lanes: list["_Lane"]) -> bytes:
    outcomes = bytearray(len(descriptors))
    busy = lanes[: max(0, len(descriptors) - 1)]
    step = len(busy) + 1
    for start, lane in enumerate(busy, 1):
        lane.begin(descriptors[start::step])
    outcomes[::step] = _sync_each(descriptors[::step])
    for start, lane in enumerate(busy, 1):
        outcomes[start::step] = lane.outcomes()
    return bytes(outcomes)


def _sync_each(descriptors: list[int]) -> bytes:
    return bytes(_outcome(descriptor) for descriptor in descriptors)


def _outcome(descriptor: int) -> int:
    try:
        sync_descriptor(descriptor)
    except OSError as error:
        return (error.errno or 0) & 0xFF or errno.EIO
    finally:
        os.close(descriptor)
    return 0


class _Lane:
    """A thread that syncs one share of the files; between shares it sleeps."""

    def __init__(self) -> None:
        self._has_work = threading.Semaphore(0)
        self._is_done = threading.Semaphore(0)
        self._descriptors: list[int] = []
        self._outcomes = b""
        threading.Thread(target=self._run, daemon=True).start()

    def begin(self, descriptors: list[int]) -> None:
        self._descriptors = descriptors
        self._has_work.release()

    def outcomes(self) -> bytes:
        self._is_done.acquire()
        return self._outcomes

    def _run(self) -> None:
        while True:
            self._has_work.acquire()
            self._outcomes = _sync_each(self._descriptors)
            self._is_done.release()
