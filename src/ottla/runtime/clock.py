"""The operating system's clocks."""

import time

from ottla.runtime import system_calls


class OsClock:
    now_ms = staticmethod(system_calls.now_ms)

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000
