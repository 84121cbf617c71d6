"""What the machine has: settings that are a share of it, or that must not exceed it, are derived from this."""

from typing import NamedTuple


class Machine(NamedTuple):
    """The defaults are those of a small machine; the real numbers come from `runtime`."""

    memory_bytes: int = 1 << 30
    open_files: int = 65_536
