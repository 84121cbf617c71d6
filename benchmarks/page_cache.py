"""Makes the next writes find memory that the machine really has.

Virtual machines give free memory back to their host and pay for each page again at its first touch (2-3 CPU seconds per
GB, charged to whoever writes). That is no property of a broker: right before bytes are measured, as many pages are
touched and freed, so that the kernel hands out those.
"""

import tempfile
from pathlib import Path

_BLOCK = bytes(1 << 20)
_MARGIN = 1.25


def touch(directory: Path, size_bytes: int) -> None:
    with tempfile.TemporaryFile(dir=directory) as file:
        for _ in range(int(size_bytes * _MARGIN) // len(_BLOCK) + 1):
            file.write(_BLOCK)
