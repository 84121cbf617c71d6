"""The life of transactions of one producer. No I/O.

uninitialized -> initializing -> ready -> in transaction -> committing -> ready
                                  ^             |   \\            |
                                  |             |    detached    |
                                  |             v                v
                                  +- aborting <- must abort <----+          fatal: from any of them, for good
"""

from enum import Enum

from ottla.client.errors import ProducerFenced, RequestRefused, UnsupportedByBroker
from ottla.model.error_codes import ErrorCode


class Phase(Enum):
    UNINITIALIZED = "not initialized"
    INITIALIZING = "being initialized"
    READY = "ready"
    IN_TRANSACTION = "in a transaction"
    COMMITTING = "committing"
    MUST_ABORT = "in a transaction that must be aborted"
    ABORTING = "aborting"
    DETACHED = "detached"
    FATAL = "failed for good"


_P = Phase
NEXT_PHASES: dict[Phase, frozenset[Phase]] = {
    _P.UNINITIALIZED: frozenset({_P.INITIALIZING, _P.FATAL}),
    _P.INITIALIZING: frozenset({_P.READY, _P.UNINITIALIZED, _P.FATAL}),
    _P.READY: frozenset({_P.IN_TRANSACTION, _P.INITIALIZING, _P.FATAL}),
    _P.IN_TRANSACTION: frozenset({_P.COMMITTING, _P.ABORTING, _P.MUST_ABORT, _P.DETACHED, _P.FATAL}),
    _P.COMMITTING: frozenset({_P.READY, _P.MUST_ABORT, _P.FATAL}),
    _P.MUST_ABORT: frozenset({_P.ABORTING, _P.FATAL}),
    _P.ABORTING: frozenset({_P.READY, _P.INITIALIZING, _P.UNINITIALIZED, _P.FATAL}),
    _P.DETACHED: frozenset({_P.FATAL}),
    _P.FATAL: frozenset(),
}
_FATAL_CODES = frozenset(
    {
        ErrorCode.INVALID_TXN_STATE,
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
        ErrorCode.INVALID_TRANSACTION_TIMEOUT,
    }
)


class TransactionState:
    """Owned by the TransactionalAuthority."""

    def __init__(self, transactional_id: str) -> None:
        self.transactional_id = transactional_id
        self.phase = Phase.UNINITIALIZED
        #: Why the transaction must be aborted, or nothing works any more.
        self.error: Exception | None = None

    def move(self, phase: Phase) -> None:
        if phase not in NEXT_PHASES[self.phase]:
            raise RuntimeError(
                f"transactional.id {self.transactional_id} is {self.phase.value}; it cannot be {phase.value}"
            )
        self.phase = phase
        if phase in (Phase.READY, Phase.INITIALIZING):
            self.error = None

    def require(self, *phases: Phase) -> None:
        """Raises what went wrong before, or RuntimeError for a call at the wrong time."""
        if self.phase in phases:
            return
        if self.error is not None and self.phase in (Phase.FATAL, Phase.MUST_ABORT):
            raise self.error
        wanted = " or ".join(phase.value for phase in phases)
        raise RuntimeError(f"transactional.id {self.transactional_id} is {self.phase.value}; it must be {wanted}")

    def failed(self, error: Exception) -> None:
        """A request or a batch of the transaction failed for good."""
        if self.phase is Phase.FATAL:
            return
        if is_fatal(error):
            self.move(Phase.FATAL)
            self.error = error
        elif self.phase in (Phase.IN_TRANSACTION, Phase.COMMITTING):
            self.move(Phase.MUST_ABORT)
            self.error = error


def is_fatal(error: Exception) -> bool:
    """Whether the producer must be closed; otherwise it is enough to abort the transaction."""
    if isinstance(error, ProducerFenced | UnsupportedByBroker):
        return True
    return isinstance(error, RequestRefused) and error.code in _FATAL_CODES
