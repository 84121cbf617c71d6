"""What the testing kit raises."""

from collections.abc import Sequence
from typing import Any


class UnsupportedHere(Exception):
    """This broker cannot do that: it has one node, is a process of its own, or is not ours. The message says why."""


class NotReceived(AssertionError):
    """The records that a test waits for did not arrive in time; `records` are those that did."""

    def __init__(self, message: str, records: Sequence[Any]) -> None:
        super().__init__(message)
        self.records = list(records)


class StartFailed(Exception):
    """The broker did not start. The message has the reason."""
