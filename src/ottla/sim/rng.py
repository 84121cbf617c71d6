"""Chance from a seed. Each node and each part of the world gets its own stream, split by name.

Splitting by name instead of drawing from one stream keeps runs comparable: a node that asks for one number more does
not change what every other node sees.
"""

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class SimRng:
    """Implements `ottla.doors.rng.Rng`. Two of them with the same seed give the same numbers, in any process."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._random = random.Random(seed)

    def split(self, name: str) -> "SimRng":
        """An independent stream that depends on the seed and the name alone, not on what was drawn before."""
        digest = hashlib.blake2b(f"{self.seed}/{name}".encode(), digest_size=8).digest()
        return SimRng(int.from_bytes(digest, "big"))

    def below(self, limit: int) -> int:
        return self._random.randrange(limit)

    def between(self, low: int, high: int) -> int:
        """A number from `low` up to and with `high`."""
        return self._random.randint(low, high)

    def chance(self, percent: float) -> bool:
        return self._random.random() * 100 < percent

    def one_of(self, choices: Sequence[T]) -> T:
        return choices[self._random.randrange(len(choices))]

    def some_of(self, choices: Sequence[T]) -> list[T]:
        """A random subset, in the order given."""
        return [choice for choice in choices if self._random.random() < 0.5]

    def shuffle(self, items: list[T]) -> None:
        self._random.shuffle(items)

    def random_bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def uuid(self) -> bytes:
        value = bytearray(self._random.randbytes(16))
        # As the real one: the text of an id must not begin with a dash.
        value[0] &= 0x7F
        value[6] = value[6] & 0x0F | 0x40
        value[8] = value[8] & 0x3F | 0x80
        return bytes(value)
