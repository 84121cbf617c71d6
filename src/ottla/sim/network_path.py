"""The path from one simulated host to another: how long packets take, and whether they arrive."""

from collections.abc import Callable
from typing import NamedTuple

from ottla.sim.rng import SimRng


class Latency(NamedTuple):
    low_us: int = 50
    high_us: int = 500
    #: How often, in percent, a packet takes up to a hundred times as long.
    spike_percent: float = 1.0


class Path:
    """One direction between two hosts."""

    def __init__(self, rng: SimRng, latency: Latency) -> None:
        self.rng = rng
        self.latency = latency
        self.is_cut = False
        self.is_clogged = False
        #: Slow reader or thin line; None: as fast as the latency allows.
        self.bytes_per_ms: int | None = None
        self.streams: list[Callable[[], None]] = []

    @property
    def is_open(self) -> bool:
        return not (self.is_cut or self.is_clogged)

    def delay_s(self) -> float:
        low_us, high_us, spike_percent = self.latency
        delay_us = self.rng.between(low_us, high_us)
        if spike_percent and self.rng.chance(spike_percent):
            delay_us *= self.rng.between(1, 100)
        return delay_us / 1e6

    def open(self) -> None:
        self.is_cut = self.is_clogged = False
        for resume in self.streams:
            resume()
