"""pandas, imported before a task has to wait for it.

At the end of each task that writes, Spark makes an Arrow array of a Python object, and pyarrow then imports pandas:
0.3 s of a core. A worker does it earlier, in a thread: when the first rows to write are still on their way, and when
it has read all its rows. Workers that have read are the first that Spark uses to write.
"""

import contextlib
import importlib
import sys
from threading import Thread


def import_pandas_soon() -> None:
    """In a thread of its own. More than once does no harm."""
    if "pandas" not in sys.modules:
        Thread(target=_import_pandas, name="ottla pandas import", daemon=True).start()


def _import_pandas() -> None:
    with contextlib.suppress(ImportError):
        importlib.import_module("pandas")
