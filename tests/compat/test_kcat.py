"""kcat, where Debian's package is installed."""

import shutil
import subprocess
import uuid

import pytest

pytestmark = pytest.mark.skipif(shutil.which("kcat") is None, reason="kcat is not installed (Debian package kcat)")


def kcat(*arguments: str, stdin: str = "") -> str:
    done = subprocess.run(["kcat", *arguments], input=stdin, capture_output=True, text=True, timeout=30, check=True)
    return done.stdout


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_lines_go_in_and_come_out(address: str, codec: str) -> None:
    topic = f"kcat-{uuid.uuid4().hex[:8]}"
    lines = "".join(f"key{number}:value{number}\n" for number in range(50))

    kcat("-b", address, "-t", topic, "-P", "-K:", "-z", codec, "-p", "0", stdin=lines)
    found = kcat("-b", address, "-t", topic, "-C", "-K:", "-e", "-q", "-p", "0", "-o", "beginning")

    assert found == lines


def test_the_broker_is_listed(address: str) -> None:
    assert f"broker 1 at {address}" in kcat("-b", address, "-L")


def test_offsets_are_asked_by_time(address: str) -> None:
    topic = f"kcat-{uuid.uuid4().hex[:8]}"
    kcat("-b", address, "-t", topic, "-P", "-p", "0", stdin="a\nb\nc\n")

    assert kcat("-b", address, "-Q", "-t", f"{topic}:0:-1").strip() == f"{topic} [0] offset 3"
