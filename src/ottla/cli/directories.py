"""The directories of a node: full paths from what the settings say, the default, and why data cannot be kept there."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

#: Settings whose value is a directory, or a list of them.
DIRECTORY_SETTINGS = ("log.dirs", "log.dir", "metadata.log.dir", "cordoned.log.dirs")
#: Stands for all directories in cordoned.log.dirs.
_ALL = "*"


def default_data_directory() -> Path:
    from platformdirs import user_data_path  # only a start without log.dirs needs it

    return user_data_path("ottla", appauthor=False) / "data"


def with_full_paths(values: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """The settings with absolute directories, and what is wrong with those that have none.

    A relative path counts from the working directory, `~` is the home directory. All parts of the broker compare paths
    as text, so none of them may see another form.
    """
    full, problems = dict(values), []
    for name in DIRECTORY_SETTINGS:
        parts = [part.strip() for part in values.get(name, "").split(",")]
        for index, part in enumerate(parts):
            expanded = os.path.expanduser(part)
            if expanded.startswith("~"):
                user = part.partition("/")[0]
                problems.append(f"{name}={part}: there is no home directory for {user}; use an absolute path")
            elif part and part != _ALL:
                # `..` stays: behind a symbolic link it leads elsewhere than its text says.
                parts[index] = str(Path(expanded).absolute())
        if name in values:
            full[name] = ",".join(parts)
    return full, problems


def directory_problems(paths: Sequence[Path], metadata_path: Path | None = None) -> list[str]:
    """Why data cannot be kept there. Directories that do not exist yet are created later.

    One that is closed to us while others are open is no problem of the settings: a disk that failed often comes back
    read-only. The store takes it offline, logs it, and the node serves what the others have.
    """
    mistakes = [problem for path in paths if (problem := _mistake("log.dirs", path)) is not None]
    mistakes += _same_directories(paths)
    if metadata_path is not None and (problem := _mistake("metadata.log.dir", metadata_path)) is not None:
        mistakes.append(problem)
    closed = [problem for path in paths if (problem := _closed(path)) is not None]
    return mistakes or (closed if len(closed) == len(paths) else [])


def _mistake(setting: str, path: Path) -> str | None:
    # The functions of os.path do not raise where a directory on the way is closed to us.
    if os.path.islink(path) and not os.path.exists(path):
        return f"{setting}: {path} is a link to {os.readlink(path)}, which does not exist"
    return f"{setting}: {path} is not a directory" if os.path.exists(path) and not os.path.isdir(path) else None


def _same_directories(paths: Sequence[Path]) -> Iterator[str]:
    """Two logs that write the same files would destroy each other."""
    seen: dict[str, Path] = {}
    for path in paths:
        other = seen.setdefault(os.path.realpath(path), path)
        if other is not path:
            yield f"log.dirs={path}: is the same directory as {other}"


def _closed(path: Path) -> str | None:
    existing = next(parent for parent in (path, *path.parents) if os.path.exists(parent))
    if os.access(existing, os.R_OK | os.W_OK | os.X_OK):
        return None
    if os.statvfs(existing).f_flag & os.ST_RDONLY:
        return f"log.dirs={path}: Read-only file system"
    return f"log.dirs={path}: no right to read and write in {existing}"
