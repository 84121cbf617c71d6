"""From files, environment and flags to the settings of a broker; every problem of a start in one list.

Precedence: flag > environment (`OTTLA_*`, then `KAFKA_*`) > file > what the command itself prefers.
"""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ottla.cli.ports import taken_ports
from ottla.config.broker_options import BrokerOptions, base_row
from ottla.config.kinds import Kind
from ottla.config.listeners import ListenerPlan, plan_listeners
from ottla.config.properties import Settings, combine, from_environment, parse_overrides, parse_properties, parse_toml
from ottla.model.errors import InvalidConfig
from ottla.runtime.early_sockets import EarlySockets


class Sources(NamedTuple):
    """Where the settings of one start come from."""

    file: Path | None = None
    overrides: tuple[str, ...] = ()
    insecure: bool = False
    log_levels: tuple[str, ...] = ()
    #: What the command prefers where nobody says otherwise.
    preferred: Mapping[str, str] = {}


class Start(NamedTuple):
    options: BrokerOptions
    plan: ListenerPlan


def load(sources: Sources, environment: Mapping[str, str], early: EarlySockets | None = None) -> Start:
    """Raises InvalidConfig with everything that is wrong. Touches nothing on disk."""
    settings = _collect(sources, environment)
    options, wrong = BrokerOptions.lenient(settings.values)
    problems = [*settings.problems, *wrong]
    problems.extend(directory_problems([Path(path) for path in options.log_directories]))
    try:
        plan = plan_listeners(options, hostname=_hostname(options))
    except InvalidConfig as error:
        raise InvalidConfig([*problems, *error.problems]) from None
    problems.extend(taken_ports(plan, early or EarlySockets()))
    if problems:
        raise InvalidConfig(problems)
    return Start(options, plan)


def directory_problems(paths: Sequence[Path]) -> list[str]:
    """Why data could not be kept there. Directories that do not exist yet are made later.

    One that is closed to us while others are open is no problem of the settings: a disk that failed often comes back
    read-only. The store takes it offline, says so, and the node serves what the others have.
    """
    mistakes = [problem for path in paths if (problem := _mistake(path)) is not None]
    mistakes += _same_directories(paths)
    closed = [problem for path in paths if (problem := _closed(path)) is not None]
    return mistakes or (closed if len(closed) == len(paths) else [])


def _mistake(path: Path) -> str | None:
    # The functions of os.path do not raise where a directory on the way is closed to us.
    if os.path.islink(path) and not os.path.exists(path):
        return f"log.dirs: {path} is a link to {os.readlink(path)}, which does not exist"
    return f"log.dirs: {path} is not a directory" if os.path.exists(path) and not os.path.isdir(path) else None


def _same_directories(paths: Sequence[Path]) -> Iterator[str]:
    """Two logs that write the same files would destroy each other."""
    seen: dict[str, Path] = {}
    for path in paths:
        other = seen.setdefault(os.path.realpath(path), path)
        if other is not path:
            yield f"log.dirs={path}: is the same directory as {other}"


def _closed(path: Path) -> str | None:
    existing = next(parent for parent in (path, *path.absolute().parents) if os.path.exists(parent))
    if os.access(existing, os.R_OK | os.W_OK | os.X_OK):
        return None
    if os.statvfs(existing).f_flag & os.ST_RDONLY:
        return f"log.dirs={path}: Read-only file system"
    return f"log.dirs={path}: no right to read and write in {existing}"


def _collect(sources: Sources, environment: Mapping[str, str]) -> Settings:
    file = _read(sources.file) if sources.file is not None else Settings({}, [])
    settings = combine(file, from_environment(environment, BrokerOptions.rows), parse_overrides(sources.overrides))
    values = {**sources.preferred, **settings.values}
    if sources.insecure:
        values["allow.insecure.listener"] = "true"
    if not values.get("log.dirs") and not values.get("log.dir"):
        values["log.dirs"] = str(default_data_directory())
    return Settings(values, settings.problems)


def default_data_directory() -> Path:
    from platformdirs import user_data_path  # only a start without log.dirs needs it

    return user_data_path("ottla", appauthor=False) / "data"


def _read(path: Path) -> Settings:
    try:
        text = path.read_bytes().decode("utf-8")
        readable_by_all = bool(path.stat().st_mode & stat.S_IROTH)
    except OSError as error:
        return Settings({}, [f"{path}: {error.strerror}"])
    except UnicodeDecodeError as error:
        return Settings({}, [f"{path}: not UTF-8 at byte {error.start}"])
    found = parse_toml(text) if path.suffix == ".toml" else parse_properties(text)
    problems = [f"{path}: {problem}" for problem in found.problems]
    if readable_by_all and any(_is_secret(name) for name in found.values):
        problems.append(f"{path}: holds passwords and everybody may read it; chmod o-r {path}")
    return Settings(found.values, problems)


def _is_secret(name: str) -> bool:
    row = base_row(name)
    return row is not None and row.kind is Kind.PASSWORD


def _hostname(options: BrokerOptions) -> str:
    """The machine's full name, where a listener needs it: asking for it may take a while."""
    if not any("://:" in text for text in (*options.listeners, *(options.advertised_listeners or ()))):
        return "localhost"
    import socket

    return socket.getfqdn() or "localhost"
