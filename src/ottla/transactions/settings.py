"""The limits that the operator sets for transactions."""

from collections.abc import Callable
from typing import NamedTuple


class TransactionSettings(NamedTuple):
    #: transaction.max.timeout.ms
    max_timeout_ms: int = 900_000
    #: transactional.id.expiration.ms
    id_expiration_ms: int = 604_800_000
    #: What to make of the wall clock's time where something is forgotten by it (`broker.retention_clock`).
    believed_ms: Callable[[int], int] = int
