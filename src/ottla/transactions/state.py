"""The states of a transaction and the moves between them, as one table.

                 add partitions                 end (commit)              markers written
        Empty ------------------> Ongoing --------------------> PrepareCommit ----------> CompleteCommit
         |  ^                     |  |  ^                                                  |   |
         |  |                     |  |  | add partitions                                   |   |
         |  |                     |  |  +--------------------------------------------------+   |
         |  |   fence: timeout,  |  |  |                                                      |
         |  |   new InitProducerId|  |  end (abort)                                            |
         |  |                     v  +----------------> PrepareAbort -----------> CompleteAbort|
         |  |       PrepareEpochFence ---------------------^  ^                       |        |
         |  |                                                 | abort of nothing      |        |
         +--|-------------------------------------------------+-----------------------+--------+
            |  InitProducerId                                                         |        |
            +-------------------------------------------------------------------------+--------+

        Empty, CompleteCommit, CompleteAbort --- nobody used the id for long ---> Dead (a tombstone)

A decision is final: from PrepareCommit only CompleteCommit can follow, from PrepareAbort only CompleteAbort.
PrepareEpochFence and Dead are never written: the first is passed on the way to PrepareAbort, the second is a tombstone.
"""

from enum import IntEnum


class TransactionState(IntEnum):
    """The numbers are those of the `transaction_status` in `__transaction_state`."""

    EMPTY = 0
    ONGOING = 1
    PREPARE_COMMIT = 2
    PREPARE_ABORT = 3
    COMPLETE_COMMIT = 4
    COMPLETE_ABORT = 5
    DEAD = 6
    PREPARE_EPOCH_FENCE = 7

    @property
    def label(self) -> str:
        """The name that tools show and filter by."""
        return _LABELS[self]


_LABELS: dict[TransactionState, str] = {
    TransactionState.EMPTY: "Empty",
    TransactionState.ONGOING: "Ongoing",
    TransactionState.PREPARE_COMMIT: "PrepareCommit",
    TransactionState.PREPARE_ABORT: "PrepareAbort",
    TransactionState.COMPLETE_COMMIT: "CompleteCommit",
    TransactionState.COMPLETE_ABORT: "CompleteAbort",
    TransactionState.DEAD: "Dead",
    TransactionState.PREPARE_EPOCH_FENCE: "PrepareEpochFence",
}
STATE_OF_LABEL: dict[str, TransactionState] = {label: state for state, label in _LABELS.items()}

EMPTY = TransactionState.EMPTY
ONGOING = TransactionState.ONGOING
PREPARE_COMMIT = TransactionState.PREPARE_COMMIT
PREPARE_ABORT = TransactionState.PREPARE_ABORT
COMPLETE_COMMIT = TransactionState.COMPLETE_COMMIT
COMPLETE_ABORT = TransactionState.COMPLETE_ABORT
DEAD = TransactionState.DEAD
PREPARE_EPOCH_FENCE = TransactionState.PREPARE_EPOCH_FENCE

NEXT_STATES: dict[TransactionState, frozenset[TransactionState]] = {
    EMPTY: frozenset({EMPTY, ONGOING, PREPARE_ABORT, DEAD}),
    ONGOING: frozenset({ONGOING, PREPARE_COMMIT, PREPARE_ABORT, PREPARE_EPOCH_FENCE}),
    PREPARE_COMMIT: frozenset({COMPLETE_COMMIT}),
    PREPARE_ABORT: frozenset({COMPLETE_ABORT}),
    COMPLETE_COMMIT: frozenset({EMPTY, ONGOING, PREPARE_ABORT, DEAD}),
    COMPLETE_ABORT: frozenset({EMPTY, ONGOING, PREPARE_ABORT, DEAD}),
    DEAD: frozenset(),
    PREPARE_EPOCH_FENCE: frozenset({PREPARE_ABORT}),
}

#: Decided but not finished: the markers are still to be written.
PREPARED: frozenset[TransactionState] = frozenset({PREPARE_COMMIT, PREPARE_ABORT})
#: No transaction is open.
IDLE: frozenset[TransactionState] = frozenset({EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT})
