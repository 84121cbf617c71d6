"""One value for many rows, as an Arrow array."""

import sys
from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def repeated(value: int | str, kind: "pa.DataType", count: int) -> "pa.Array":
    """From the bytes of the value: `pa.scalar` imports pandas, to see whether it is one of its own: 0.3 s of a core."""
    import pyarrow as pa

    if isinstance(value, str):
        data = value.encode()
        buffers = [pa.py_buffer(array("i", [0, len(data)])), pa.py_buffer(data)]
    else:
        buffers = [pa.py_buffer(value.to_bytes(kind.bit_width // 8, sys.byteorder, signed=True))]
    return pa.repeat(pa.Array.from_buffers(kind, 1, [None, *buffers])[0], count)
