"""R15 (own, compaction): the first pass of the cleaner over a transaction drops its marker."""

from collections.abc import Callable
from typing import Any

from ottla.sim.workloads.compaction import run_compaction

TARGET = "ottla.log.compaction.segment_cleaning._Cleaning._cleaned_control"
FINDINGS = ("G1a", "key-came-back", "lost", "stuck-lso")
RUN = run_compaction


def planted(original: Callable[..., Any]) -> Callable[..., Any]:
    def cleaned_control(self: Any, batch: Any) -> Any:
        return original(self, batch)._replace(data=None)

    return cleaned_control
