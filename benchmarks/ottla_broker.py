"""Ottla as a peer: the broker of the environment that runs the benchmark."""

import os
import sys

from benchmarks.broker_node import BrokerNode


class OttlaBroker(BrokerNode):
    name = "Ottla"

    def command(self) -> list[str]:
        return [
            sys.executable,
            "-m",
            "ottla",
            "server-start",
            "server.properties",
            "--log-level",
            "warning",
            "--exit-with-parent",
        ]

    def environment(self) -> dict[str, str]:
        # Byte code is written and found again, as on an installed system: the start is measured.
        return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
