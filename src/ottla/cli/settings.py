"""From files, environment and flags to the settings of a broker; every problem of a start in one list.

Precedence: flag > environment (`OTTLA_*`, then `KAFKA_*`) > file > what the command itself prefers.
"""

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ottla.cli.directories import default_data_directory, directory_problems, with_full_paths
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
    metadata_directory = Path(options.metadata_log_dir) if options.metadata_log_dir else None
    problems.extend(directory_problems([Path(path) for path in options.log_directories], metadata_directory))
    try:
        plan = plan_listeners(options, hostname=_hostname(options))
    except InvalidConfig as error:
        raise InvalidConfig([*problems, *error.problems]) from None
    problems.extend(taken_ports(plan, early or EarlySockets()))
    if problems:
        raise InvalidConfig(problems)
    return Start(options, plan)


def _collect(sources: Sources, environment: Mapping[str, str]) -> Settings:
    file = _read(sources.file) if sources.file is not None else Settings({}, [])
    settings = combine(file, from_environment(environment, BrokerOptions.rows), parse_overrides(sources.overrides))
    values = {**sources.preferred, **settings.values}
    if sources.insecure:
        values["allow.insecure.listener"] = "true"
    if not values.get("log.dirs") and not values.get("log.dir"):
        values["log.dirs"] = str(default_data_directory())
    values, unknown_homes = with_full_paths(values)
    return Settings(values, [*settings.problems, *unknown_homes])


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
