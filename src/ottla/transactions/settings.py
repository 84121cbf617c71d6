"""The limits that the operator sets for transactions."""

from typing import NamedTuple


class TransactionSettings(NamedTuple):
    #: transaction.max.timeout.ms
    max_timeout_ms: int = 900_000
    #: transactional.id.expiration.ms
    id_expiration_ms: int = 604_800_000
