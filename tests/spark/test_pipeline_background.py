"""Pipelines in the background, by their commands: one driver, restarts, a position that outlives changes."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ottla.client import Producer, read_topic
from ottla.pipeline.locks import is_held
from ottla.pipeline.status import PipelineState, PipelineStatus, all_states
from tests.support.broker_process import BrokerProcess
from tests.support.ottla_command import OttlaCommand
from tests.support.waiting import eventually

FILE = """\
pipeline: {name}
bootstrap: ${{KAFKA}}
trigger: 100ms
sources: {{numbers: {{topic: {topic}, start: earliest, schema: "n INT"}}}}
rules: [{{view: numbers, name: not_zero, expect: "n <> 0"}}]
steps: [{{name: scaled, sql: "SELECT n * {factor} AS n FROM numbers"}}]
sinks: [{{name: out, from: scaled, topic: {out}, create: {{partitions: 1}}}}]
spark: {{spark.driver.memory: 512m, spark.sql.shuffle.partitions: 1}}
"""
WAIT_S = 120


class Background:
    """Three pipelines: a and b do well, c meets a row that its rule does not allow."""

    def __init__(self, folder: Path, broker: BrokerProcess, producer: Producer, topics: dict[str, str]) -> None:
        self.state = folder / "state"
        self.ottla = OttlaCommand(folder, 200, KAFKA=broker.address, OTTLA_STATE_DIR=str(self.state))
        self._folder, self._broker, self._producer, self._topics = folder, broker, producer, topics

    def write(self, name: str, factor: int = 1) -> None:
        topic = self._topics[name]
        text = FILE.format(name=name, topic=topic, out=f"{topic}.out", factor=factor)
        (self._folder / f"{name}.yaml").write_text(text)

    def send(self, name: str, *numbers: int) -> None:
        for number in numbers:
            self._producer.send(self._topics[name], b'{"n": %d}' % number)
        self._producer.flush()

    def written(self, name: str) -> list[int]:
        out = f"{self._topics[name]}.out"
        table = read_topic(out, columns=["value"], isolation="read_committed", bootstrap_servers=self._broker.address)
        return sorted(json.loads(value)["n"] for value in table.column("value").to_pylist())

    def has_written(self, name: str, expected: list[int]) -> None:
        def shown() -> str:
            return f"{expected} from {name}, not {self.written(name)} ({self.statuses()}):\n{self.driver_logs()}\n"

        eventually(lambda: self.written(name) == expected, within_s=WAIT_S, what=shown)

    def status(self, name: str) -> PipelineStatus:
        """As `ottla pipeline status` reads it, without a process for each look."""
        found = PipelineState(self.state / "pipelines", name).read()
        assert found is not None
        return found

    def statuses(self) -> list[PipelineStatus]:
        return [found for state in all_states(self.state / "pipelines") if (found := state.read()) is not None]

    def is_in_state(self, name: str, state: str) -> PipelineStatus:
        eventually(
            lambda: self.status(name).state == state,
            within_s=WAIT_S,
            what=lambda: f"{name} {state}: {self.statuses()}\n{self.driver_logs()}\n",
        )
        return self.status(name)

    def driver_logs(self) -> str:
        return "".join(path.read_text()[-3000:] for path in self.state.glob("pipelines/.drivers/*.log"))

    def supervisors(self) -> list[Path]:
        return [path for path in self.state.glob("pipelines/.drivers/*.supervisor") if is_held(path)]


@pytest.fixture
def background(
    tmp_path: Path, broker: BrokerProcess, producer: Producer, new_topic: Callable[..., str]
) -> Iterator[Background]:
    topics = {name: new_topic(1) for name in "abc"}
    pipelines = Background(tmp_path, broker, producer, topics)
    for name in topics:
        pipelines.write(name)
    yield pipelines
    pipelines.ottla.run("pipeline", "stop", *(status.name for status in pipelines.statuses()))
    eventually(lambda: not pipelines.supervisors(), within_s=WAIT_S, what="the end of the supervisor")


def test_pipelines_share_a_driver_that_is_started_again_and_keep_their_position(background: Background) -> None:
    ottla = background.ottla
    background.send("a", 1, 2)
    background.send("b", 5)
    background.send("c", 0)

    started = ottla.run("pipeline", "start", "a.yaml", "b.yaml")
    assert "a: running" in started
    background.has_written("a", [1, 2])
    background.has_written("b", [5])
    first_pid = background.status("a").pid
    assert first_pid is not None
    shown = {item["name"]: item for item in ottla.items("pipeline", "status")}
    assert (shown["a"]["state"], shown["a"]["pid"], shown["b"]["pid"]) == ("running", first_pid, first_pid)
    assert "is running already" in ottla.run("pipeline", "start", "a.yaml", code=1)
    assert "ottla pipeline stop a" in ottla.run("pipeline", "reset-offsets", "a.yaml", "--to", "earliest", code=1)

    # The driver is killed: its supervisor starts it again, and no row is missing or there twice.
    os.kill(first_pid, signal.SIGKILL)
    background.send("a", 3)
    background.has_written("a", [1, 2, 3])
    assert background.is_in_state("a", "running").pid != first_pid

    # A pipeline that fails is started again with back-off, and the others go on.
    ottla.run("pipeline", "start", "c.yaml")
    failing = background.is_in_state("c", "backing off")
    assert "rule not_zero of numbers" in (failing.last_error or "")
    eventually(lambda: background.status("c").restarts >= 1, within_s=WAIT_S, what="a restart")
    assert "started again in 1 s" in ottla.run("pipeline", "logs", "c")
    ottla.run("pipeline", "stop", "c")
    assert background.status("c").state == "stopped"

    # Stop, change, start: it goes on where it was.
    ottla.run("pipeline", "stop", "a")
    assert background.status("a").state == "stopped"
    background.write("a", factor=10)
    background.send("a", 4)
    ottla.run("pipeline", "start", "a.yaml")
    background.has_written("a", [1, 2, 3, 40])
    background.send("b", 6)
    background.has_written("b", [5, 6])

    # From the beginning again.
    ottla.run("pipeline", "stop", "a")
    assert "the old checkpoint is in" in ottla.run("pipeline", "reset-offsets", "a.yaml", "--to", "earliest")
    ottla.run("pipeline", "start", "a.yaml")
    background.has_written("a", [1, 2, 3, 10, 20, 30, 40, 40])
