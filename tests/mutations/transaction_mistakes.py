"""R06 planted in two ways, for every workload with transactions."""

from typing import Any

import pytest

from ottla.broker.produce.transactional_produce import TransactionalProduce
from ottla.transactions.transaction import Transaction


def keep_the_epoch(patch: pytest.MonkeyPatch) -> None:
    """R06: a late request of an earlier transaction looks like one of the present transaction."""
    original = Transaction.prepared

    def prepared(self: Transaction, **how: Any) -> Transaction:
        return original(self, **how)._replace(producer_epoch=self.producer_epoch)

    patch.setattr(Transaction, "prepared", prepared)


def skip_the_verification(patch: pytest.MonkeyPatch) -> None:
    """R06: data goes to a partition of which the coordinator knows nothing."""
    patch.setattr(
        TransactionalProduce, "produce", lambda self, request, context: self._appender.append_all(request, context)
    )
