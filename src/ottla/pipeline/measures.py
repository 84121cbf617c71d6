"""The numbers of one run, from the progress reports of its queries. No Spark here: a report is plain data."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DEAD_LETTERS = "dead_letters"
_RULES = "rules."


@dataclass
class QueryMeasures:
    """Of one query; `add` takes each report once."""

    batch: int | None = None
    rows: int = 0
    rows_per_second: float = 0.0
    batch_ms: int | None = None
    late_rows: int = 0
    dead_letters: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, report: Mapping[str, Any]) -> None:
        batch = int(report["batchId"])
        if self.batch is not None and batch <= self.batch:
            # While idle, Spark repeats the report of the last batch without rows.
            self.rows_per_second = 0.0
            return
        self.batch = batch
        self.rows += int(report.get("numInputRows") or 0)
        self.rows_per_second = float(report.get("processedRowsPerSecond") or 0.0)
        self.batch_ms = (report.get("durationMs") or {}).get("triggerExecution")
        self.late_rows += sum(int(s.get("numRowsDroppedByWatermark") or 0) for s in report.get("stateOperators") or ())
        for name, counts in (report.get("observedMetrics") or {}).items():
            if name == DEAD_LETTERS:
                self.dead_letters += int(counts.get("count") or 0)
            elif name.startswith(_RULES):
                self.refused.update({rule: int(count or 0) for rule, count in counts.items()})


@dataclass
class RunMeasures:
    """Of all queries. Every query reads its sources by itself: numbers of the input are those of the largest."""

    queries: dict[str, QueryMeasures] = field(default_factory=dict)

    def of(self, query: str) -> QueryMeasures:
        return self.queries.setdefault(query, QueryMeasures())

    def fields(self) -> dict[str, Any]:
        """As in PipelineStatus."""
        all_queries = list(self.queries.values())
        refused: Counter[str] = Counter()
        for query in all_queries:
            refused |= query.refused
        times = [query.batch_ms for query in all_queries if query.batch_ms is not None]
        return {
            "batch": max((query.batch for query in all_queries if query.batch is not None), default=None),
            "rows": max((query.rows for query in all_queries), default=0),
            "rows_per_second": round(max((query.rows_per_second for query in all_queries), default=0.0), 1),
            "batch_ms": max(times, default=None),
            "late_rows": max((query.late_rows for query in all_queries), default=0),
            "dead_letters": sum(query.dead_letters for query in all_queries),
            "refused": dict(refused),
        }
