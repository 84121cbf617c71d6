"""What administrators see: DescribeTransactions (key 65) and ListTransactions (key 66)."""

from collections.abc import Callable, Iterable
from itertools import groupby

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.describe_transactions_response import Topics
from ottla.protocol.generated.describe_transactions_response import TransactionStates as Described
from ottla.protocol.generated.list_transactions_request import ListTransactionsRequest
from ottla.protocol.generated.list_transactions_response import ListTransactionsResponse
from ottla.protocol.generated.list_transactions_response import TransactionStates as Listed
from ottla.transactions.state import DEAD, STATE_OF_LABEL
from ottla.transactions.transaction import Transaction


def describe(transactional_id: str, transaction: Transaction | None) -> Described:
    if not transactional_id:
        return Described(error_code=ErrorCode.INVALID_REQUEST, transactional_id=transactional_id)
    if transaction is None or transaction.state is DEAD:
        return Described(error_code=ErrorCode.TRANSACTIONAL_ID_NOT_FOUND, transactional_id=transactional_id)
    return Described(
        transactional_id=transactional_id,
        transaction_state=transaction.state.label,
        transaction_timeout_ms=transaction.timeout_ms,
        transaction_start_time_ms=transaction.start_ms,
        producer_id=transaction.producer_id,
        producer_epoch=transaction.producer_epoch,
        topics=[
            Topics(topic=topic, partitions=[each.partition for each in group])
            for topic, group in groupby(transaction.partitions, key=lambda each: each.topic)
        ],
    )


def list_transactions(
    transactions: Iterable[Transaction], request: ListTransactionsRequest, wall_ms: int
) -> ListTransactionsResponse:
    """An empty filter lets everything pass. An unknown state in the filter is reported and matches nothing."""
    try:
        matches = _id_filter(request.transactional_id_pattern)
    except Refused as refusal:
        return ListTransactionsResponse(error_code=refusal.code)
    states = {STATE_OF_LABEL[name] for name in request.state_filters if name in STATE_OF_LABEL}
    producer_ids = frozenset(request.producer_id_filters)
    listed = [
        Listed(
            transactional_id=each.transactional_id,
            producer_id=each.producer_id,
            transaction_state=each.state.label,
        )
        for each in transactions
        if each.state is not DEAD
        and (not request.state_filters or each.state in states)
        and (not producer_ids or each.producer_id in producer_ids)
        # A transaction that has not begun has the start time -1: it passes every duration, as it does in Kafka.
        and (request.duration_filter < 0 or wall_ms - each.start_ms > request.duration_filter)
        and matches(each.transactional_id)
    ]
    unknown = [name for name in request.state_filters if name not in STATE_OF_LABEL]
    return ListTransactionsResponse(unknown_state_filters=unknown, transaction_states=listed)


def _id_filter(pattern: str | None) -> Callable[[str], bool]:
    if not pattern:
        return lambda transactional_id: True
    import re2  # loaded only when somebody asks for a pattern

    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options=options)
    except re2.error as error:
        raise Refused(ErrorCode.INVALID_REGULAR_EXPRESSION, str(error)) from error
    return lambda transactional_id: compiled.fullmatch(transactional_id) is not None
