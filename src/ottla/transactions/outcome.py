"""What the rules for one transactional id decide: the next version of its transaction, or a refusal.

The rules (`init_producer_id.py`, `add_partitions.py`, `end_transaction.py`) are plain functions of the present
transaction; the shard turns it into records, timers and responses.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ottla.model.error_codes import ErrorCode
from ottla.transactions.transaction import Transaction

#: Gives a producer id that nobody has had. Raises Refused when there is none at the moment.
NewProducerId: TypeAlias = Callable[[], int]


class Outcome(NamedTuple):
    """`moves` are the new versions of the transaction, in the order of their records; none when nothing changes."""

    code: ErrorCode
    moves: tuple[Transaction, ...] = ()
    #: What the client has to use from now on; -1 where the response names no producer.
    producer_id: int = -1
    producer_epoch: int = -1


def refused(code: ErrorCode) -> Outcome:
    return Outcome(code)


def code_for_version(code: ErrorCode, version: int, fenced_since: int) -> ErrorCode:
    """Clients older than KIP-588 do not know PRODUCER_FENCED."""
    if code is ErrorCode.PRODUCER_FENCED and version < fenced_since:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    return code
