"""What is known about pipelines between commands: files in the state directory, one folder for each pipeline.

<state>/<name>/status.json    written by whoever runs it, every second
<state>/<name>/wanted.json    there while it shall run in the background
<state>/<name>/log            of background runs; log.1 is the part before
<state>/<name>/lock           held by the process that runs it; has its id while it runs in the foreground
<state>/.drivers/             locks and output of drivers and their supervisors
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ottla.pipeline.locks import LockHeld, content_of, held, is_held
from ottla.pipeline.problems import PipelineFailed

STARTING: Final = "starting"
RUNNING: Final = "running"
WAITING: Final = "waiting for broker"
BACKING_OFF: Final = "backing off"
FINISHED: Final = "finished"
STOPPED: Final = "stopped"
FAILED: Final = "failed"
KILLED: Final = "killed"
#: While its process runs it.
AT_WORK: Final = frozenset({STARTING, RUNNING, WAITING})
_ALIVE: Final = AT_WORK | {BACKING_OFF}
_LOG_MAX_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True)
class PipelineStatus:
    """One item of `ottla pipeline status -o json`."""

    name: str
    file: str
    state: str
    batch: int | None = None
    rows: int = 0
    rows_per_second: float = 0.0
    lag: int | None = None
    dead_letters: int = 0
    late_rows: int = 0
    last_error: str | None = None
    batch_ms: int | None = None
    refused: Mapping[str, int] = field(default_factory=dict)
    restarts: int = 0
    pid: int | None = None
    started_at: str | None = None
    updated_at: str | None = None


def state_root(environment: Mapping[str, str] = os.environ) -> Path:
    given = environment.get("OTTLA_STATE_DIR")
    if given:
        return Path(given).expanduser() / "pipelines"
    from platformdirs import user_state_dir

    return Path(user_state_dir("ottla")) / "pipelines"


class DriverFiles:
    """Of one driver: its lock, that of its supervisor, and what both and Spark print."""

    def __init__(self, root: Path, driver: str) -> None:
        self.folder = root / ".drivers"
        self.supervisor_lock = self.folder / f"{driver}.supervisor"
        self.driver_lock = self.folder / f"{driver}.driver"
        self.log = self.folder / f"{driver}.log"


@dataclass(frozen=True)
class Wanted:
    """How a pipeline shall run in the background. `variables` are what its file takes from the environment."""

    file: str
    sets: list[str]
    variables: dict[str, str]
    driver: str


class PipelineState:
    """The folder of one pipeline."""

    def __init__(self, root: Path, name: str) -> None:
        self.name = name
        self._root = root
        self.folder = root / name
        self.log = self.folder / "log"
        self._status = self.folder / "status.json"
        self._wanted = self.folder / "wanted.json"
        self._lock = self.folder / "lock"

    def write(self, status: PipelineStatus) -> None:
        write_json(self._status, asdict(status))

    def read(self) -> PipelineStatus | None:
        """None before the first run. A run whose process is gone without a word was killed."""
        status = self._stored()
        if status is None or status.state not in _ALIVE or self.is_locked():
            return status
        if not self._is_supervised():
            return replace(status, state=KILLED, last_error=status.last_error or "the process is gone", pid=None)
        if status.state not in (RUNNING, WAITING):
            return status
        error = status.last_error or "the driver has ended; it is started again"
        return replace(status, state=BACKING_OFF, last_error=error, pid=None, rows_per_second=0.0)

    def _stored(self) -> PipelineStatus | None:
        found = read_json(self._status)
        known = PipelineStatus.__dataclass_fields__
        return None if found is None else PipelineStatus(**{key: found[key] for key in found if key in known})

    def mark_stopped(self) -> None:
        """After a stop of a pipeline that was not running at that moment: nobody else writes that it has stopped."""
        status = self._stored()
        if status is not None and status.state in _ALIVE:
            self.write(replace(status, state=STOPPED, pid=None, rows_per_second=0.0))

    def append_to_log(self, line: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > _LOG_MAX_BYTES:
            os.replace(self.log, self.log.with_name("log.1"))
        with open(self.log, "a", encoding="utf-8") as out:
            out.write(line + "\n")

    # who runs it

    @contextmanager
    def lock(self, foreground_pid: int | None = None) -> Iterator[None]:
        """Raises PipelineFailed while another process runs the pipeline. The system releases it with the process."""
        try:
            with held(self._lock, "" if foreground_pid is None else str(foreground_pid)):
                yield
        except LockHeld as error:
            status = read_json(self._status) or {}
            where = f" (process {status['pid']}, {status['file']})" if status.get("pid") else ""
            raise PipelineFailed(
                f"pipeline {self.name} is running already{where}; stop it with `ottla pipeline stop {self.name}`"
            ) from error

    def is_locked(self) -> bool:
        return is_held(self._lock)

    def foreground_pid(self) -> int | None:
        """Of the process that runs it in the foreground. A driver is shared: its process is nobody's to end."""
        content = content_of(self._lock)
        return int(content) if content.isdecimal() else None

    def is_running(self) -> bool:
        """Also while its driver starts."""
        return self.is_locked() or self._is_supervised()

    def _is_supervised(self) -> bool:
        wanted = self.wanted()
        return wanted is not None and is_held(DriverFiles(self._root, wanted.driver).supervisor_lock)

    # what shall run

    def want(self, file: Path, sets: Sequence[str], variables: Mapping[str, str], driver: str) -> None:
        """For the user only: variables may be passwords."""
        write_json(self._wanted, asdict(Wanted(str(file), list(sets), dict(variables), driver)), mode=0o600)

    def wanted(self) -> Wanted | None:
        found = read_json(self._wanted)
        return None if found is None else Wanted(**found)

    def unwant(self) -> None:
        self._wanted.unlink(missing_ok=True)


def all_states(root: Path) -> list[PipelineState]:
    if not root.is_dir():
        return []
    return [PipelineState(root, path.name) for path in sorted(root.iterdir()) if path.is_dir() and path.name[0] != "."]


def write_json(path: Path, content: Mapping[str, Any], mode: int = 0o666) -> None:
    """Replaced as a whole: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as out:
        json.dump(content, out, indent=2, ensure_ascii=False)
    os.replace(new, path)


def read_json(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) else None
