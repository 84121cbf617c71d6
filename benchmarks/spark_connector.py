"""Spark's own Kafka connector, to compare with: PySpark 4.2.0 and four jars, fetched once into the cache.

4.2.0 is the newest release whose connector can be had; both formats are measured with it. Needs the network for the
first run (pip and Maven); raises PeerUnavailable with one line otherwise.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from benchmarks.broker_node import PeerUnavailable

VERSION: Final = "4.2.0"
_FETCH_TIMEOUT_S: Final = 900
_JARS: Final = (
    f"org.apache.spark:spark-sql-kafka-0-10_2.13:{VERSION}",
    "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.0.0",
    "org.apache.kafka:kafka-clients:3.9.1",
    "org.apache.commons:commons-pool2:2.12.1",
)


class Connector:
    """PySpark with the connector's jars."""

    def __init__(self, pyspark: Path, jars: Path) -> None:
        self._pyspark = pyspark
        self._jars = jars

    @property
    def jars(self) -> list[Path]:
        return sorted(self._jars.glob("*.jar"))

    def environment(self) -> dict[str, str]:
        return environment_with(self._pyspark)


def environment_with(pyspark: Path) -> dict[str, str]:
    """Of a program that runs with this PySpark instead of the installed one; all else is that of this environment."""
    others = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(pyspark), *([others] if others else [])])}


def fetch(cache: Path) -> Connector:
    jars = cache.absolute() / f"spark-kafka-{VERSION}"
    if not (jars / "complete").exists():
        if shutil.which("mvn") is None:
            raise PeerUnavailable("Spark's own connector is left out: there is no `mvn` on the PATH to fetch it with")
        for jar in _JARS:
            _run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={jar}", f"-DoutputDirectory={jars}"], jar)
        (jars / "complete").touch()
    return Connector(fetch_pyspark(cache), jars)


def fetch_pyspark(cache: Path) -> Path:
    """The folder that must be on PYTHONPATH."""
    folder, wanted = cache.absolute() / f"pyspark-{VERSION}", f"pyspark=={VERSION}"
    if not (folder / "complete").exists():
        _run([sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", str(folder), wanted], wanted)
        (folder / "complete").touch()
    return folder


def _run(command: list[str], what: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_FETCH_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise PeerUnavailable(f"Spark's own connector is left out: {what} did not come in time") from None
    if done.returncode:
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "ERROR" in line]
        reason = (errors or ["no reason given"])[0].removeprefix("[ERROR] ")
        raise PeerUnavailable(f"Spark's own connector is left out: {what} cannot be had: {reason[:160]}")
