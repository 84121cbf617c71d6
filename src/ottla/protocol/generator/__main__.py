"""`python -m ottla.protocol.generator`: writes `generated/`; with `--check` only says whether it is stale."""

import sys
from pathlib import Path

from ottla.protocol.generator.modules import all_modules

GENERATED = Path(__file__).parent.parent / "generated"


def stale_files(directory: Path = GENERATED) -> list[str]:
    """Names of files that are missing, different, or should not be there."""
    files = all_modules()
    there = {path.name: path.read_text() for path in directory.glob("*.py")}
    return sorted(name for name in files.keys() | there.keys() if files.get(name) != there.get(name))


def write(directory: Path = GENERATED) -> int:
    files = all_modules()
    directory.mkdir(exist_ok=True)
    for path in directory.glob("*.py"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (directory / name).write_text(text)
    return len(files)


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        stale = stale_files()
        if stale:
            print(f"stale: {', '.join(stale)}; run python -m ottla.protocol.generator", file=sys.stderr)
        return 1 if stale else 0
    if arguments:
        print("usage: python -m ottla.protocol.generator [--check]", file=sys.stderr)
        return 2
    print(f"{write()} files written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
