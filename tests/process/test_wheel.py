"""What users install: the wheel, in an environment of its own, starts a broker that takes and gives records.

Each version of Python compiles for most of a minute: `make test` takes its own, `make test-pythons` all.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

from ottla.compiled import MODULES
from tests.support.broker_process import BrokerProcess

ROOT = Path(__file__).parent.parent.parent
#: Compiles everything, with whatever else the machine has to do.
INSTALL_LIMIT_S = 300
RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"
VERSIONS = ["3.11", "3.12", "3.13"] if os.environ.get("OTTLA_ALL_PYTHONS") else [RUNNING]
pytestmark = pytest.mark.timeout(2 * INSTALL_LIMIT_S)


@cache
def interpreter(version: str) -> str | None:
    """Of this version, where one runs: pyenv's shims are found even for versions that are not switched on."""
    if version == RUNNING:
        return sys.executable
    candidates = [
        shutil.which(f"python{version}"),
        *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python")),
    ]
    for candidate in candidates:
        if candidate and subprocess.run([candidate, "--version"], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def pip(python: str, *words: str) -> None:
    command = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_LIMIT_S, check=False)
    if "ConnectionError" in done.stderr or "Temporary failure in name resolution" in done.stderr:
        pytest.skip("the wheel cannot be installed here: no package index can be reached")
    assert done.returncode == 0, done.stderr[-3000:]


def copy_sources(directory: Path) -> Path:
    """What belongs to the project. What earlier builds have left beside it would get into the wheel."""
    wanted = ["src", "setup.py", "pyproject.toml", "README.md", "LICENSE"]
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *wanted]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        # One that was removed is listed until that is committed.
        if (ROOT / name).is_file():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, directory / name)
    return directory


def build_wheel(python: str, directory: Path) -> Path:
    sources = copy_sources(directory / "sources")
    pip(python, "wheel", "--no-deps", "--wheel-dir", str(directory), str(sources))
    (built,) = directory.glob("ottla-*.whl")
    return built


def compiled_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name.split(".")[0] for name in archive.namelist() if name.endswith(".so")}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_starts_a_broker(tmp_path: Path, version: str) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    subprocess.run([python, "-m", "venv", str(tmp_path / "env")], check=True, timeout=INSTALL_LIMIT_S)
    fresh = str(tmp_path / "env" / "bin" / "python")
    wheel = build_wheel(fresh, tmp_path)
    if shutil.which("cc"):
        wanted = {module.replace(".", "/") for module in MODULES}
        assert compiled_in(wheel) == wanted, "a module could not be compiled: see `pip install -v .`"
    pip(fresh, "install", str(wheel))
    broker = BrokerProcess(tmp_path, python=fresh).start()
    try:
        producer = Producer({"bootstrap.servers": broker.address})
        producer.produce("greetings", b"hello", partition=0)
        assert producer.flush(20) == 0
        consumer = Consumer({"bootstrap.servers": broker.address, "group.id": "check"})
        consumer.assign([TopicPartition("greetings", 0, OFFSET_BEGINNING)])
        message = consumer.poll(20)
        consumer.close()
        assert message is not None
        assert message.value() == b"hello"
        assert broker.stop() == 0
    finally:
        if broker.is_running():
            broker.kill()
