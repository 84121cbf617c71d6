"""Signals over the life of a process: they interrupt its start, and later ask it to shut down.

SIGTERM, SIGINT, and SIGHUP, which a terminal sends when it is closed. One that is ignored when the process starts, as
`nohup` does with SIGHUP, stays ignored.
"""

import asyncio
import signal
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class StartInterrupted(SystemExit):
    """Raised in the main thread. asyncio passes a SystemExit on from wherever it is raised, and nothing catches it."""


def interrupt_on_signals() -> None:
    """From now on a signal raises StartInterrupted in whatever the main thread does.

    For work that keeps the event loop busy for long, such as the recovery of logs: the loop's own signal handlers run
    between its callbacks, so none would run before that work has ended. What is interrupted must be safe to repeat; a
    start is, it survives `kill -9` as well.
    """
    for number in _wanted():
        signal.signal(number, _interrupt)


def call_on_signals(callback: Callable[[], None]) -> None:
    """From now on the signals call `callback` on the running loop."""
    loop = asyncio.get_running_loop()
    for number in _wanted():
        loop.add_signal_handler(number, callback)


def _wanted() -> list[signal.Signals]:
    return [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise StartInterrupted(signal.Signals(number).name)
