"""How slow the members of a group are."""

from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms

_SLICE_MS = 100


class Pace:
    """How often, in percent, a member pauses between two steps of a rebalance, and how long at most."""

    def __init__(self, delay_percent: int = 0, delay_ms: int = 0) -> None:
        self.delay_percent = delay_percent
        self.delay_ms = delay_ms

    def __repr__(self) -> str:
        return f"Pace({self.delay_percent} %, {self.delay_ms} ms)"

    def stop_delays(self) -> None:
        """From now on nobody pauses."""
        self.delay_percent = self.delay_ms = 0

    async def delay(self, rng: SimRng) -> None:
        if not rng.chance(self.delay_percent):
            return
        left_ms = rng.below(self.delay_ms)
        while left_ms > 0 and self.delay_ms:
            await sleep_ms(min(left_ms, _SLICE_MS))
            left_ms -= _SLICE_MS
