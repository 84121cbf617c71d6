"""Compiled code that is older than its source would be tested in its place: it is kept out instead."""

import os
import runpy
from importlib.util import find_spec
from pathlib import Path


def avoid_stale_builds() -> list[str]:
    """Which modules are stale. If any is, this process and those that it starts run Python sources alone."""
    package = find_spec("ottla")
    assert package is not None
    assert package.origin is not None
    directory = Path(package.origin).parent
    modules = runpy.run_path(str(directory / "compiled.py"))["MODULES"]
    stale = [module for module in modules if is_stale(directory.parent.joinpath(*module.split(".")))]
    if stale:
        os.environ["OTTLA_PURE"] = "1"
    return stale


def is_stale(path: Path) -> bool:
    """`path` is that of a module without its suffix."""
    built = [file.stat().st_mtime for file in path.parent.glob(f"{path.name}.*.so")]
    sources = [
        file.stat().st_mtime for suffix in (".py", ".pyx", ".pxd") if (file := path.with_suffix(suffix)).exists()
    ]
    return bool(built) and max(built) < max(sources, default=0)
