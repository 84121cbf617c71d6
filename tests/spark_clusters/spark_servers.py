"""A standalone Spark cluster and a Spark Connect server on loopback, from the installed PySpark."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from ottla.spark.java import java_home
from tests.support.ports import free_port
from tests.support.waiting import eventually

_START_TIMEOUT_S = 120


class SparkServers:
    """Processes of Spark, all ended by `stop`. Their output is in `directory`."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._started: list[subprocess.Popen[bytes]] = []

    def standalone(self) -> str:
        """A master and a worker with two cores; the master's address."""
        port = free_port()
        address = f"spark://127.0.0.1:{port}"
        deploy = "org.apache.spark.deploy"
        self._launch(
            f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port())
        )
        wait_for_port(port)
        # The master logs a worker as soon as applications can use it.
        words = ("--host", "127.0.0.1", "--cores", "2", "--memory", "1g", "--webui-port", str(free_port()))
        self._launch(f"{deploy}.worker.Worker", *words, "--work-dir", str(self._directory / "work"), address)
        eventually(lambda: "Registering worker" in self.output(), within_s=_START_TIMEOUT_S, what=self.output)
        return address

    def connect(self) -> str:
        """A Connect server that runs its jobs itself; its address."""
        port = free_port()
        conf = {
            "spark.connect.grpc.binding.port": str(port),
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.driver.memory": "1g",
            "spark.ui.enabled": "false",
        }
        settings = [word for name, value in conf.items() for word in ("--conf", f"{name}={value}")]
        server = ("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal")
        self._launch("org.apache.spark.deploy.SparkSubmit", "--master", "local[2]", *settings, *server)
        wait_for_port(port)
        return f"sc://127.0.0.1:{port}"

    def output(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self._directory.glob("*.out")))

    def stop(self) -> None:
        for process in reversed(self._started):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _launch(self, *words: str) -> None:
        spec = importlib.util.find_spec("pyspark")
        assert spec is not None
        assert spec.origin is not None
        home = Path(spec.origin).parent
        environment = {
            **os.environ,
            "JAVA_HOME": str(java_home()),
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
        }
        with (self._directory / f"{len(self._started)}.out").open("wb") as output:
            self._started.append(
                subprocess.Popen(
                    [str(home / "bin" / "spark-class"), *words],
                    env=environment,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=self._directory,
                    start_new_session=True,
                )
            )


def wait_for_port(port: int) -> None:
    def listens() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return False
        return True

    eventually(listens, within_s=_START_TIMEOUT_S, what=f"a listener on port {port}")
