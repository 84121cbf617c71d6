"""Ends a process with the one that started it, also when that one is killed."""

import os
import signal
import threading

_CHECK_S = 0.25


def stop_with_parent() -> None:
    """Sends SIGTERM to this process when its parent has ended.

    A thread, because the main thread may be busy for long while a node recovers its logs. It waits for the parent's
    id to change: prctl(PR_SET_PDEATHSIG) reports the end of the parent's thread, and only on Linux.
    """
    parent = os.getppid()
    threading.Thread(target=_wait_for_end, args=(parent,), name="parent watch", daemon=True).start()


def _wait_for_end(parent: int) -> None:
    never = threading.Event()
    while os.getppid() == parent:
        never.wait(_CHECK_S)
    os.kill(os.getpid(), signal.SIGTERM)
