"""The operating system's clocks."""

import time

from ottla.twins import compiled_twin


class OsClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000


_twin = compiled_twin("ottla.runtime._system_calls")
if _twin is not None:
    OsClock.now_ms = staticmethod(_twin.now_ms)  # type: ignore[method-assign]
