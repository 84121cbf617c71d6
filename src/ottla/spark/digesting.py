"""A digest of the rows that a task writes: is a repeated batch still the same?"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from ottla.records.arrow_batches import key_partitions
from ottla.records.arrow_repeats import repeated
from ottla.spark.task_results import RowsDigest

if TYPE_CHECKING:
    import pyarrow as pa

_HASH_RANGE: Final = 2**31 - 1


class Digesting:
    """Passes record batches on; `result` is their digest once they are through."""

    def __init__(self, batches: "Iterable[pa.RecordBatch]") -> None:
        self._batches = batches
        self.result = RowsDigest()

    def __iter__(self) -> "Iterator[pa.RecordBatch]":
        for batch in self._batches:
            rows, total = self.result
            self.result = RowsDigest(rows + batch.num_rows, (total + _digest(batch)) % 2**63)
            yield batch

    def drain(self) -> RowsDigest:
        for _ in self:
            pass
        return self.result


def _digest(batch: "pa.RecordBatch") -> int:
    """A sum over the rows: each counts with hashes of its key and value together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not batch.num_rows:
        return 0
    hashes = repeated(17, pa.int64(), batch.num_rows)
    for name in ("key", "value"):
        if name in batch.schema.names:
            column = key_partitions(batch.column(name), _HASH_RANGE).cast(pa.int64())
            column = pc.fill_null(column, -1) if column.null_count else column
            # Stays below 2**63: the sum so far is cut to 31 bits before it is multiplied.
            hashes = pc.add(pc.multiply(pc.bit_wise_and(hashes, _HASH_RANGE), 1_000_003), column)
    return int(pc.sum(pc.bit_wise_and(hashes, 2**47 - 1)).as_py())
