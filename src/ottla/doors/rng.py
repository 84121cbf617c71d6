"""Chance."""

from typing import Protocol


class Rng(Protocol):
    """The only source of randomness; seeded in simulation."""

    def below(self, limit: int) -> int:
        """A number from 0 up to and without `limit`."""

    def random_bytes(self, count: int) -> bytes: ...

    def uuid(self) -> bytes:
        """16 random bytes with the version bits of a random UUID; never one that Kafka reserves (all zero, or 1)."""
