"""R19 (the fsync lesson), over a restart: the error is remembered, but what it lost is not written again."""

from collections.abc import Callable
from typing import Any

from tests.mutations import R19b

TARGET = "ottla.log.recovery.lost_pages.LostPages.write_again"
FINDINGS = ("lost-write",)
SCENARIO = R19b.SCENARIO


def planted(original: Callable[..., None]) -> Callable[..., None]:
    def write_again(self: Any, recovery_point: int) -> None:
        return None

    return write_again
