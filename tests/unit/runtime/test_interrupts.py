"""Ctrl-C in a place where Python drops exceptions."""

import subprocess
import sys

import pytest

PROGRAM = """
import signal, weakref
from ottla.runtime.interrupts import repeat_lost_interrupts

class Thing:
    pass

{before}
try:
    thing = Thing()
    watch = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    print("still here", flush=True)
    signal.pause()
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_in_a_callback_of_a_weak_reference_is_not_lost() -> None:
    program = PROGRAM.format(before="repeat_lost_interrupts()")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split("\n")[-2] == "interrupted"
    assert not done.stderr


def test_other_exceptions_there_are_reported_as_ever() -> None:
    program = PROGRAM.format(before="repeat_lost_interrupts()").replace("signal.raise_signal(signal.SIGINT)", "1 / 0")
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "still here\n"
    process.kill()
    assert "ZeroDivisionError" in process.communicate(timeout=30)[1]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="shows what the versions that are supported today do")
def test_python_itself_loses_it() -> None:
    """If this fails, `repeat_lost_interrupts` is not needed any more."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(before="")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "still here\n"
    process.kill()
    assert "Exception ignored" in process.communicate(timeout=30)[1]
