"""A helper process that syncs files: fifty fsyncs without fifty turns of our GIL.

A thread that comes back from an fsync must wait for the GIL, and a busy event loop has it: measured, a round of 43
files took four times as long beside a loop that serves requests, and the loop was slower too. The helper is sent the
file descriptors and answers once for all of them. It has its own GIL, and nothing of ours in memory.
"""

import errno
import logging
import os
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path

from ottla.runtime.sync_helper import MOST_FILES

_log = logging.getLogger(__name__)
_PACKAGES = str(Path(__file__).parents[2])
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from ottla.runtime.sync_helper import main; main(0)"


class SyncProcess:
    """Owned by a disk. Started with the first call, ends with its owner, also when that is killed. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._peer: socket.socket | None = None
        self._cannot_start = False
        self.pid: int | None = None

    def sync(self, descriptors: Sequence[int]) -> list[OSError | None] | None:
        """What became of each; None when the files could not be handed over: then none was synced."""
        with self._lock:
            peer = self._started()
            if peer is None:
                return None
            outcomes: list[OSError | None] = []
            for start in range(0, len(descriptors), MOST_FILES):
                share = descriptors[start : start + MOST_FILES]
                try:
                    socket.send_fds(peer, [b"s"], share)
                except OSError as error:
                    if error.errno not in (errno.EPIPE, errno.ECONNRESET) and not start:
                        # One of the files was closed meanwhile: whoever syncs them one by one finds out which.
                        return None
                    return outcomes + self._lost(len(descriptors) - start)
                codes = _receive(peer, len(share))
                if codes is None:
                    return outcomes + self._lost(len(descriptors) - start)
                outcomes += [OSError(code, os.strerror(code)) if code else None for code in codes]
            return outcomes

    def _lost(self, count: int) -> list[OSError | None]:
        """The helper has ended. An error it has seen would not be told again: what it was given counts as failed."""
        self._peer = None
        return [OSError(errno.EIO, "the process that syncs files has ended")] * count

    def _started(self) -> socket.socket | None:
        if self._peer is None and not self._cannot_start:
            try:
                self._peer = self._start()
            except OSError as error:
                # Slower without it, but not wrong.
                _log.warning("the process that syncs files cannot be started: %s", error)
                self._cannot_start = True
        return self._peer

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _PROGRAM, _PACKAGES],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        self.pid = process.pid
        weakref.finalize(self, _end, ours, process)
        return ours


def _receive(peer: socket.socket, count: int) -> bytes | None:
    codes = b""
    while len(codes) < count:
        try:
            more = peer.recv(count - len(codes))
        except OSError:
            return None
        if not more:
            return None
        codes += more
    return codes


def _end(peer: socket.socket, process: subprocess.Popen[bytes]) -> None:
    peer.close()
    process.wait()
