"""Everything that happened in a run, as a 64-bit digest and, if wanted, as lines."""

import hashlib
from collections.abc import Callable

from ottla.sim.loop import SimLoop


class Trace:
    def __init__(self, loop: SimLoop, show: Callable[[str], None] | None = None) -> None:
        self._loop = loop
        self._hash = hashlib.blake2b(digest_size=8)
        self._show = show
        self.event_count = 0

    def event(self, kind: str, *facts: object) -> None:
        """`facts` must print the same in every process: no objects without a repr of their own, no sets."""
        line = f"{self._loop.now_ns} {kind} {' '.join(map(str, facts))}"
        self._hash.update(line.encode())
        self._hash.update(b"\n")
        self.event_count += 1
        if self._show is not None:
            self._show(line)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()
