"""How tools are run: ours from this environment, Apache Kafka's own from its jars."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks import apache_kafka

_CACHE: Final = Path(__file__).parents[1] / ".cache" / "benchmarks"


def ottla_command(*words: str) -> list[str]:
    """`ottla` as users type it; as a module where the script is not installed beside this Python."""
    script = Path(sys.executable).with_name("ottla")
    start = [str(script)] if script.exists() else [sys.executable, "-m", "ottla"]
    return [*start, *words]


def kafka_command(java_class: str, words: Sequence[str]) -> list[str]:
    """Raises PeerUnavailable where Apache Kafka cannot be had."""
    home = apache_kafka.fetch(_CACHE).absolute()
    logging = f"-Dlog4j2.configurationFile={home / 'log4j2.properties'}"
    # Memory and compiler settings are those of kafka-run-class.sh for tools.
    java = shutil.which("java") or "java"
    return [java, "-Xmx512M", "-cp", f"{home / 'libs'}/*", logging, java_class, *words]
