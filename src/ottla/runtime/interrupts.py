"""Ctrl-C that Python would drop.

Python raises KeyboardInterrupt wherever the main thread is at that moment. In a destructor or in the callback of a weak
reference nobody can catch it: Python prints it as ignored, and the program goes on as if no key had been pressed.
"""

import signal
import sys
import threading

#: Until then the destructor has come to its end.
_AGAIN_AFTER_S = 0.01


def repeat_lost_interrupts() -> None:
    """From now on an interrupt that is lost comes again a moment later."""
    report = sys.unraisablehook

    def on_unraisable(unraisable: "sys.UnraisableHookArgs", /) -> None:
        if unraisable.exc_type is KeyboardInterrupt:
            again = threading.Timer(_AGAIN_AFTER_S, _interrupt_main_thread)
            again.daemon = True
            again.start()
        else:
            report(unraisable)

    sys.unraisablehook = on_unraisable


def _interrupt_main_thread() -> None:
    # To that thread, not to the process: only so does a call end in which it waits.
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
