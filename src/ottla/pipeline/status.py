"""What is known about pipelines between commands: files in the state directory, one folder for each pipeline.

<state>/<name>/status.json    written by whoever runs it, every second
<state>/<name>/wanted.json    there while it shall run in the background
<state>/<name>/log            of background runs
<state>/<name>/lock           held by the process that runs it
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ottla.pipeline.problems import PipelineFailed

STARTING: Final = "starting"
RUNNING: Final = "running"
BACKING_OFF: Final = "backing off"
FINISHED: Final = "finished"
STOPPED: Final = "stopped"
FAILED: Final = "failed"
KILLED: Final = "killed"
_ALIVE: Final = frozenset({STARTING, RUNNING, BACKING_OFF})


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


class PipelineState:
    """The folder of one pipeline."""

    def __init__(self, root: Path, name: str) -> None:
        self.name = name
        self.folder = root / name
        self.log = self.folder / "log"
        self._status = self.folder / "status.json"
        self._wanted = self.folder / "wanted.json"
        self._lock = self.folder / "lock"

    def write(self, status: PipelineStatus) -> None:
        write_json(self._status, asdict(status))

    def read(self) -> PipelineStatus | None:
        """None before the first run. A run whose process is gone without a word was killed."""
        found = read_json(self._status)
        if found is None:
            return None
        known = PipelineStatus.__dataclass_fields__
        status = PipelineStatus(**{key: value for key, value in found.items() if key in known})
        if status.state in _ALIVE and not self.is_locked():
            return replace(status, state=KILLED, last_error=status.last_error or "the process is gone", pid=None)
        return status

    # who runs it

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Raises PipelineFailed while another process runs the pipeline. The system releases it with the process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self._lock, "w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                status = read_json(self._status) or {}
                where = f" (process {status['pid']}, {status['file']})" if status.get("pid") else ""
                raise PipelineFailed(
                    f"pipeline {self.name} is running already{where}; stop it with `ottla pipeline stop {self.name}`"
                ) from error
            yield

    def is_locked(self) -> bool:
        try:
            with open(self._lock, "r+") as handle:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    # what shall run

    def want(self, file: Path, sets: tuple[str, ...], driver: str) -> None:
        write_json(self._wanted, {"file": str(file), "sets": list(sets), "driver": driver})

    def wanted(self) -> dict[str, Any] | None:
        return read_json(self._wanted)

    def unwant(self) -> None:
        self._wanted.unlink(missing_ok=True)


def all_states(root: Path) -> list[PipelineState]:
    if not root.is_dir():
        return []
    return [PipelineState(root, path.name) for path in sorted(root.iterdir()) if path.is_dir() and path.name[0] != "."]


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Replaced as a whole: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.write_text(json.dumps(content, indent=2, ensure_ascii=False))
    os.replace(new, path)


def read_json(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return found if isinstance(found, dict) else None
