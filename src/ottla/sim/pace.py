"""How slow the members of a group are."""

from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms

_SLICE_MS = 100


class Pace:
    """How often, in percent, a member dawdles between two steps of a rebalance, and how long at most."""

    def __init__(self, dawdle_percent: int = 0, dawdle_ms: int = 0) -> None:
        self.dawdle_percent = dawdle_percent
        self.dawdle_ms = dawdle_ms

    def __repr__(self) -> str:
        return f"Pace({self.dawdle_percent} %, {self.dawdle_ms} ms)"

    def hurry(self) -> None:
        """From now on nobody dawdles."""
        self.dawdle_percent = self.dawdle_ms = 0

    async def dawdle(self, rng: SimRng) -> None:
        if not rng.chance(self.dawdle_percent):
            return
        left_ms = rng.below(self.dawdle_ms)
        while left_ms > 0 and self.dawdle_ms:
            await sleep_ms(min(left_ms, _SLICE_MS))
            left_ms -= _SLICE_MS
