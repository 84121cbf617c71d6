"""`ottla profile`: named connections of a user."""

import os
from typing import NamedTuple

import click

from ottla.cli.connection import BOOTSTRAP, read_properties
from ottla.cli.failures import not_found, usage
from ottla.cli.profiles import Profiles, load_profiles, profiles_file, save_profiles
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import tool_group, verb
from ottla.config.properties import parse_overrides

profile = tool_group("profile", help="Named connections: create, use, list, show, delete.")
_SECRETS = ("password", "jaas", "secret", "key")


class ProfileRow(NamedTuple):
    profile: str
    bootstrap: str | None
    current: bool


class PropertyRow(NamedTuple):
    name: str
    value: str


def _load() -> Profiles:
    return load_profiles(profiles_file(os.environ))


def _save(profiles: Profiles) -> None:
    save_profiles(profiles_file(os.environ), profiles)


def _rows(profiles: Profiles) -> Result:
    rows = [
        ProfileRow(name, p.get(BOOTSTRAP), name == profiles.current) for name, p in sorted(profiles.profiles.items())
    ]
    return Result("profiles", rows, ("profile", "bootstrap", "current"))


@verb("create")
@click.argument("name", metavar="NAME")
@click.option("--config", "files", multiple=True, metavar="FILE", help="A Java properties file to take over.")
@click.option("--use", "is_used", is_flag=True, help="Make it the current profile.")
def create(run: Run, name: str, files: tuple[str, ...], is_used: bool) -> Result:
    """Create or replace a profile from -b, -X and --config.

    \b
    ottla profile create test -b kafka-1:9092 --use
    ottla profile create prod -b kafka:9093 -X security.protocol=SASL_SSL -X sasl.mechanism=SCRAM-SHA-512
    """
    properties: dict[str, str] = {}
    for file in files:
        properties.update(read_properties(file))
    given = parse_overrides(run.flags.properties)
    if given.problems:
        raise usage(given.problems[0])
    properties.update(given.values)
    if run.flags.bootstrap:
        properties[BOOTSTRAP] = run.flags.bootstrap
    if BOOTSTRAP not in properties:
        raise usage("a profile needs servers", f"ottla profile create {name} -b HOST:PORT")
    before = _load()
    current = name if is_used or before.current is None else before.current
    profiles = Profiles(current, {**before.profiles, name: properties})
    _save(profiles)
    return _rows(profiles)


@verb("use", connects=False)
@click.argument("name", metavar="NAME")
def use(run: Run, name: str) -> Result:
    """Make a profile the current one."""
    profiles = _load()
    if name not in profiles.profiles:
        raise not_found("profile", name, profiles.profiles)
    _save(profiles._replace(current=name))
    return _rows(profiles._replace(current=name))


@verb("list", connects=False)
def list_(run: Run) -> Result:
    """List the profiles."""
    return _rows(_load())


@verb("show", connects=False)
@click.argument("name", required=False, metavar="[NAME]")
def show(run: Run, name: str | None) -> Result:
    """Show the properties of a profile, the current one unless named. Secrets are hidden."""
    profiles = _load()
    chosen = name or profiles.current
    if chosen is None:
        raise usage("there is no current profile", "ottla profile create NAME -b HOST:PORT")
    if chosen not in profiles.profiles:
        raise not_found("profile", chosen, profiles.profiles)
    rows = [
        PropertyRow(key, "[hidden]" if any(word in key for word in _SECRETS) else value)
        for key, value in sorted(profiles.profiles[chosen].items())
    ]
    return Result("profile", rows, ("name", "value"))


@verb("delete", connects=False)
@click.argument("name", metavar="NAME")
def delete(run: Run, name: str) -> Result:
    """Delete a profile."""
    profiles = _load()
    if name not in profiles.profiles:
        raise not_found("profile", name, profiles.profiles)
    left = {key: value for key, value in profiles.profiles.items() if key != name}
    changed = Profiles(None if profiles.current == name else profiles.current, left)
    _save(changed)
    return _rows(changed)


for each in (create, use, list_, show, delete):
    profile.add_command(each)
