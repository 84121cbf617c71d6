"""Reads the settings of a broker from files, environment and flags; reports every problem of a start in one list.

Precedence: flag > environment (`OTTLA_*`, then `KAFKA_*`) > file > default of the command.
"""

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ottla.cli.directories import default_data_directory, directory_problems, with_full_paths
from ottla.cli.ports import PortProblems, port_problems
from ottla.config.broker_options import BrokerOptions, base_row
from ottla.config.environment import from_environment
from ottla.config.kinds import Kind
from ottla.config.listeners import ListenerPlan, plan_listeners
from ottla.config.properties import Settings, combine, located, parse_overrides, parse_properties, parse_toml
from ottla.model.errors import InUse, InvalidConfig
from ottla.runtime.early_sockets import EarlySockets


class Sources(NamedTuple):
    """Where the settings of one start come from."""

    file: Path | None = None
    overrides: tuple[str, ...] = ()
    insecure: bool = False
    ignore_security_settings: bool = False
    log_levels: tuple[str, ...] = ()
    #: Defaults of the command, used where nothing else sets them.
    preferred: Mapping[str, str] = {}
    #: Settings that a flag of the command stands for: name -> (flag, value).
    flags: Mapping[str, tuple[str, str]] = {}


class Start(NamedTuple):
    options: BrokerOptions
    plan: ListenerPlan
    #: Setting -> the file and line, variable or flag that sets it.
    origins: Mapping[str, str]


def load(
    sources: Sources, environment: Mapping[str, str], early: EarlySockets | None = None, *, check_ports: bool = True
) -> Start:
    """Raises InvalidConfig with everything that is wrong, InUse for a port in use. Changes nothing on disk."""
    settings = _collect(sources, environment)
    try:
        return _load(settings, early or EarlySockets(), check_ports=check_ports)
    except InvalidConfig as error:
        raise InvalidConfig([located(problem, settings.origins) for problem in error.problems]) from None
    except InUse as error:
        raise InUse([located(problem, settings.origins) for problem in error.problems]) from None


def _load(settings: Settings, early: EarlySockets, *, check_ports: bool) -> Start:
    options, wrong = BrokerOptions.lenient(settings.values)
    problems = [*settings.problems, *wrong]
    metadata_directory = Path(options.metadata_log_dir) if options.metadata_log_dir else None
    problems.extend(directory_problems([Path(path) for path in options.log_directories], metadata_directory))
    try:
        plan = plan_listeners(options, hostname=_hostname(options))
    except InvalidConfig as error:
        raise InvalidConfig([*problems, *error.problems]) from None
    found = port_problems(plan, early) if check_ports else PortProblems([], [])
    if problems or found.lasting:
        raise InvalidConfig([*problems, *found.lasting, *found.passing])
    if found.passing:
        raise InUse(found.passing)
    return Start(options, plan, settings.origins)


def _collect(sources: Sources, environment: Mapping[str, str]) -> Settings:
    settings = combine(
        [
            Settings(dict(sources.preferred), [], {}),
            _read(sources.file) if sources.file is not None else Settings({}, [], {}),
            from_environment(environment, BrokerOptions.rows),
            _from_flags(sources),
            parse_overrides(sources.overrides),
        ]
    )
    values = settings.values
    if not values.get("log.dirs") and not values.get("log.dir"):
        values["log.dirs"] = str(default_data_directory())
    values, unknown_homes = with_full_paths(values)
    return Settings(values, [*settings.problems, *unknown_homes], settings.origins)


def _from_flags(sources: Sources) -> Settings:
    found = Settings({}, [], {})
    for name, (flag, value) in sources.flags.items():
        found.set(name, value, flag)
    if sources.insecure:
        found.set("allow.insecure.listener", "true", "--insecure")
    if sources.ignore_security_settings:
        found.set("ottla.ignore.security.settings", "true", "--ignore-security-settings")
    return found


def _read(path: Path) -> Settings:
    try:
        text = path.read_bytes().decode("utf-8")
        readable_by_all = bool(path.stat().st_mode & stat.S_IROTH)
    except OSError as error:
        return Settings({}, [f"{path}: {error.strerror}"], {})
    except UnicodeDecodeError as error:
        return Settings({}, [f"{path}: not UTF-8 at byte {error.start}"], {})
    found = parse_toml(text, str(path)) if path.suffix == ".toml" else parse_properties(text, str(path))
    if readable_by_all and any(_is_secret(name) for name in found.values):
        found.problems.append(f"{path}: contains passwords and every user can read it; chmod o-r {path}")
    return found


def _is_secret(name: str) -> bool:
    row = base_row(name)
    return row is not None and row.kind is Kind.PASSWORD


def _hostname(options: BrokerOptions) -> str:
    """The machine's full name, where a listener needs it: asking for it may take a while."""
    if not any("://:" in text for text in (*options.listeners, *(options.advertised_listeners or ()))):
        return "localhost"
    import socket

    return socket.getfqdn() or "localhost"
