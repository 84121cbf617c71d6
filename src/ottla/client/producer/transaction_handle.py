"""What is left of a producer that has handed its transaction over. Light: it is imported where no producer is."""

from typing import NamedTuple


class TransactionHandle(NamedTuple):
    """An open transaction, to be ended elsewhere: `admin.end_transaction(handle, commit=True)`.

    >>> with Producer(bootstrap_servers=servers, transactional_id="giver") as producer:
    ...     producer.begin_transaction()
    ...     metadata = producer.send("given", b"1").result()
    ...     handle = producer.detach()
    >>> with Admin(bootstrap_servers=servers) as admin:
    ...     admin.end_transaction(handle, commit=True)
    >>> handle.transactional_id
    'giver'
    """

    transactional_id: str
    producer_id: int
    producer_epoch: int
