"""Who an idempotent producer is: its id and epoch, which brokers use to recognize duplicates. No I/O."""

from typing import NamedTuple

from ottla.records.batch import NO_PRODUCER_EPOCH, NO_PRODUCER_ID

#: The last epoch; after it a producer needs a new id.
MAX_EPOCH = 32767


class Identity(NamedTuple):
    producer_id: int
    producer_epoch: int

    @property
    def is_known(self) -> bool:
        return self.producer_id != NO_PRODUCER_ID


NOBODY = Identity(NO_PRODUCER_ID, NO_PRODUCER_EPOCH)


def bumped(identity: Identity) -> Identity:
    """The same producer with the next epoch; NOBODY when there is none left, so that a new id is asked for."""
    if identity.producer_epoch >= MAX_EPOCH:
        return NOBODY
    return identity._replace(producer_epoch=identity.producer_epoch + 1)
