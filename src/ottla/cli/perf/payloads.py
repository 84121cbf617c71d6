"""What a producer test sends: random letters of one size, lines of a file, or rising numbers."""

import random
from collections.abc import Callable
from itertools import count
from typing import Any

from ottla.cli.failures import Failure

#: Random letters are cut out of a block of this size: a record costs a slice, not a random number per byte.
_BLOCK_BYTES = 1 << 20
_SEED = 0


class Payloads:
    """An endless source. `next()` gives one value, `rows(n)` a column of values for an Arrow table."""

    def __init__(self, take: Callable[[], bytes], rows: Callable[[int], Any]) -> None:
        self.next = take
        self.rows = rows


def random_payloads(size: int) -> Payloads:
    """The same bytes in every run, so that runs compare."""
    rng = random.Random(_SEED)
    letters = bytes(65 + number % 26 for number in range(256))
    block = rng.randbytes(size + max(_BLOCK_BYTES, size)).translate(letters)
    places = len(block) - size

    def take() -> bytes:
        start = int(rng.random() * places)
        return block[start : start + size]

    def rows(row_count: int) -> Any:
        import pyarrow as pa

        # One run of letters, cut into values: each row is different, and no Python object stands for it.
        start = int(rng.random() * places)
        needed = row_count * size
        data = (block[start:] + block * (needed // len(block) + 1))[:needed]
        fixed = pa.Array.from_buffers(pa.binary(size), row_count, [None, pa.py_buffer(data)])
        return fixed.cast(pa.binary())

    return Payloads(take, rows)


def file_payloads(path: str, delimiter: str) -> Payloads:
    """Values of a file, in random order as in Kafka. Raises Failure for an empty file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    values = [part.encode() for part in text.split(delimiter.replace("\\n", "\n"))]
    if values and not values[-1]:
        values.pop()
    if not values:
        raise Failure(f"{path}: File does not exist or empty file provided.")
    rng = random.Random(_SEED)
    return _of_values(lambda: rng.choice(values))


def monotonic_payloads() -> Payloads:
    numbers = count()
    return _of_values(lambda: str(next(numbers)).encode())


def _of_values(take: Callable[[], bytes]) -> Payloads:
    def rows(row_count: int) -> Any:
        import pyarrow as pa

        return pa.array([take() for _ in range(row_count)], pa.binary())

    return Payloads(take, rows)
