"""What scripts and service managers rely on: exit codes, the ready file, signals, the end of the parent."""

import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support.ports import free_port
from tests.support.waiting import eventually

OTTLA = (sys.executable, "-m", "ottla")
TIMEOUT_S = 60


@contextmanager
def running(*command: str, cwd: Path, **options: int) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, cwd=cwd, **options)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def dev(
    directory: Path, *flags: str, stderr: int = subprocess.DEVNULL
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A ready `ottla dev` and its port."""
    ready = directory / "ready"
    command = (*OTTLA, "dev", "--port", "0", "--ready-file", str(ready), *flags)
    with running(*command, cwd=directory, stderr=stderr) as process:
        eventually(lambda: ready.exists() or process.poll() is not None, within_s=TIMEOUT_S, what="the ready file")
        yield process, int(ready.read_text().strip().rpartition(":")[2])


def has_stopped_cleanly(directory: Path) -> bool:
    return (directory / ".ottla" / ".kafka_cleanshutdown").exists()


def test_the_ready_file_has_the_address_and_goes_with_the_broker(tmp_path: Path) -> None:
    with dev(tmp_path) as (process, port):
        assert (tmp_path / "ready").read_text() == f"localhost:{port}\n"
        socket.create_connection(("127.0.0.1", port)).close()

        process.send_signal(signal.SIGTERM)

        assert process.wait(TIMEOUT_S) == 0
    assert not (tmp_path / "ready").exists()


def test_a_ready_file_that_cannot_be_written_is_a_bad_configuration(tmp_path: Path) -> None:
    command = (*OTTLA, "dev", "--memory", "--port", "0", "--ready-file", str(tmp_path / "none" / "ready"))

    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)

    assert done.returncode == 78
    assert f"--ready-file {tmp_path / 'none' / 'ready'}: No such file or directory" in done.stderr


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_dev_listens_on_both_loopback_addresses(tmp_path: Path) -> None:
    with dev(tmp_path, "--memory") as (_, port):
        for host in ("127.0.0.1", "::1"):
            socket.create_connection((host, port)).close()


def test_a_closed_terminal_is_a_clean_stop(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with ExitStack() as stack:
        process, _ = stack.enter_context(dev(tmp_path, stderr=theirs))
        os.close(theirs)
        os.close(ours)

        process.send_signal(signal.SIGHUP)

        assert process.wait(TIMEOUT_S) == 0
    assert has_stopped_cleanly(tmp_path)


def test_a_stop_is_logged(tmp_path: Path) -> None:
    output = tmp_path / "output"
    with (
        output.open("wb") as file,
        dev(tmp_path, "--log-level", "info", "--log-format", "text", stderr=file.fileno()) as (
            process,
            _,
        ),
    ):
        process.send_signal(signal.SIGTERM)
        process.wait(TIMEOUT_S)

    assert re.search(r"INFO +cli: stopped\n stopped\n$", output.read_text())


def test_a_broker_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    program = "import subprocess, sys, time; subprocess.Popen(sys.argv[1:]); time.sleep(600)"
    ready = tmp_path / "ready"
    command = (*OTTLA, "dev", "--port", "0", "--exit-with-parent", "--ready-file", str(ready))
    with running(sys.executable, "-c", program, *command, cwd=tmp_path, stderr=subprocess.DEVNULL) as parent:
        eventually(ready.exists, within_s=TIMEOUT_S, what="the ready file")

        parent.kill()

        eventually(lambda: not ready.exists(), within_s=TIMEOUT_S, what="the end of the broker")
    eventually(lambda: has_stopped_cleanly(tmp_path), within_s=TIMEOUT_S, what="a clean stop")


def test_a_port_in_use_is_an_exit_code_of_its_own(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        command = (*OTTLA, "dev", "--memory", "--port", str(port))
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)

    assert done.returncode == 75
    assert f"--port: listeners: PLAINTEXT://localhost:{port}: the port is in use by" in done.stderr
    assert "hint: ottla dev --port 0 takes any free port" in done.stderr


def test_a_directory_in_use_is_the_same_exit_code(tmp_path: Path) -> None:
    with dev(tmp_path):
        command = (*OTTLA, "dev", "--port", "0")
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)

    assert done.returncode == 75
    assert f"log.dirs={tmp_path}/.ottla: the directory is in use by another process" in done.stderr
