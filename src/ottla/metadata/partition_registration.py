"""One partition as the metadata log knows it: where its replicas are, who leads, who is in sync."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ottla.protocol.generated.partition_change_record import PartitionChangeRecord
    from ottla.protocol.generated.partition_record import PartitionRecord

NO_LEADER = -1
#: In a PartitionChangeRecord: the leader (and its epoch) stays as it is.
NO_LEADER_CHANGE = -2

RECOVERED = 0
RECOVERING = 1
NO_RECOVERY_CHANGE = -1

#: No directory is known yet for the replica (KIP-858).
UNASSIGNED_DIRECTORY = bytes(16)


class PartitionRegistration(NamedTuple):
    """Immutable. The leader epoch rises with every leader, the partition epoch with every change."""

    replicas: tuple[int, ...]
    directories: tuple[bytes, ...]
    isr: tuple[int, ...]
    leader: int
    leader_epoch: int
    partition_epoch: int
    removing_replicas: tuple[int, ...] = ()
    adding_replicas: tuple[int, ...] = ()
    eligible_leader_replicas: tuple[int, ...] = ()
    last_known_elr: tuple[int, ...] = ()
    leader_recovery_state: int = RECOVERED

    @property
    def has_leader(self) -> bool:
        return self.leader != NO_LEADER

    @property
    def preferred_replica(self) -> int:
        return self.replicas[0] if self.replicas else NO_LEADER

    @property
    def is_reassigning(self) -> bool:
        return bool(self.adding_replicas or self.removing_replicas)

    def directory_of(self, broker_id: int) -> bytes:
        """The log directory of one replica; UNASSIGNED_DIRECTORY when it is not known."""
        if broker_id in self.replicas and len(self.directories) == len(self.replicas):
            return self.directories[self.replicas.index(broker_id)]
        return UNASSIGNED_DIRECTORY

    def with_change(self, change: "PartitionChangeRecord") -> "PartitionRegistration":
        replicas = self.replicas if change.replicas is None else tuple(change.replicas)
        leader, leader_epoch = self.leader, self.leader_epoch
        if change.leader != NO_LEADER_CHANGE:
            # Also when the leader is the same one: that is how the controller fences its old requests.
            leader, leader_epoch = change.leader, leader_epoch + 1
        recovery = change.leader_recovery_state
        return PartitionRegistration(
            replicas=replicas,
            directories=self._directories_after(change, replicas),
            isr=_changed(self.isr, change.isr),
            leader=leader,
            leader_epoch=leader_epoch,
            partition_epoch=self.partition_epoch + 1,
            removing_replicas=_changed(self.removing_replicas, change.removing_replicas),
            adding_replicas=_changed(self.adding_replicas, change.adding_replicas),
            eligible_leader_replicas=_changed(self.eligible_leader_replicas, change.eligible_leader_replicas),
            last_known_elr=_changed(self.last_known_elr, change.last_known_elr),
            leader_recovery_state=self.leader_recovery_state if recovery == NO_RECOVERY_CHANGE else recovery,
        )

    def _directories_after(self, change: "PartitionChangeRecord", replicas: tuple[int, ...]) -> tuple[bytes, ...]:
        if change.directories:
            return tuple(change.directories)
        if change.replicas is None:
            return self.directories
        return tuple(self.directory_of(broker_id) for broker_id in replicas)


def registration_of(record: "PartitionRecord") -> PartitionRegistration:
    replicas = tuple(record.replicas)
    isr = tuple(record.isr)
    return PartitionRegistration(
        replicas,
        tuple(record.directories) or (UNASSIGNED_DIRECTORY,) * len(replicas),
        replicas if isr == replicas else isr,
        record.leader,
        record.leader_epoch,
        record.partition_epoch,
        tuple(record.removing_replicas),
        tuple(record.adding_replicas),
        tuple(record.eligible_leader_replicas or ()),
        tuple(record.last_known_elr or ()),
        record.leader_recovery_state,
    )


def _changed(old: tuple[int, ...], new: list[int] | None) -> tuple[int, ...]:
    return old if new is None else tuple(new)
