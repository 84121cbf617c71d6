"""Pipelines in the background, without Spark: who is wanted, who supervises, what `status` and `stop` make of it."""

import os
import sys
import threading
from pathlib import Path

import pytest

from ottla.pipeline.background import start_in_background, stop_and_wait, wanted_by
from ottla.pipeline.driver import drive
from ottla.pipeline.file import load
from ottla.pipeline.locks import LockHeld, held, is_held
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.status import DriverFiles, PipelineState, PipelineStatus
from ottla.pipeline.supervisor import supervise
from ottla.pipeline.variables import UsedVariables

FILE = """\
pipeline: orders
bootstrap: ${KAFKA}
sources: {orders: {topic: orders, schema: "id STRING"}}
sinks: [{from: orders, topic: "${OUT:-copy}"}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "orders.yaml"
    path.write_text(FILE)
    return path


@pytest.fixture
def state(tmp_path: Path, file: Path) -> PipelineState:
    """Of a pipeline that shall run in the driver `d`."""
    state = PipelineState(tmp_path / "state", "orders")
    state.write(PipelineStatus("orders", str(file), "starting"))
    state.want(file, (), {"KAFKA": "broker:9092"}, "d")
    return state


def root_of(state: PipelineState) -> Path:
    return state.folder.parent


def state_of(state: PipelineState) -> tuple[str, str | None]:
    status = state.read()
    assert status is not None
    return status.state, status.last_error


def test_a_driver_that_dies_is_started_again_until_nothing_is_wanted(state: PipelineState, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    program = f"""\
import pathlib, sys
starts = pathlib.Path({str(starts)!r})
starts.open("a").write("x")
if starts.stat().st_size == 2:
    pathlib.Path({str(state.folder / "wanted.json")!r}).unlink()
sys.exit(starts.stat().st_size == 1)
"""

    supervise(root_of(state), "d", [sys.executable, "-c", program])

    assert starts.read_text() == "xx"
    assert not is_held(DriverFiles(root_of(state), "d").supervisor_lock)


def test_a_second_supervisor_of_a_driver_ends_at_once(state: PipelineState) -> None:
    with held(DriverFiles(root_of(state), "d").supervisor_lock):
        supervise(root_of(state), "d", ["this command does not exist"])

    assert [each.name for each in wanted_by(root_of(state), "d")] == ["orders"]


def test_a_pipeline_whose_driver_starts_is_not_killed(state: PipelineState) -> None:
    with held(DriverFiles(root_of(state), "d").supervisor_lock):
        assert state_of(state) == ("starting", None)
        state.write(PipelineStatus("orders", "f", "running", pid=1))
        assert state_of(state) == ("backing off", "the driver has ended; it is started again")
        state.write(PipelineStatus("orders", "f", "waiting for broker", last_error="no broker responds", pid=1))
        assert state_of(state) == ("backing off", "no broker responds")

    assert state_of(state) == ("killed", "no broker responds")


def test_a_pipeline_without_a_supervisor_can_be_started_again(state: PipelineState, file: Path) -> None:
    pipeline = load(file, (), {"KAFKA": "broker:9092"})
    with (
        held(DriverFiles(root_of(state), "d").supervisor_lock),
        pytest.raises(PipelineFailed, match="is running already"),
    ):
        start_in_background(pipeline, (), {}, root_of(state))

    assert not state.is_running()


def test_stop_never_ends_the_process_of_a_driver(state: PipelineState) -> None:
    with state.lock():
        assert state.foreground_pid() is None
    with state.lock(os.getpid()):
        assert state.foreground_pid() == os.getpid()

    assert state.foreground_pid() is None


def test_a_pipeline_that_is_stopped_while_it_backs_off_keeps_its_error(state: PipelineState) -> None:
    state.write(PipelineStatus("orders", "f", "backing off", last_error="the broker is away"))

    stop_and_wait(state, timeout_s=1)

    assert state_of(state) == ("stopped", "the broker is away")
    assert state.wanted() is None


def test_who_looks_at_a_lock_does_not_keep_others_from_it(tmp_path: Path) -> None:
    path, done = tmp_path / "lock", threading.Event()

    def look() -> None:
        while not done.is_set():
            is_held(path)

    onlooker = threading.Thread(target=look)
    onlooker.start()
    try:
        for _ in range(300):
            with held(path):
                pass
    except LockHeld:
        pytest.fail("the lock was free")
    finally:
        done.set()
        onlooker.join()


def test_the_driver_gets_the_variables_of_the_file_and_no_others(file: Path, tmp_path: Path) -> None:
    environment = UsedVariables({"KAFKA": "broker:9092", "HOME": "/home/me"})
    load(file, (), environment)
    state = PipelineState(tmp_path / "state", "orders")
    state.want(file, ("trigger=5s",), environment.used(), "d")

    wanted = state.wanted()

    assert wanted is not None
    assert (wanted.variables, wanted.sets) == ({"KAFKA": "broker:9092"}, ["trigger=5s"])
    assert (state.folder / "wanted.json").stat().st_mode & 0o077 == 0


def test_a_file_that_is_wrong_now_is_given_up_alone(state: PipelineState, file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("schema:", "schemer:"))

    drive(root_of(state), "d", threading.Event())

    name, error = state_of(state)
    assert name == "failed"
    assert error is not None
    assert "schemer" in error
    assert state.wanted() is None
    assert "schemer" in state.log.read_text()


def test_a_log_that_has_grown_large_is_replaced(state: PipelineState) -> None:
    with open(state.log, "wb") as log:
        log.truncate(17 * 1024 * 1024)

    state.append_to_log("next")

    assert state.log.read_text() == "next\n"
    assert (state.folder / "log.1").exists()
