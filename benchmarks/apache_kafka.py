"""Apache Kafka as a peer: fetched with Maven once, then one KRaft node on loopback with Kafka's own heap settings.

Needs Java 17 or newer, and Maven and the network for the first run; raises PeerUnavailable with one line otherwise.
"""

import base64
import os
import shutil
import subprocess
from pathlib import Path

from benchmarks.broker_node import BrokerNode, PeerUnavailable

VERSION = "4.3.0"
_FETCH_TIMEOUT_S = 900
_LOGGING_VERSION = "2.25.1"
#: The defaults of Kafka's start script.
_JVM_FLAGS = [
    "-Xmx1G",
    "-Xms1G",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent",
]
_ARTIFACTS = (
    ("org.apache.kafka", "kafka_2.13", VERSION),
    ("org.apache.kafka", "kafka-tools", VERSION),
    ("org.apache.logging.log4j", "log4j-slf4j-impl", _LOGGING_VERSION),
)
_LOGGING = """\
rootLogger.level = WARN
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d %p %c %m%n
"""


def fetch(cache: Path) -> Path:
    """The folder with Apache Kafka's jars, fetched unless they are there."""
    if shutil.which("java") is None:
        raise PeerUnavailable("Apache Kafka is left out: there is no `java` on the PATH")
    home = cache / f"apache-kafka-{VERSION}"
    if (home / "complete").exists():
        return home
    if shutil.which("mvn") is None:
        raise PeerUnavailable("Apache Kafka is left out: there is no `mvn` on the PATH to fetch it with")
    home.mkdir(parents=True, exist_ok=True)
    (home / "pom.xml").write_text(_project_file())
    _run_maven(home)
    (home / "log4j2.properties").write_text(_LOGGING)
    (home / "complete").touch()
    return home


def _run_maven(home: Path) -> None:
    command = ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=libs"]
    try:
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=_FETCH_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise PeerUnavailable("Apache Kafka is left out: Maven did not finish in time (is there a network?)") from None
    if done.returncode:
        errors = [line for line in done.stdout.splitlines() if "ERROR" in line]
        reason = (errors or ["no reason given"])[0].removeprefix("[ERROR] ")
        raise PeerUnavailable(f"Apache Kafka is left out: Maven could not fetch it: {reason[:160]}")


def _project_file() -> str:
    wanted = "\n".join(
        f"    <dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, name, version in _ARTIFACTS
    )
    return f"""\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ottla.benchmarks</groupId>
  <artifactId>apache-kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
{wanted}
  </dependencies>
</project>
"""


class ApacheKafka(BrokerNode):
    name = "Apache Kafka"

    def __init__(self, directory: Path, home: Path) -> None:
        self._home = home.absolute()
        super().__init__(directory)

    def command(self) -> list[str]:
        return [*self._java(*_JVM_FLAGS), "kafka.Kafka", "server.properties"]

    def prepare_data(self) -> None:
        cluster_id = base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")
        command = [
            *self._java(),
            "kafka.tools.StorageTool",
            "format",
            f"--cluster-id={cluster_id}",
            "-c",
            "server.properties",
        ]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            raise PeerUnavailable(f"Apache Kafka is left out: its storage tool failed: {done.stderr.strip()[-200:]}")

    def _java(self, *flags: str) -> list[str]:
        logging = f"-Dlog4j2.configurationFile={self._home / 'log4j2.properties'}"
        return ["java", *flags, "-cp", f"{self._home / 'libs'}/*", logging]
