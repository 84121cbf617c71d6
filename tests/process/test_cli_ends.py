"""How commands end in a real process: unreachable broker, closed pipe, Ctrl-C."""

import signal
import subprocess
import sys

from ottla.testing import Broker

OTTLA = [sys.executable, "-m", "ottla"]


def test_an_unreachable_broker_is_one_line_with_a_hint() -> None:
    words = [*OTTLA, "-b", "127.0.0.1:1", "topic", "list"]

    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert done.returncode == 5
    assert done.stdout == ""
    error, hint = done.stderr.splitlines()
    assert error == "error: no broker reachable at 127.0.0.1:1: node -1 at 127.0.0.1:1: Connection refused"
    assert hint.startswith("hint: is the broker running?")


def test_a_closed_pipe_ends_quietly() -> None:
    with Broker(topics={f"t{number}": 1 for number in range(3)}) as broker:
        words = [*OTTLA, "topics", "--bootstrap-server", broker.bootstrap, "--list"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == b""
        process.stderr.close()


def test_ctrl_c_ends_with_130_and_no_traceback() -> None:
    with Broker(topics={"t": 1}) as broker:
        words = [*OTTLA, "-b", broker.bootstrap, "lag", "-f", "--every", "0.1"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("GROUP")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "Traceback" not in err
