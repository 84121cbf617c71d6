"""Errors of a disk that works: no room is left on it, or the process has no file descriptor left. Both pass.

What such an error refuses is retried; any other error puts a log directory offline.
"""

import errno
from typing import Final

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
#: Only calls that open something get these: nothing was read or written.
_OUT_OF_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE})


def is_no_room(error: Exception | None) -> bool:
    return isinstance(error, OSError) and error.errno in _NO_ROOM


def is_out_of_files(error: Exception | None) -> bool:
    return isinstance(error, OSError) and error.errno in _OUT_OF_FILES


def passes(error: Exception | None) -> bool:
    """Of an operation that has changed nothing. A failed fsync is never one, whatever its number."""
    return is_no_room(error) or is_out_of_files(error)
