"""Drives compaction: choose the dirtiest log, rewrite it in a helper process, swap the result in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode


class Cleaning:
    """Owned by the node."""

    def __init__(self, broker: BrokerNode) -> None:
        self._broker = broker

    async def clean_dirtiest(self) -> bool:
        """Cleans one log; False when none is dirty enough."""
        return False
