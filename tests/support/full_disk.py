"""Takes the last byte of a file system."""

from pathlib import Path

MIB = 1 << 20


def fill(place: Path) -> Path:
    """Takes the last byte of a file system; the file that has taken it."""
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * MIB)
        except OSError:
            pass
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            pass
    return filler
