"""`ottla pipeline`: pipelines on Spark. Spark itself is loaded only by the sub-commands that run it."""

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ottla.cli.exit_codes import EXIT_CONFIG
from ottla.cli.failures import Failure, not_found
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import tool_group, verb

if TYPE_CHECKING:
    from ottla.pipeline.model import Pipeline
    from ottla.pipeline.problems import PipelineFileInvalid, Problem
    from ottla.pipeline.status import PipelineState

pipeline = tool_group("pipeline", help="Pipelines on Spark: one YAML file each (docs/pipelines.md).")

_FILE = click.argument("file", type=click.Path(path_type=Path))
_FILES = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
_SETS = click.option("--set", "sets", multiple=True, metavar="KEY=VALUE", help="Set a key of the file; repeatable.")
_COLUMNS = ("name", "state", "batch", "rows", "rows_per_second", "lag", "dead_letters", "late_rows", "last_error")
_STOP_TIMEOUT_S = 90.0
_START_TIMEOUT_S = 90.0


@contextmanager
def _failures(run: Run) -> Iterator[None]:
    """Errors of pipelines as errors of commands: a wrong file is 78, a failure 1."""
    from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid

    try:
        yield
    except PipelineFileInvalid as error:
        raise _invalid(error) from error
    except PipelineFailed as error:
        raise Failure(str(error)) from error


def _invalid(error: "PipelineFileInvalid") -> Failure:
    count = len(error.problems)
    for line in error.lines():
        print(line, file=sys.stderr)
    what = "1 problem" if count == 1 else f"{count} problems"
    return Failure(f"{error.path}: {what}", code=EXIT_CONFIG, name="INVALID_PIPELINE")


def _load(path: Path, sets: Sequence[str] = (), environment: Mapping[str, str] = os.environ) -> "Pipeline":
    try:
        from ottla.pipeline.file import load
    except ImportError as error:
        raise Failure(f"{error.name} is not installed", hint="pip install 'ottla[spark]'") from error
    return load(path, sets, environment)


def _spark_log_path(run: Run) -> Path:
    from ottla.pipeline.status import state_root

    return state_root(run.environment) / ".drivers" / "foreground.log"


@contextmanager
def _spark_log(run: Run) -> Iterator[None]:
    """What the JVM prints goes to a file, or with -v to the terminal."""
    if run.verbosity:
        yield
        return
    from ottla.pipeline.driver_session import spark_output_in

    with spark_output_in(_spark_log_path(run)):
        yield


@verb("init", connects=False)
@click.argument("folder", type=click.Path(path_type=Path))
def init(run: Run, folder: Path) -> int:
    """Write a runnable sample into FOLDER."""
    from ottla.pipeline.sample import write_sample

    with _failures(run):
        for path in write_sample(folder):
            print(path)
    run.note(f"next: ottla pipeline test {folder}/orders.yaml, then docs/pipelines.md")
    return 0


@verb("validate", connects=False)
@_FILES
@_SETS
def validate(run: Run, files: tuple[Path, ...], sets: tuple[str, ...]) -> int:
    """Check files: their keys, their topics where the broker can be reached, their SQL and types in Spark."""
    from ottla.pipeline.problems import PipelineFileInvalid

    with _failures(run):
        for path in files:
            loaded = _load(path, sets)
            problems = _problems(run, loaded)
            if problems:
                raise PipelineFileInvalid(path, problems)
            run.note(f"{path}: valid")
    return 0


def _problems(run: Run, loaded: "Pipeline") -> "list[Problem]":
    from ottla.pipeline.check import check_plan, check_topics
    from ottla.pipeline.driver_session import driver_session

    problems, note = check_topics(loaded)
    if note:
        run.warn(note)
    with _spark_log(run), driver_session(loaded) as spark:
        return problems + check_plan(loaded, spark)


@verb("test", connects=False)
@_FILE
@_SETS
def test(run: Run, file: Path, sets: tuple[str, ...]) -> int:
    """Run the tests of a file: rows that sources have, and rows that views must have then."""
    from ottla.pipeline.cases import run_case
    from ottla.pipeline.driver_session import driver_session

    with _failures(run):
        loaded = _load(file, sets)
        if not loaded.cases:
            raise Failure(f"{file} has no tests", hint="add `tests: [{given: {…}, expect: {…}}]`")
        failed = 0
        with _spark_log(run), driver_session(loaded) as spark:
            for case in loaded.cases:
                differences = run_case(loaded, case, spark)
                failed += bool(differences)
                print(f"{file}:{case.line}: {'failed' if differences else 'passed'}")
                for line in differences:
                    print(f"  {line}")
    return 1 if failed else 0


@verb("run", connects=False)
@_FILES
@_SETS
@click.option("--once", is_flag=True, help="Process what is there now, then end.")
def run_command(run: Run, files: tuple[Path, ...], sets: tuple[str, ...], once: bool) -> int:
    """Run pipelines in the foreground, in one driver, until Ctrl-C."""
    from ottla.pipeline.foreground import run_all
    from ottla.pipeline.live_table import LiveTable
    from ottla.pipeline.problems import PipelineFileInvalid
    from ottla.pipeline.status import state_root

    with _failures(run):
        loaded = [_load(path, sets) for path in files]
        with _spark_log(run):
            show = LiveTable(sys.stderr, is_terminal=sys.stderr.isatty(), is_quiet=run.quiet or run.is_for_program)
            errors = run_all(loaded, state_root(run.environment), show, once=once)
        for error in errors:
            if isinstance(error, PipelineFileInvalid):
                raise error
        if errors:
            raise Failure(
                "; ".join(str(error) for error in errors), hint=f"Spark's output is in {_spark_log_path(run)}"
            )
    return 0


@verb("start", connects=False)
@_FILES
@_SETS
def start(run: Run, files: tuple[Path, ...], sets: tuple[str, ...]) -> int:
    """Run pipelines in the background; they are started again when they fail."""
    from ottla.pipeline.background import start_in_background, wait_for_start
    from ottla.pipeline.status import PipelineState, state_root
    from ottla.pipeline.variables import UsedVariables

    root = state_root(run.environment)
    loaded: list[Pipeline] = []
    with _failures(run):
        # All are read before the first is started. Their variables are kept for the driver, which others may share.
        variables = []
        for path in files:
            used = UsedVariables(run.environment)
            loaded.append(_load(path, sets, used))
            variables.append(used.used())
        for each, own in zip(loaded, variables, strict=True):
            start_in_background(each, sets, own, root)
    code = 0
    for each in loaded:
        status = wait_for_start(PipelineState(root, each.name), _START_TIMEOUT_S)
        state = "starting" if status is None else status.state
        run.note(f"{each.name}: {state}" + (f": {status.last_error}" if status and status.last_error else ""))
        code = code or int(state in ("failed", "backing off"))
    return code


@verb("stop", connects=False)
@click.argument("names", nargs=-1, required=True)
def stop(run: Run, names: tuple[str, ...]) -> int:
    """Stop pipelines, by name or file: running batches are finished, the position is kept."""
    from ottla.pipeline.background import stop_and_wait

    with _failures(run):
        for name in names:
            state = _state(run, name)
            stop_and_wait(state, _STOP_TIMEOUT_S)
            run.note(f"{state.name}: stopped")
    return 0


@verb("status", connects=False)
@click.argument("names", nargs=-1)
def status(run: Run, names: tuple[str, ...]) -> Result:
    """What pipelines do, those in the foreground among them; without names all that were ever run here."""
    from ottla.pipeline.status import all_states, state_root

    with _failures(run):
        states = [_state(run, name) for name in names] or all_states(state_root(run.environment))
        items = [found for state in states if (found := state.read()) is not None]
    return Result("pipelines", items, _COLUMNS, wide=("batch_ms", "restarts", "pid", "started_at", "file"))


@verb("logs", connects=False)
@click.argument("name")
@click.option("-f", "--follow", is_flag=True, help="Go on with what is logged from now on.")
@click.option("-n", "--lines", "count", type=click.IntRange(min=0), default=50, show_default=True, help="Last lines.")
def logs(run: Run, name: str, follow: bool, count: int) -> int:
    """What a pipeline in the background has logged."""
    with _failures(run):
        path = _state(run, name).log
    if not path.exists():
        raise Failure(f"pipeline {name} has not run in the background", hint="ottla pipeline start FILE")
    with open(path, encoding="utf-8") as log:
        lines = log.readlines()
        sys.stdout.writelines(lines[-count:] if count else [])
        sys.stdout.flush()
        while follow:
            line = log.readline()
            sys.stdout.write(line)
            sys.stdout.flush()
            if not line:
                time.sleep(0.2)
    return 0


@verb("reset-offsets", connects=False)
@_FILE
@_SETS
@click.option("--to", required=True, metavar="earliest|latest|TIMESTAMP|current", help="Where to go on.")
def reset_offsets(run: Run, file: Path, sets: tuple[str, ...], to: str) -> int:
    """Let a stopped pipeline go on somewhere else.

    Its checkpoint is moved aside: the state of windows, joins and aggregates is dropped.
    """
    from ottla.pipeline.brokers import connected
    from ottla.pipeline.reset import positions_for, reset
    from ottla.pipeline.status import PipelineState, state_root

    with _failures(run):
        loaded = _load(file, sets)
        if not loaded.topic_sources:
            raise Failure(f"{file} reads no topic", hint="remove its checkpoint to start from the beginning")
        state = PipelineState(state_root(run.environment), loaded.name)
        if state.is_running():
            raise Failure(f"pipeline {loaded.name} is running", hint=f"ottla pipeline stop {loaded.name}")
        with state.lock(), connected(loaded) as brokers:
            brokers.check_topics()
            brokers.check_group()
            positions = positions_for(loaded, brokers, to)
            aside = reset(loaded, positions)
            brokers.commit(positions)
    for partition, offset in sorted(positions.items()):
        print(f"{partition.topic} {partition.partition} {offset}")
    if aside is not None:
        run.note(f"the old checkpoint is in {aside}; the state of windows, joins and aggregates is dropped")
    return 0


def _state(run: Run, name: str) -> "PipelineState":
    """By the name of the pipeline, or by its file."""
    from ottla.pipeline.status import all_states, state_root

    if name.endswith((".yaml", ".yml")) or "/" in name:
        name = _load(Path(name)).name
    states = {state.name: state for state in all_states(state_root(run.environment))}
    if name not in states:
        raise not_found("pipeline", name, states)
    return states[name]


for _command in (init, validate, test, run_command, start, stop, status, logs, reset_offsets):
    pipeline.add_command(_command)
