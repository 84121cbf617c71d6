"""The operating system's clocks."""

from ottla.runtime import system_calls


class OsClock:
    now_ms = staticmethod(system_calls.now_ms)
    monotonic_ms = staticmethod(system_calls.monotonic_ms)
