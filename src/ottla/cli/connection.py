"""Where the cluster is and how to log in: flag, environment, project file, profile of the user, localhost:9092.

The strongest source that names the bootstrap servers wins. A weaker file adds nothing then: what it has (a password!)
belongs to another cluster. A profile that is asked for by name always counts.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ottla.cli.failures import Failure, usage
from ottla.config.properties import parse_overrides, parse_properties

DEFAULT_BOOTSTRAP = "localhost:9092"
BOOTSTRAP = "bootstrap.servers"
CONTROLLERS = "bootstrap.controllers"
_BOOTSTRAP_VARIABLES = ("OTTLA_BOOTSTRAP", "KAFKA_BOOTSTRAP_SERVERS")


class Flags(NamedTuple):
    """What the command line says about the connection."""

    bootstrap: str | None = None
    controllers: str | None = None
    profile: str | None = None
    config_files: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


class Connection(NamedTuple):
    """`properties` has bootstrap.servers or bootstrap.controllers, and all client properties.

    `source` says where the servers were found. `in_files` are the names that only files have: those may be meant for
    other programs.
    """

    properties: dict[str, str]
    source: str
    in_files: frozenset[str] = frozenset()

    @property
    def servers(self) -> str:
        return self.properties.get(CONTROLLERS) or self.properties[BOOTSTRAP]


def resolve(flags: Flags, environment: Mapping[str, str], directory: Path) -> Connection:
    """Raises Failure for files and profiles that cannot be used."""
    in_files = {name: value for file in flags.config_files for name, value in read_properties(file).items()}
    single = _single(flags)
    if flags.controllers:
        return _at_controllers(flags, {**in_files, **single}, environment)
    found = _resolve(flags, {**in_files, **single}, environment, directory)
    return found._replace(in_files=frozenset(set(in_files) - set(single)))


def _resolve(flags: Flags, given: dict[str, str], environment: Mapping[str, str], directory: Path) -> Connection:
    named = flags.profile or environment.get("OTTLA_PROFILE")
    from_profile = profile_properties(named, environment) if named else {}
    if BOOTSTRAP in given:
        return Connection({**from_profile, **given}, "flag")
    if flags.profile and BOOTSTRAP in from_profile:
        return Connection({**from_profile, **given}, f"profile {flags.profile}")
    for variable in _BOOTSTRAP_VARIABLES:
        if environment.get(variable):
            return Connection({**from_profile, BOOTSTRAP: environment[variable], **given}, variable)
    if BOOTSTRAP in from_profile:
        return Connection({**from_profile, **given}, f"profile {named}")
    found, source = _of_files(environment, directory)
    return Connection({BOOTSTRAP: DEFAULT_BOOTSTRAP, **from_profile, **found, **given}, source)


def _at_controllers(flags: Flags, given: dict[str, str], environment: Mapping[str, str]) -> Connection:
    """Controllers are named by a flag only; bootstrap servers of files and profiles are not used with them."""
    if flags.bootstrap:
        raise usage("You cannot specify both --bootstrap-controller and --bootstrap-server.")
    named = flags.profile or environment.get("OTTLA_PROFILE")
    properties = {**(profile_properties(named, environment) if named else {}), **given}
    properties.pop(BOOTSTRAP, None)
    return Connection({**properties, CONTROLLERS: flags.controllers or ""}, "flag")


def _single(flags: Flags) -> dict[str, str]:
    """Properties that are given one by one, and -b."""
    pairs = parse_overrides(flags.properties)
    if pairs.problems:
        raise usage(f"{pairs.problems[0].removeprefix('override ')}", "give NAME=VALUE")
    values = dict(pairs.values)
    if flags.bootstrap:
        values[BOOTSTRAP] = flags.bootstrap
    return values


def read_properties(path: str) -> dict[str, str]:
    """A Java properties file. Raises Failure."""
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Failure(f"{path}: not UTF-8 at byte {error.start}") from error
    found = parse_properties(text)
    if found.problems:
        raise Failure(f"{path}: {'; '.join(found.problems)}")
    return found.values


def _of_files(environment: Mapping[str, str], directory: Path) -> tuple[dict[str, str], str]:
    """The project file, or the current profile of the user."""
    project = _project_file(directory)
    if project is not None:
        path, table = project
        if "profile" in table:
            name = str(table["profile"])
            return profile_properties(name, environment), f"profile {name} ({path})"
        found = _flat(table, path)
        if BOOTSTRAP in found:
            return found, str(path)
    from ottla.cli.profiles import load_profiles, profiles_file

    profiles = load_profiles(profiles_file(environment))
    if profiles.current is not None:
        return profile_properties(profiles.current, environment), f"profile {profiles.current}"
    return {}, "default"


def profile_properties(name: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Raises Failure for a profile that does not exist."""
    from ottla.cli.profiles import load_profiles, profiles_file

    path = profiles_file(environment)
    profiles = load_profiles(path)
    if name not in profiles.profiles:
        known = ", ".join(sorted(profiles.profiles)) or "none"
        raise usage(
            f"there is no profile {name!r} in {path}; known: {known}", f"ottla profile create {name} -b HOST:PORT"
        )
    return profiles.profiles[name]


def _project_file(directory: Path) -> tuple[Path, Mapping[str, object]] | None:
    """ottla.toml, or [tool.ottla] of pyproject.toml; upwards to the root of the repository."""
    for folder in (directory, *directory.parents):
        for name in ("ottla.toml", "pyproject.toml"):
            table = _read_table(folder / name)
            if table:
                return folder / name, table
        if (folder / ".git").exists():
            return None
    return None


def _read_table(path: Path) -> Mapping[str, object] | None:
    """The part of a project file that is about the connection; broker settings in ottla.toml are left alone."""
    if not os.path.isfile(path):
        return None
    import tomllib  # most runs have no such file

    try:
        document: Mapping[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {error}") from error
    if path.name == "pyproject.toml":
        tools = document.get("tool")
        document = tools.get("ottla", {}) if isinstance(tools, dict) else {}
    return {key: value for key, value in document.items() if key in ("bootstrap", "profile", "client")}


def _flat(table: Mapping[str, object], path: Path) -> dict[str, str]:
    """`bootstrap` and the client properties of the table `client`."""
    client = table.get("client", {})
    if not isinstance(client, dict):
        raise Failure(f"{path}: client must be a table of client properties")
    found = {key: str(value) for key, value in client.items()}
    if "bootstrap" in table:
        found[BOOTSTRAP] = str(table["bootstrap"])
    return found
